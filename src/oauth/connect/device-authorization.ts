import {
  type DeviceAuthorizationResponse,
  initiateDeviceAuthorization,
  pollDeviceAuthorizationGrant,
} from "openid-client";
import type { OAuth2Authentication } from "../../define/oauth.ts";
import { isPackError, PackError } from "../../errors.ts";
import { parseUrl } from "../../shared/urls.ts";
import { isRecord } from "../../shared/values.ts";
import { callLibrary, readGrant, toLibraryResponse } from "../call-library.ts";
import { authenticateInTurn, clientAuthenticationMethods } from "../client-authentication.ts";
import { joinScopes } from "../definition.ts";
import { canBindTokens, createDpopKey, requireBound } from "../dpop.ts";
import { withCheckedEndpoint } from "../endpoint.ts";
import { applyRoutes, NO_ROUTES } from "../routes.ts";
import { runStep, type StepRun } from "../run-step.ts";
import type { TransportOptions } from "../send.ts";
import { createServerFetch } from "../server-fetch.ts";
import { obtainStep, type RequestAuthentication } from "../step.ts";
import { cleanProviderText, missingMemberError } from "../token-failure.ts";
import { type IssuedTokens, toTokenSet } from "../token-response.ts";
import type { ClientCredentials, TokenSet } from "../token-set.ts";
import { createConfiguration } from "./server-configuration.ts";

/** What to show a person who goes on with another device. */
export interface DeviceInstructions {
  verificationUri: string;
  userCode: string;
  /** The same URL with the code in it, if the server sends one. */
  verificationUriComplete: string | undefined;
  expiresInSeconds: number;
}

export interface DeviceAuthorizationOptions extends TransportOptions {
  /** Filled for this account. */
  definition: OAuth2Authentication;
  client: ClientCredentials;
  tokenUrl: string;
  deviceAuthorizationUrl: string;
  networkDomains: readonly string[];
  /** `token_endpoint_auth_methods_supported` of the server's metadata. @default unknown */
  supportedAuthenticationMethods?: readonly string[] | undefined;
  /** The server's issuer, if it is known. */
  issuer?: string | undefined;
  extraScopes?: readonly string[] | undefined;
  /** Binds the tokens to a new key (RFC 9449). @default the definition's `dpop` */
  dpop?: boolean | undefined;
  signal?: AbortSignal | undefined;
  /** Shows the person where to enter which code. */
  instruct(instructions: DeviceInstructions): void;
}

const MAX_DEVICE_SECONDS = 86_400;
const MAX_INTERVAL_SECONDS = 60;

/**
 * Connects an account without a redirect: the person enters a code on any device (RFC 8628).
 * @throws {PackError} OAUTH_DENIED when the person denies, OAUTH_CONNECT_TIMEOUT when the code
 *   expires
 * @throws {PackError} OAUTH_TOKEN_ codes, the signal's reason
 */
export async function requestDeviceToken(options: DeviceAuthorizationOptions): Promise<TokenSet> {
  const {
    definition,
    client,
    tokenUrl,
    deviceAuthorizationUrl,
    signal,
    instruct,
    redactor,
    routes = NO_ROUTES,
  } = options;
  const scope = joinScopes(definition, options.extraScopes);
  const params = {
    ...(scope === undefined ? {} : { [definition.scopeParamName ?? "scope"]: scope }),
    ...(definition.resource === undefined ? {} : { resource: definition.resource }),
  };
  const dpopKey =
    (options.dpop ?? definition.dpop) === true && canBindTokens(definition)
      ? createDpopKey()
      : undefined;
  const step = obtainStep(definition, tokenUrl);
  const methods = clientAuthenticationMethods(
    definition,
    client,
    undefined,
    options.supportedAuthenticationMethods,
    options.issuer,
  );
  const tokenSet = await authenticateInTurn(methods, async (method) => {
    const authentication = { client, method };
    const ask = createServerFetch({ ...options, purpose: "device", authentication });
    const { host } = new URL(deviceAuthorizationUrl);
    const issued = await callLibrary(
      async (...request) => normalizeResponse(await ask(...request), host),
      (send) =>
        initiateDeviceAuthorization(
          createConfiguration({ deviceAuthorizationUrl }, client, send),
          params,
        ),
    );
    redactor?.add(issued.device_code);
    const device = withinLimits(issued);
    instruct({
      // The browser goes where the requests go, as with the link of a login.
      verificationUri: applyRoutes(device.verification_uri, routes),
      userCode: device.user_code,
      verificationUriComplete:
        device.verification_uri_complete && applyRoutes(device.verification_uri_complete, routes),
      expiresInSeconds: device.expires_in,
    });
    const run = { ...options, step, authentication, dpopKey };
    const tokens = await pollForTokens(run, device, signal).catch((error: unknown) => {
      throw signal?.aborted ? signal.reason : toEndError(error, device.expires_in);
    });
    return toTokenSet(tokens, step.response.scopeDelimiter, method, dpopKey);
  });
  return withCheckedEndpoint(
    requireBound(definition, tokenSet),
    definition,
    options.networkDomains,
    true,
  );
}

