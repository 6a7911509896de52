import type { PackError } from "../errors.ts";
import type { Redactor } from "../shared/redact.ts";
import { canParseUrl } from "../shared/urls.ts";
import { createClientAssertion, isAssertion } from "./client-authentication.ts";
import type { OAuthDefinition } from "./definition.ts";
import { describeResult } from "./describe-exchange.ts";
import { createDpopProof, findDpopSecret } from "./dpop.ts";
import type { ExchangeStep } from "./exchange-record.ts";
import { type Answer, send, type TransportOptions } from "./send.ts";
import {
  isDeviceGrant,
  prepare,
  type RequestAuthentication,
  type Step,
  type StepInputs,
} from "./step.ts";
import { invalidResponseError, reportedError } from "./token-failure.ts";
import {
  type IssuedTokens,
  type ReceivedTokenResponse,
  readTokenResponse,
  type TokenResponse,
} from "./token-response.ts";
import { describeUrl } from "./url-policy.ts";

export interface StepRun extends TransportOptions {
  step: Step;
  definition: OAuthDefinition;
  /** Undefined for a request without the client. */
  authentication: RequestAuthentication | undefined;
  /** The server's issuer, if it was discovered: the audience of assertions. */
  issuer?: string | undefined;
  /** A private JWK: requests prove that the client holds it (RFC 9449 §5). */
  dpopKey?: string | undefined;
  /** What `{state}` and `{token}` in the parameters of the step mean. */
  values?: Readonly<Record<string, string>> | undefined;
  /** The access token that the response may leave unchanged (`refreshKeepsToken`). */
  keptAccessToken?: string | undefined;
}

/** The parameters of a grant, as a library or this project wrote them. */
export type GrantParams = Pick<StepInputs, "params" | "headers">;

/** The tokens of a step; or a server that has none yet (RFC 8628 §3.5). */
export type StepResult =
  | { kind: "tokens"; tokens: IssuedTokens }
  | { kind: "waiting"; error: string; failure: PackError };

/**
 * Runs one step of a connection: prepares its request, sends it and reads the tokens of the
 * response. A server that demands a DPoP nonce gets the request again, with the nonce.
 * @throws {PackError} OAUTH_TOKEN_REJECTED, OAUTH_TOKEN_RESPONSE_INVALID, OAUTH_TOKEN_UNAVAILABLE,
 *   OAUTH_TOKEN_TIMEOUT, URL_NOT_ALLOWED
 */
export async function runStep(run: StepRun, grant: GrantParams): Promise<StepResult> {
  const { step, authentication } = run;
  run.redactor?.add(findDpopSecret(run.dpopKey));
  if (authentication !== undefined) await run.beforeCredentials?.(step.url, authentication.client);
  const first = await runOnce(run, grant, undefined);
  if (!("nonce" in first)) return first;
  const second = await runOnce(run, grant, first.nonce);
  if ("nonce" in second) throw second.failure;
  return second;
}

/** The server demands a proof with this nonce (RFC 9449 §8). */
interface NonceDemand {
  nonce: string;
  failure: PackError;
}

async function runOnce(
  run: StepRun,
  grant: GrantParams,
  nonce: string | undefined,
): Promise<StepResult | NonceDemand> {
  const { step, dpopKey, now = Date.now } = run;
  // Proofs and assertions serve once, so each request has its own.
  const authentication = await signedAuthentication(run);
  const request = prepare(step, { ...grant, authentication, values: run.values });
  if (dpopKey !== undefined) {
    const claims = { method: request.method, url: step.url, nowMs: now(), nonce };
    request.headers.set("DPoP", await createDpopProof(dpopKey, claims));
  }
  const sending = { purpose: getPurpose(step), request, authentication };
  return await send(sending, run, (answer) => readAnswer(answer, run, { ...grant, nonce }));
}

