import { isPackError, PackError } from "../../errors.ts";
import type { AuthorizationAttempt } from "../../oauth/connect/authorization-attempt.ts";
import type { TokenSet } from "../../oauth/token-set.ts";
import { failurePage, GO_ON, type Page } from "./page.ts";

/** What the caller does at the end of a flow. */
export interface FlowEnd<Account> {
  /** Shown on the pages. */
  packName: string;
  /** Stores the tokens and returns the account. If it fails, the flow fails. */
  complete(tokenSet: TokenSet, attempt: AuthorizationAttempt): Promise<Account>;
  /** What the success page shows about the account. */
  describe(account: Account): readonly (readonly [name: string, value: string])[];
  /**
   * Adds details to an error before the page shows it and the caller gets it. @default adds nothing
   */
  diagnose?: ((error: PackError) => PackError) | undefined;
  /**
   * Resolves if the user has to answer something outside the browser. The page then says so.
   * @default never
   */
  elsewhere?: Promise<void> | undefined;
}

export type ConnectOutcome<Account> =
  | { ok: true; account: Account }
  | { ok: false; error: PackError };

/** How the flow ended: for the caller, and for the browser's tab. */
export interface FlowResult<Account> {
  readonly outcome: Promise<ConnectOutcome<Account>>;
  /** What `/done` shows, or undefined while the flow goes on. */
  readonly page: Page | undefined;
  /**
   * Exchanges the code and ends the flow. Resolves earlier if the user is asked something outside
   * the browser, because this tab must not wait for the answer.
   */
  complete(query: URLSearchParams, attempt: AuthorizationAttempt): Promise<void>;
  fail(error: unknown): void;
  interrupt(signal: AbortSignal): void;
}

export function createFlowResult<Account>(
  options: FlowEnd<Account>,
  onEnd: () => void,
): FlowResult<Account> {
  const { diagnose = (known) => known, elsewhere } = options;
  const outcome = settleOnce<ConnectOutcome<Account>>();
  let page: Page | undefined;
  const end = (result: ConnectOutcome<Account>, shown: Page) => {
    page = shown;
    outcome.settle(result);
    onEnd();
  };
  const fail = (error: unknown) => {
    const known = diagnose(isPackError(error) ? error : createUnexpectedError(error));
    end({ ok: false, error: known }, failurePage(known));
  };
  const exchange = async (query: URLSearchParams, attempt: AuthorizationAttempt) => {
    try {
      const account = await options.complete(await attempt.complete(query), attempt);
      end({ ok: true, account }, successPage(options, account));
    } catch (error) {
      fail(error);
    }
  };
  return {
    outcome: outcome.promise,
    get page() {
      return page;
    },
    async complete(query, attempt) {
      const completion = exchange(query, attempt);
      if (elsewhere !== undefined) void elsewhere.then(() => (page ??= GO_ON));
      await Promise.race([completion, elsewhere ?? completion]);
    },
    fail,
    interrupt: (signal) => outcome.settle({ ok: false, error: createInterruption(signal) }),
  };
}

function successPage<Account>(
  { packName, describe }: Pick<FlowEnd<Account>, "describe" | "packName">,
  account: Account,
): Page {
  return {
    title: "Connected",
    lead: `${packName} can use this account now.`,
    facts: describe(account),
    hint: "You can close this tab.",
    tone: "good",
  };
}

function createUnexpectedError(error: unknown): PackError {
  return new PackError("INTERNAL", "Connecting the account failed unexpectedly.", {
    details: undefined,
    hint: "Run the command again with --debug, and report its output.",
    cause: error,
  });
}

/** The error of a flow whose signal aborted. */
export function createInterruption({ reason }: AbortSignal): PackError {
  if (isPackError(reason)) return reason;
  return new PackError("INTERRUPTED", "Connecting was interrupted.", {
    details: undefined,
    hint: undefined,
    cause: reason,
  });
}

export function settleOnce<Value>() {
  let settle: (value: Value) => void = () => {};
  const promise = new Promise<Value>((resolve) => {
    settle = resolve;
  });
  return { promise, settle };
}