/** The library asks until the server has tokens, as often as the server allows. */
async function pollForTokens(
  run: StepRun & { authentication: RequestAuthentication },
  device: DeviceAuthorizationResponse,
  signal: AbortSignal | undefined,
): Promise<IssuedTokens> {
  let tokens: IssuedTokens | undefined;
  let waiting: PackError | undefined;
  const ask: typeof fetch = async (_, init) => {
    const result = await runStep(run, readGrant(init));
    if (result.kind === "waiting") {
      waiting = result.failure;
      return Response.json({ error: result.error }, { status: 400 });
    }
    tokens = result.tokens;
    return toLibraryResponse(tokens);
  };
  const polled = callLibrary(ask, (send) =>
    pollDeviceAuthorizationGrant(
      createConfiguration({ tokenUrl: run.step.url }, run.authentication.client, send),
      device,
      undefined,
      signal === undefined ? {} : { signal },
    ),
  );
  await polled.catch((error: unknown) => {
    // The library gives up when the code has expired.
    throw isPackError(error, "OAUTH_TOKEN_RESPONSE_INVALID") ? (waiting ?? error) : error;
  });
  if (tokens === undefined) throw new TypeError("The library made no request.");
  return tokens;
}

/**
 * A device response in the form of RFC 8628 §3.2: some servers write times as text, and
 * `verification_url` as in drafts of the standard.
 * @throws {PackError} OAUTH_TOKEN_RESPONSE_INVALID when a member is missing
 */
async function normalizeResponse(response: Response, host: string): Promise<Response> {
  const { status } = response;
  const body: unknown = response.ok ? await response.json().catch(() => undefined) : undefined;
  const answer: Record<string, unknown> = isRecord(body) ? { ...body } : {};
  answer["verification_uri"] ??= answer["verification_url"];
  answer["verification_uri_complete"] ??= answer["verification_url_complete"];
  for (const name of ["expires_in", "interval"])
    if (typeof answer[name] === "string") answer[name] = Number.parseFloat(answer[name]);
  for (const name of ["verification_uri_complete", "interval"])
    if (!isUsable(name, answer[name])) delete answer[name];
  const missing = ["device_code", "user_code", "verification_uri", "expires_in"].find(
    (name) => !isUsable(name, answer[name]),
  );
  if (missing === undefined) return Response.json(answer);
  throw missingMemberError("device", { host, status, member: missing });
}

function isUsable(name: string, value: unknown): boolean {
  switch (name) {
    case "expires_in":
    case "interval":
      return typeof value === "number" && Number.isFinite(value) && value > 0;
    case "verification_uri":
    case "verification_uri_complete":
      return typeof value === "string" && /^https?:$/.test(parseUrl(value)?.protocol ?? "");
    default:
      return typeof value === "string" && cleanProviderText(value) === value;
  }
}

/**
 * Times that a server may name: a longer one would overflow the timers of the runtime, which then
 * end at once.
 */
function withinLimits<Device extends { expires_in: number; interval?: number | undefined }>(
  device: Device,
): Device {
  const { expires_in, interval } = device;
  return {
    ...device,
    expires_in: Math.min(expires_in, MAX_DEVICE_SECONDS),
    ...(interval === undefined ? {} : { interval: Math.min(interval, MAX_INTERVAL_SECONDS) }),
  };
}

/** RFC 8628 §3.5: a denial and an expired code have their own error codes. */
function toEndError(error: unknown, expiresInSeconds: number): unknown {
  if (!(error instanceof PackError) || error.code !== "OAUTH_TOKEN_REJECTED") return error;
  const { error: reason, description } = error.details as {
    error: string;
    description: string | undefined;
  };
  if (reason === "access_denied") {
    return new PackError("OAUTH_DENIED", "The account was not authorized on the other device.", {
      details: { error: reason, description },
      hint: "Connect again and approve the request.",
    });
  }
  if (reason === "expired_token" || reason === "authorization_pending" || reason === "slow_down") {
    return new PackError("OAUTH_CONNECT_TIMEOUT", "The code expired before it was entered.", {
      details: { limitMs: expiresInSeconds * 1_000 },
      hint: "Connect again and enter the new code.",
    });
  }
  return error;
}