/** @param nonce the one that the proof of the request had */
async function readAnswer(
  answer: Answer,
  run: StepRun,
  { params, nonce }: Pick<GrantParams, "params"> & { nonce: string | undefined },
): Promise<StepResult | NonceDemand> {
  const { step, dpopKey, now = Date.now } = run;
  const { response, host, record, redactor, retryAfterSeconds } = answer;
  const received = receivedFrom(answer, now());
  // Some servers quote the request in their error text, with its secrets.
  const result = withoutSecrets(
    readTokenResponse(received, step.response, run.keptAccessToken),
    redactor,
  );
  describeResult(record, result);
  const { status } = response;
  const isExchange = step.name === "exchange";
  switch (result.kind) {
    case "tokens": {
      const { tokens } = result;
      for (const secret of [tokens.accessToken, tokens.refreshToken, tokens.idToken])
        redactor.add(secret);
      await run.onPendingTokens?.(received);
      return { kind: "tokens", tokens };
    }
    case "error": {
      const { error, description } = result;
      const failure = reportedError({
        step: getPurpose(step),
        host,
        status,
        error,
        description,
        retryAfterSeconds,
      });
      if (error !== undefined && WAITING.has(error)) {
        if (isDeviceGrant(params)) record.isWaiting = true;
        return { kind: "waiting", error, failure };
      }
      const demanded = response.headers.get("dpop-nonce");
      if (dpopKey === undefined || error !== "use_dpop_nonce" || status !== 400) throw failure;
      if (demanded === null || demanded === nonce) throw failure;
      record.error = failure.code;
      return { nonce: demanded, failure };
    }
    case "invalid":
      // The response may hold rotated tokens in a form that is not known yet.
      await run.onPendingTokens?.(received);
      throw invalidResponseError({ host, status, ...result, isExchange });
    case "unusable":
      throw invalidResponseError({
        host,
        status,
        reason: `${result.reason}${formatRedirectTarget(response.headers, step.url)}`,
        isExchange,
      });
  }
}

/**
 * The tokens of a step.
 * @throws {PackError} those of `runStep`, also for a server that has none yet
 */
export async function runStepForTokens(run: StepRun, grant: GrantParams): Promise<IssuedTokens> {
  const result = await runStep(run, grant);
  if (result.kind === "waiting") throw result.failure;
  return result.tokens;
}

/** The name of a step in records and messages. */
function getPurpose({ name }: Step): ExchangeStep {
  return name === "renew" ? "refresh" : "token";
}

async function signedAuthentication(run: StepRun): Promise<StepRun["authentication"]> {
  const { authentication, definition, issuer, step, now = Date.now } = run;
  if (authentication === undefined || !isAssertion(authentication.method)) return authentication;
  const assertion = await createClientAssertion({
    ...authentication,
    definition,
    issuer,
    url: step.url,
    step: getPurpose(step),
    nowMs: now(),
  });
  return { ...authentication, assertion };
}

function receivedFrom({ response }: Answer, receivedAtMs: number): ReceivedTokenResponse {
  const { status, headers, text } = response;
  return { status, contentType: headers.get("content-type") ?? undefined, text, receivedAtMs };
}

/** RFC 8628 §3.5: the user has not entered the code yet. */
const WAITING: ReadonlySet<string> = new Set(["authorization_pending", "slow_down"]);

export function withoutSecrets(result: TokenResponse, redactor: Redactor): TokenResponse {
  if (result.kind !== "error") return result;
  // An error code of the protocol stays readable, even if a secret is the word "client".
  const error =
    result.error === undefined || /^[a-z_]{1,40}$/.test(result.error)
      ? result.error
      : redactor.text(result.error);
  const { description } = result;
  return {
    ...result,
    error,
    description: description === undefined ? undefined : redactor.text(description),
  };
}

/** Where a redirect goes, so that the definition can name that address. */
function formatRedirectTarget(headers: Headers, url: string): string {
  const location = headers.get("location");
  return location !== null && canParseUrl(location, url)
    ? ` to ${describeUrl(new URL(location, url).href)}`
    : "";
}
