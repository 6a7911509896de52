import { formatConnectCommand } from "../accounts/account.ts";
import type { AccountSlot } from "../accounts/account-summary.ts";
import type { AccountChoice } from "../accounts/pack-account.ts";
import { isPackError, PackError } from "../errors.ts";
import { demandsLogin, type LoginDemand, parseTokenChallenge } from "../oauth/challenge.ts";
import { canParseUrl } from "../shared/urls.ts";
import { ExecutionFailure } from "./execution-result.ts";
import type { StepUp } from "./missing-access.ts";

/** The account of a run, for the commands in hints. The file is as the user wrote it. */
export type RunAccount = Omit<AccountChoice, "cwd">;

/** What a new connection has to request. */
export interface Wanted {
  scopes?: readonly string[] | undefined;
  login?: LoginDemand | undefined;
}

/** The command that connects the account again. */
export function connectCommand(
  { file, account, slot }: RunAccount,
  { scopes = [], login = {} }: Wanted = {},
): string {
  const { acrValues, maxAgeSeconds } = login;
  const words = [
    option("--scopes", scopes.join(" ")),
    option("--acr-values", acrValues),
    option("--max-age", maxAgeSeconds === undefined ? undefined : String(maxAgeSeconds)),
  ];
  return `${formatConnectCommand(file, { slot, name: account })}${words.join("")}`;
}

/**
 * The text comes from a server, and the user may copy the command: nothing that a shell would run
 * gets into it.
 */
function option(name: string, text = ""): string {
  if (text === "") return "";
  return /^[\w.:/+*@,=~ -]+$/.test(text) ? ` ${name} "${text}"` : ` ${name} …`;
}

/** @param missing the scopes that the refusal names; it may name none */
export function scopesRefused(
  server: string,
  missing: readonly string[],
  run: RunAccount,
): PackError<"ACCOUNT_SCOPES"> {
  const named = missing.join(" ") || "the server did not list the scopes";
  return new PackError(
    "ACCOUNT_SCOPES",
    `${server} needs more scopes for this request: ${named}.`,
    {
      details: { account: run.account, slot: run.slot, missing },
      hint: `Run ${connectCommand(run, { scopes: missing })}.`,
    },
  );
}

/** @param login what the refusal demands; it may demand nothing in particular */
export function loginRefused(
  server: string,
  login: LoginDemand,
  run: RunAccount,
): PackError<"ACCOUNT_LOGIN"> {
  const { acrValues, maxAgeSeconds } = login;
  const parts = [
    ...(acrValues === undefined ? [] : [`authentication context ${acrValues}`]),
    ...(maxAgeSeconds === undefined ? [] : [`at most ${maxAgeSeconds} seconds ago`]),
  ];
  const demanded = parts.length === 0 ? "" : ` (${parts.join(", ")})`;
  return new PackError("ACCOUNT_LOGIN", `${server} requires the user to log in again${demanded}.`, {
    details: { account: run.account, slot: run.slot, acrValues, maxAgeSeconds },
    hint: `Run ${connectCommand(run, { login })}.`,
  });
}

/**
 * What a refusal asks the user to do: connect with more scopes (RFC 6750 §3.1), or log in again
 * (RFC 9470 §3).
 * @returns undefined for every other refusal
 */
export function createStepUpError(
  server: string,
  status: number | undefined,
  headers: Readonly<Record<string, string>> | undefined,
  run: RunAccount,
): PackError<"ACCOUNT_SCOPES"> | PackError<"ACCOUNT_LOGIN"> | undefined {
  const challenge = parseTokenChallenge(headers?.["www-authenticate"]);
  if (status === 403 && challenge?.error === "insufficient_scope")
    return scopesRefused(server, challenge.scopes ?? [], run);
  return status === 401 && demandsLogin(challenge)
    ? loginRefused(server, challenge.login, run)
    : undefined;
}

/**
 * Explains the refusal of an API that wants another token than the account has. Other errors stay
 * as they are.
 */
export function explainRefusal(error: unknown, run: RunAccount): unknown {
  if (!(error instanceof ExecutionFailure) || error.code !== "FETCH_STATUS") return error;
  const { statusCode, options, response } = (error.cause ?? {}) as Partial<RefusedRequest>;
  const host =
    options === undefined || !canParseUrl(options.url) ? "The API" : new URL(options.url).host;
  const explained = createStepUpError(host, statusCode, response?.headers, run);
  return explained === undefined ? error : new ExecutionFailure(explained, error);
}

/** The members of the fetcher's StatusCodeError. An error that the Pack created has no cause. */
interface RefusedRequest {
  statusCode: number;
  options: { url: string };
  response: { headers: Record<string, string> };
}

/**
 * What the account of a failed run lacks: a server refused it or demands another login, the formula
 * declares more scopes than were granted, or the Pack threw a `MissingScopesError`.
 * @param run undefined if the run had no account
 * @param scopes those that the target declares in addition to those of the authentication
 */
export function findStepUp(
  error: unknown,
  run: RunAccount | undefined,
  scopes: readonly string[],
): StepUp | undefined {
  if (isPackError(error, "ACCOUNT_SCOPES")) {
    const { account, slot, missing } = error.details;
    return { account, slot: slot as AccountSlot, scopes: missing };
  }
  if (isPackError(error, "ACCOUNT_LOGIN")) {
    const { account, slot, acrValues, maxAgeSeconds } = error.details;
    return { account, slot: slot as AccountSlot, scopes: [], login: { acrValues, maxAgeSeconds } };
  }
  const isThrown =
    isPackError(error, "FORMULA_FAILED") && error.details.thrown === "MissingScopesError";
  if (!isThrown || run === undefined) return undefined;
  return { account: run.account, slot: run.slot, scopes };
}
