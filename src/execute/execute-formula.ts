import { randomUUID } from "node:crypto";
import type { AccountSession } from "../accounts/account-session.ts";
import type { Formula } from "../define/formula.ts";
import { isPackError, PackError } from "../errors.ts";
import type { Tape } from "../oauth/tape.ts";
import { createRedactor, type Redactor } from "../redact.ts";
import { type FormulaArguments, prepareArguments } from "./arguments.ts";
import { type ExchangeDetail, ExecutionFailure, type ExecutionResult, type RequestRecord } from "./execution-result.ts";
import { createResponseCache, type ResponseCache } from "./fetch-cache.ts";
import { createHostFetcher } from "./fetcher.ts";
import type { Isolate, IsolateOutcome } from "./isolate.ts";
import { normalizeResult } from "./result.ts";
import type { AuthenticationSlot, IsolateCall } from "./sandbox/protocol.ts";

/** What every run needs, whatever it runs. */
export interface RunOptions {
  isolate: Isolate;
  /** The account whose credentials requests get. Without one they are sent without credentials. */
  account?: AccountSession | undefined;
  /** The Pack's own account, for hosts that the other one's credentials are not for. */
  systemAccount?: AccountSession | undefined;
  /** Origins that are served elsewhere, from `parseRoutes`. */
  routes?: Readonly<Record<string, string>> | undefined;
  /** IANA time zone of the document. @default "UTC" */
  timezone?: string | undefined;
  /** Protocol and host of the document service. @default "http://127.0.0.1" */
  protocolAndHost?: string | undefined;
  /** Wall-clock limit of the run, in milliseconds. @default 60_000 */
  timeoutMs?: number | undefined;
  /** Learns the access tokens that it sees, and cleans logs and request records. @default a new one */
  redactor?: Redactor | undefined;
  /** Where equal requests find earlier responses; give one to several runs to share them. @default a new one */
  cache?: ResponseCache | undefined;
  /** Records the requests, or answers them. */
  tape?: Tape | undefined;
  /** Learns what each request sent and got, redacted. */
  onExchange?: ((detail: ExchangeDetail) => void) | undefined;
  /** Waits before a request that was answered with 429 is repeated. @default in real time */
  sleep?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
  /** @default globalThis.fetch */
  fetch?: typeof fetch | undefined;
  /** Finds the addresses of a host, for the guard against private networks. @default the system's resolver */
  lookup?: ((host: string) => Promise<readonly string[]>) | undefined;
  /** Milliseconds. @default Date.now */
  now?: (() => number) | undefined;
}

export interface ExecuteFormulaOptions extends RunOptions {
  formula: string;
  args: FormulaArguments;
}

/**
 * Runs a formula of a loaded Pack: checks the arguments, runs it in the sandbox, checks the result.
 * @throws {ExecutionFailure} every failure, with the logs and requests until then: FORMULA_UNKNOWN, ARGUMENT_COUNT,
 * ARGUMENT_TYPE, FORMULA_FAILED, FORMULA_USER_ERROR, RESULT_INVALID, RUN_*, FETCH_*, ACCOUNT_*, OAUTH_*
 */
export async function executeFormula(options: ExecuteFormulaOptions): Promise<ExecutionResult> {
  let formula: Formula | undefined;
  return await run(
    options,
    () => {
      formula = formulaNamed(options.isolate, options.formula);
      return { kind: "formula", name: options.formula, args: prepareArguments(formula, options.args) };
    },
    (value) => normalizeResult(formula as Formula, value),
  );
}

/**
 * Asks the Pack for the label of an account.
 * @returns `undefined` when the Pack has no `getConnectionName`, or it gives no text
 * @throws {ExecutionFailure}
 */
export async function getConnectionName(options: RunOptions & { slot?: AuthenticationSlot | undefined }): Promise<string | undefined> {
  const { result } = await run(
    options,
    () => ({ kind: "connectionName", slot: options.slot ?? "user" }),
    (value) => value,
  );
  return typeof result === "string" && result.trim() !== "" ? result : undefined;
}

/**
 * Asks a step of the set-up for the endpoints that a user can choose from.
 * @throws {ExecutionFailure}
 */
export async function getPostSetupOptions(options: RunOptions & { slot: AuthenticationSlot; step: string }): Promise<unknown> {
  const { result } = await run(
    options,
    () => ({ kind: "postSetupOptions", slot: options.slot, step: options.step }),
    (value) => value,
  );
  return result;
}

async function run(options: RunOptions, prepare: () => IsolateCall, finish: (value: unknown) => unknown): Promise<ExecutionResult> {
  const now = options.now ?? Date.now;
  const startedAtMs = now();
  const redactor = options.redactor ?? createRedactor();
  const requests: RequestRecord[] = [];
  let outcome: IsolateOutcome = { ok: true, value: undefined, logs: [] };
  const story = () => ({
    logs: outcome.logs.map(({ level, message }) => ({ level, message: redactor.text(message) })),
    requests: [...requests],
    durationMs: now() - startedAtMs,
  });
  const invocationToken = randomUUID();
  const fetcher = createHostFetcher({
    ...options,
    redactor,
    invocationToken,
    startedAtMs,
    cache: options.cache ?? createResponseCache({ now }),
    definition: options.isolate.definition,
    onRequest: (record) => requests.push(record),
  });
  try {
    outcome = await options.isolate.invoke(prepare(), {
      fetch: (request) => fetcher.fetch(request),
      timeoutMs: options.timeoutMs,
      context: {
        endpoint: (options.account ?? options.systemAccount)?.endpoint,
        ...(options.account === undefined ? {} : { connection: options.account.connection }),
        invocationLocation: { protocolAndHost: options.protocolAndHost ?? "http://127.0.0.1" },
        timezone: options.timezone ?? "UTC",
        invocationToken,
      },
    });
    if (!outcome.ok) throw outcome.error;
    return { result: finish(outcome.value), ...story() };
  } catch (error) {
    if (!isPackError(error)) throw error;
    throw new ExecutionFailure(redacted(error as PackError, redactor), story());
  } finally {
    fetcher.close();
  }
}

function redacted(error: PackError, redactor: Redactor): PackError {
  return new PackError(error.code, redactor.text(error.message), {
    details: redactor.value(error.details) as never,
    hint: error.hint === undefined ? undefined : redactor.text(error.hint),
    cause: error.cause,
  });
}

function formulaNamed(isolate: Isolate, name: string): Formula {
  const formulas = Array.isArray(isolate.definition.formulas) ? isolate.definition.formulas : [];
  const formula = formulas.find((candidate) => candidate?.name === name);
  if (formula !== undefined) return formula;
  const known = formulas.map((candidate) => String(candidate?.name));
  throw new PackError("FORMULA_UNKNOWN", `The Pack has no formula ${name}.`, {
    details: { name, known },
    hint: known.length === 0 ? "The Pack declares no formula." : `It has: ${known.join(", ")}.`,
  });
}
