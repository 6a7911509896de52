import type { AccountSlot } from "../accounts/account.ts";
import { isPackError } from "../errors.ts";
import type { RunFormulaResult } from "../execute/run-formula.ts";
import type { Redactor } from "../shared/redact.ts";
import { type Output, printable, type Streams } from "./output.ts";

/** The account and the scopes that it lacks. */
export interface MissingScopes {
  account: string;
  slot: AccountSlot;
  scopes: readonly string[];
}

/**
 * Offers to connect the account of a run with the scopes that it lacked (RFC 6750 §3.1), and then to run again. Once: a server that
 * still refuses will not change its mind.
 */
export async function stepUp(
  run: RunFormulaResult,
  offer: { confirm(missing: MissingScopes): Promise<boolean>; connect(missing: MissingScopes): Promise<void> },
  again: () => Promise<RunFormulaResult>,
): Promise<RunFormulaResult> {
  const cause = run.ok ? undefined : run.failure.cause;
  if (!isPackError(cause, "ACCOUNT_SCOPES") || cause.details.missing.length === 0) return run;
  const { account, slot, missing } = cause.details;
  const wanted: MissingScopes = { account, slot: slot as AccountSlot, scopes: missing };
  if (!(await offer.confirm(wanted))) return run;
  await offer.connect(wanted);
  return await again();
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
    async confirm({ account, scopes }) {
      const { confirm } = await import("@clack/prompts");
      const message = `The account "${printable(account)}" needs ${scopes.map(printable).join(" ")}. Connect it again with them, and repeat the run?`;
      return (await confirm({ message, output: streams.stderr as NodeJS.WriteStream })) === true;
    },
    async connect({ account, slot, scopes }) {
      const [{ connectAccount }, { vaultLocation }, prompts] = await Promise.all([
        import("../connect/connect-account.ts"),
        import("../accounts/vault-location.ts"),
        import("./connection-prompts.ts"),
      ]);
      await connectAccount({
        ...{ file, account, slot, routes, redactor, signal, extraScopes: scopes, cwd: streams.cwd },
        ...vaultLocation(streams.env),
        confirmSecretHost: prompts.createSecretHostQuestion(streams),
        choose: prompts.createChoice(streams),
        obstacle: await prompts.findObstacle(streams),
        onProgress: (line) => output.progress(line),
      });
    },
  };
}
