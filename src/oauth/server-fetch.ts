import { PackError } from "../errors.ts";
import {
  authenticateRequest,
  createClientAssertion,
  isAssertion,
} from "./client-authentication.ts";
import { type OAuthDefinition, renameParameters } from "./definition.ts";
import type { ExchangeStep } from "./exchange-record.ts";
import { withoutSecrets } from "./run-step.ts";
import { type Answer, send, type TransportOptions } from "./send.ts";
import {
  FORM_TYPE,
  type PreparedRequest,
  type RequestAuthentication,
  readingOfGrant,
} from "./step.ts";
import { reportedError } from "./token-failure.ts";
import { readTokenResponse } from "./token-response.ts";

export interface ServerFetchOptions extends TransportOptions {
  definition: OAuthDefinition;
  /** What the requests are for. Those of a token have a step. */
  purpose: Exclude<ExchangeStep, "token" | "refresh">;
  /** Replaces the client authentication of a library. @default the client does not authenticate */
  authentication?: RequestAuthentication | undefined;
  /** The server's issuer, if it was discovered: the audience of assertions. */
  issuer?: string | undefined;
}

/** Their errors are those of RFC 6749 §5.2. */
const READS_ERRORS: ReadonlySet<ExchangeStep> = new Set(["pushed", "registration", "device"]);
/** RFC 9126 §2.1 and RFC 8628 §3.1: servers read the client ID among the parameters. */
const NAMES_CLIENT: ReadonlySet<ExchangeStep> = new Set(["pushed", "device"]);

/**
 * Makes the `fetch` for all requests to a server that ask for no token, for openid-client and for
 * this project.
 */
export function createServerFetch(options: ServerFetchOptions): typeof fetch {
  const { purpose, now = Date.now } = options;
  return async (input, init = {}) => {
    const url = input instanceof Request ? input.url : String(input);
    const { authentication } = options;
    if (authentication !== undefined) await options.beforeCredentials?.(url, authentication.client);
    const request = await prepareFetch(url, init, options);
    return await send({ purpose, request, authentication }, options, (answer) => {
      if (answer.response.status >= 400 && READS_ERRORS.has(purpose))
        requireNoError(answer, options, now());
      return toResponse(answer);
    });
  };
}

async function prepareFetch(
  url: string,
  init: RequestInit,
  { authentication, definition, issuer, purpose, now = Date.now }: ServerFetchOptions,
): Promise<PreparedRequest> {
  const headers = new Headers(init.headers);
  const method = init.method ?? "GET";
  // A registration is already JSON (RFC 7591 §3.1), and so are messages to MCP servers.
  if (headers.get("content-type")?.startsWith("application/json") === true)
    return { method, url, headers, params: new URLSearchParams(), body: String(init.body) };
  const { body } = init;
  const params = new URLSearchParams(
    body instanceof URLSearchParams || typeof body === "string" ? body : "",
  );
  if (authentication !== undefined) {
    const { client } = authentication;
    const assertion = isAssertion(authentication.method)
      ? await createClientAssertion({
          ...authentication,
          definition,
          issuer,
          url,
          step: purpose,
          nowMs: now(),
        })
      : undefined;
    authenticateRequest(client, authentication.method, { params, headers }, assertion);
    if (NAMES_CLIENT.has(purpose)) params.set("client_id", client.clientId);
  }
  headers.delete("content-length");
  headers.delete("content-type");
  if (method === "GET") return { method, url, headers, params, body: undefined };
  headers.set("content-type", FORM_TYPE);
  const sent = renameParameters(params, {
    parameterNames: findParameterNames(definition, purpose),
  });
  return { method, url, headers, params, body: sent.toString() };
}

/** The names of a pushed request are those of an authorization request, which has them already. */
function findParameterNames(
  { parameterNames, tokenParameterNames }: OAuthDefinition,
  purpose: ExchangeStep,
): OAuthDefinition["parameterNames"] {
  if (purpose === "device") return parameterNames;
  return purpose === "revocation" ? (tokenParameterNames ?? parameterNames) : undefined;
}

/** @throws {PackError} OAUTH_TOKEN_REJECTED, OAUTH_TOKEN_UNAVAILABLE */
function requireNoError(
  { response, host, retryAfterSeconds, redactor }: Answer,
  { definition, purpose }: ServerFetchOptions,
  receivedAtMs: number,
): void {
  const { status, headers, text } = response;
  const contentType = headers.get("content-type") ?? undefined;
  const read = readTokenResponse(
    { status, contentType, text, receivedAtMs },
    readingOfGrant(definition),
  );
  const result = withoutSecrets(read, redactor);
  if (result.kind !== "error") return;
  const { error, description } = result;
  throw reportedError({ step: purpose, host, status, error, description, retryAfterSeconds });
}

/** The response with its body, which is read already. */
function toResponse({ response: { status, headers, text }, host }: Answer): Response {
  if (status < 200 || status > 599)
    throw new PackError("OAUTH_TOKEN_UNAVAILABLE", `${host} answered with status ${status}.`, {
      details: { status, retryAfterSeconds: undefined },
      hint: "HTTP does not define this status. Check the URL of the server, then try again later.",
    });
  const bodyless = [101, 204, 205, 304].includes(status);
  const decoded = new Headers(headers);
  // The body is decoded; these headers describe the encoded one.
  decoded.delete("content-encoding");
  decoded.delete("content-length");
  return new Response(bodyless ? null : text, { status, headers: decoded });
}
