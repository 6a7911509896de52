import type { AccountSlot } from "../accounts/account-summary.ts";
import { isPackError } from "../errors.ts";
import type { StepUp } from "../execute/missing-access.ts";
import type { RunResult } from "../execute/run-target.ts";
import type { Redactor } from "../shared/redact.ts";
import { type Output, printable, type Streams } from "./output.ts";

/**
 * Offers to connect the account of a run with the scopes that it lacked (RFC 6750 §3.1) or with the
 * login that was demanded
 * (RFC 9470), and then to run again. Once: a server that still refuses will not change its mind.
 */
export async function stepUp(
  run: RunResult,
  offer: { confirm(wanted: StepUp): Promise<boolean>; connect(wanted: StepUp): Promise<void> },
  again: () => Promise<RunResult>,
): Promise<RunResult> {
  const wanted = run.ok ? undefined : findStepUp(run.failure.cause);
  if (wanted === undefined || !(await offer.confirm(wanted))) return run;
  await offer.connect(wanted);
  return await again();
}

/** @returns undefined for another failure, and for one that does not say what to request */
function findStepUp(cause: unknown): StepUp | undefined {
  if (isPackError(cause, "ACCOUNT_SCOPES") && cause.details.missing.length > 0) {
    const { account, slot, missing } = cause.details;
    return { account, slot: slot as AccountSlot, scopes: missing, login: undefined };
  }
  if (!isPackError(cause, "ACCOUNT_LOGIN")) return undefined;
  const { account, slot, acrValues, maxAgeSeconds } = cause.details;
  const isNamed = acrValues !== undefined || maxAgeSeconds !== undefined;
  return isNamed
    ? { account, slot: slot as AccountSlot, scopes: [], login: { acrValues, maxAgeSeconds } }
    : undefined;
}

export interface TerminalOfferOptions {
  file: string;
  routes: readonly string[] | undefined;
  streams: Streams;
  output: Output;
  redactor: Redactor;
  signal: AbortSignal | undefined;
}

/** Asks in the terminal, and connects with the browser. */
export function createTerminalOffer({
  file,
  routes,
  streams,
  output,
  redactor,
  signal,
}: TerminalOfferOptions): Parameters<typeof stepUp>[1] {
  return {
    async confirm({ account, scopes, login }) {
      const { confirm } = await import("@clack/prompts");
      const needed = login === undefined ? scopes.map(printable).join(" ") : "another login";
      const message = `The account "${printable(account)}" needs ${needed}. Connect the account again, and repeat the run?`;
      return (await confirm({ message, output: streams.stderr as NodeJS.WriteStream })) === true;
    },
    async connect({ account, slot, scopes, login }) {
      const [{ connectAccount }, { vaultLocation }, prompts] = await Promise.all([
        import("../connect/connect-account.ts"),
        import("../accounts/vault-location.ts"),
        import("./connection-prompts.ts"),
      ]);
      await connectAccount({
        file,
        account,
        slot,
        routes,
        redactor,
        signal,
        extraScopes: scopes,
        login,
        cwd: streams.cwd,
        ...vaultLocation(streams.env),
        confirmSecretHost: prompts.createSecretHostQuestion(streams),
        choose: prompts.createChoice(streams),
        obstacle: await prompts.findObstacle(streams),
        onProgress: (line) => output.progress(line),
      });
    },
  };
}
