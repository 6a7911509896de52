import { type AccountSlot, accountOptions } from "../accounts/account.ts";
import { PackError } from "../errors.ts";
import { tokenChallengeOf } from "../oauth/challenge.ts";
import { ExecutionFailure } from "./execution-result.ts";

/** The account of a run, for the commands in hints. */
export interface RunAccount {
  /** The Pack's entry file, as the user wrote it. */
  file: string;
  account: string;
  slot: AccountSlot;
}

/** The command that connects the account again. */
export function connectCommand({ file, account, slot }: RunAccount, scopes: readonly string[] = []): string {
  const option = scopes.length === 0 ? "" : ` --scopes "${scopes.join(" ")}"`;
  return `packsmith auth connect ${file}${accountOptions({ slot, name: account })}${option}`;
}

/** @param missing the scopes that the refusal names; it may name none */
export function scopesRefused(server: string, missing: readonly string[], run: RunAccount): PackError<"ACCOUNT_SCOPES"> {
  const named = missing.join(" ") || "it does not say which";
  return new PackError("ACCOUNT_SCOPES", `${server} needs more scopes for this request: ${named}.`, {
    details: { account: run.account, slot: run.slot, missing },
    hint: `Run ${connectCommand(run, missing)}.`,
  });
}

/**
 * Explains the refusal of an API that wants a token with more scopes (RFC 6750 §3.1), or a stronger or newer login (RFC 9470 §3). Other
 * errors stay as they are.
 */
export function explainRefusal(error: unknown, run: RunAccount): unknown {
  if (!(error instanceof ExecutionFailure) || error.code !== "FETCH_STATUS") return error;
  const { statusCode, options, response } = error.cause as Partial<RefusedRequest>;
  const challenge = tokenChallengeOf(response?.headers["www-authenticate"]);
  const host = options === undefined || !URL.canParse(options.url) ? "The API" : new URL(options.url).host;
  if (statusCode === 403 && challenge?.error === "insufficient_scope") {
    return new ExecutionFailure(scopesRefused(host, challenge.scopes ?? [], run), error);
  }
  if (statusCode === 401 && challenge?.error === "insufficient_user_authentication") {
    const wanted = challenge.login.map(([name, value]) => `${name}: ${JSON.stringify(value)}`).join(", ");
    const { details } = error as ExecutionFailure<"FETCH_STATUS">;
    const message = `${host} demands another login of the user${wanted === "" ? "" : ` (${wanted})`}.`;
    const change = wanted === "" ? "" : `add additionalParams: { ${wanted} } to the authentication, then `;
    const hint = `As RFC 9470 describes: ${change}run ${connectCommand(run)}.`;
    return new ExecutionFailure(new PackError("FETCH_STATUS", message, { details, hint, cause: error.cause }), error);
  }
  return error;
}

/** The members of the fetcher's StatusCodeError. */
interface RefusedRequest {
  statusCode: number;
  options: { url: string };
  response: { headers: Record<string, string> };
}
