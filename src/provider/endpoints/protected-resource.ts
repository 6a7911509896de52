import type { Request, Response } from "express";
import { OAuthError } from "../answer.ts";
import { Path } from "../paths.ts";
import type { ResourceQuirks } from "../profile.ts";
import { findCertificate } from "../request/client-certificate.ts";
import { checkDpopKey } from "../request/dpop.ts";
import { getIssuer, getResourceBase, parseRequestUrl } from "../request/guards.ts";
import type { ProviderState } from "../state/provider-state.ts";
import type { IssuedToken } from "../state/token-store.ts";

/** Paths of the protected resources. */
export type ResourcePath = typeof Path.Me | typeof Path.Mcp;

const WELL_KNOWN = "/.well-known/oauth-protected-resource";
/** Where a profile publishes the metadata that only its challenge names. */
const ELSEWHERE = "/metadata/resource.json";
/** The resource of metadata that is not of this server. */
const OTHER_RESOURCE = "https://other-resource.example";

/**
 * RFC 9728 §3: the metadata of this server's resources, and the paths where the profile publishes
 * them.
 */
export function resourceMetadata(state: ProviderState) {
  const variant = state.policy.profile.resource?.metadata ?? "path";
  const resources: readonly ResourcePath[] = [Path.Me, Path.Mcp];
  const document = (path: ResourcePath | "") => (request: Request, response: Response) => {
    const resource =
      variant === "other" ? OTHER_RESOURCE + path : getResourceBase(state, request) + path;
    const scopes =
      state.policy.scopes ??
      (state.policy.meScope === undefined ? undefined : [state.policy.meScope]);
    response.json({
      resource,
      authorization_servers: [getIssuer(state, request)],
      bearer_methods_supported: ["header"],
      ...(scopes === undefined ? {} : { scopes_supported: scopes }),
      resource_name: "packsmith provider",
      ...(state.policy.dpop ? { dpop_signing_alg_values_supported: ["ES256"] } : {}),
    });
  };
  if (variant === "none") return [];
  if (variant === "elsewhere") return [{ path: ELSEWHERE, handler: document(Path.Mcp) }];
  const root = { path: WELL_KNOWN, handler: document("") };
  return variant === "root"
    ? [root]
    : [...resources.map((path) => ({ path: WELL_KNOWN + path, handler: document(path) })), root];
}

/** What the challenge of a refusal says about the metadata (RFC 9728 §5.1). */
function findAnnounced(
  state: ProviderState,
  request: Request,
  path: ResourcePath,
): string | undefined {
  const variant = state.policy.profile.resource?.metadata ?? "path";
  const base = getResourceBase(state, request);
  if (variant === "elsewhere") return base + ELSEWHERE;
  // RFC 9728 §3.1: the path of the resource comes after the well-known one.
  const { origin } = new URL(base);
  return variant === "path" || variant === "other"
    ? `${origin}${WELL_KNOWN}${request.baseUrl}${path}`
    : undefined;
}

/** Why a request is refused (RFC 6750 §3). */
interface Refusal {
  status: number;
  error?: string;
  description?: string;
  login?: ResourceQuirks["login"];
}

/** A request to a protected resource. */
interface ResourceRequest {
  request: Request;
  path: ResourcePath;
  /** The scope that the request needs. */
  scope: string | undefined;
}

/**
 * Checks the access token of a request to a protected resource (RFC 6750). Refuses the request
 * itself if it has none.
 * @param scope the scope that the request needs
 * @returns the token, or undefined after a refusal
 */
export function authorizeRequest(
  state: ProviderState,
  request: Request,
  response: Response,
  path: ResourcePath,
  scope: string | undefined,
): IssuedToken | undefined {
  const asked = { request, path, scope };
  const presented = readPresented(state, request);
  if (presented === "misplaced")
    return refuse(state, response, asked, {
      status: 400,
      error: "invalid_request",
      description: "The token must be in the Authorization header.",
    });
  if (presented === "missing") return refuse(state, response, asked, { status: 401 });
  const value = presented.value ?? "";
  const token = state.tokens.findToken(value);
  if (token?.kind !== "access_token" || !state.tokens.isAlive(token))
    return refuse(
      state,
      response,
      asked,
      invalidToken("The access token is unknown, expired or revoked."),
    );
  const refusal =
    findSenderProblem(state, request, token, value) ?? findUseProblem(state, asked, token);
  return refusal === undefined ? token : refuse(state, response, asked, refusal);
}

function refuse(
  state: ProviderState,
  response: Response,
  { request, path, scope }: ResourceRequest,
  { status, error, description, login }: Refusal,
): undefined {
  const metadata = findAnnounced(state, request, path);
  // Before a token exists, the scope says what to ask for (RFC 6750 §3).
  const wanted = status === 401 ? (scope ?? state.policy.meScope) : scope;
  const parts = [
    'realm="packsmith provider"',
    error && `error="${error}"`,
    description && `error_description="${description}"`,
    wanted && (status === 403 || path === Path.Mcp) && `scope="${wanted}"`,
    metadata && `resource_metadata="${metadata}"`,
    login?.acr && `acr_values="${login.acr}"`,
    login?.maxAgeSeconds !== undefined && `max_age="${login.maxAgeSeconds}"`,
  ];
  response.status(status).set("WWW-Authenticate", `Bearer ${parts.filter(Boolean).join(", ")}`);
  response.json(error === undefined ? {} : { error, error_description: description });
}

function invalidToken(description: string): Refusal {
  return { status: 401, error: "invalid_token", description };
}

/** Whether the sender may have this token. */
function findSenderProblem(
  state: ProviderState,
  request: Request,
  token: IssuedToken,
  value: string,
): Refusal | undefined {
  if (token.grant.forExchange === true)
    return invalidToken("Exchange this access token for another access token first.");
  // RFC 9449 §7.2: a bound token without its proof may be stolen.
  if (
    (token.boundTo !== undefined || isDpopRequest(state, request)) &&
    !isHeldBySender(state, request, token, value)
  )
    return invalidToken(
      "The access token is bound to a key, but the request does not contain a DPoP proof for this key.",
    );
  // RFC 8705 §3: the certificate of this connection must be the one of the token request.
  if (
    token.boundToCertificate !== undefined &&
    findCertificate(request)?.thumbprint !== token.boundToCertificate
  )
    return invalidToken(
      "The access token is bound to a TLS certificate, but the client did not present the certificate.",
    );
  return undefined;
}

/** Whether the token is good for this resource. */
function findUseProblem(
  state: ProviderState,
  { request, path, scope }: ResourceRequest,
  token: IssuedToken,
): Refusal | undefined {
  // RFC 8707 §2: a token for other resources is not for this one.
  const own = getResourceBase(state, request) + path;
  if (
    path === Path.Mcp &&
    token.resources.length > 0 &&
    !token.resources.some((resource) => own === resource || own.startsWith(`${resource}/`))
  )
    return invalidToken("The access token is for another resource.");
  const { login } = state.policy.profile.resource ?? {};
  if (login !== undefined && !isLoggedInSo(token, login, state.clock.now()))
    return {
      status: 401,
      error: "insufficient_user_authentication",
      description: "The API requires the user to log in again.",
      login,
    };
  if (scope !== undefined && !token.scopes.includes(scope))
    return {
      status: 403,
      error: "insufficient_scope",
      description: "The access token does not have a required scope.",
    };
  return undefined;
}

/** Whether a request carries an access token of this provider, valid or not any longer. */
export function carriesAccessToken(state: ProviderState, request: Request): boolean {
  const presented = readPresented(state, request);
  return (
    typeof presented === "object" &&
    state.tokens.findToken(presented.value ?? "")?.kind === "access_token"
  );
}

function readPresented(state: ProviderState, request: Request) {
  return readAccessToken(
    request,
    isDpopRequest(state, request) ? { scheme: "DPoP" } : state.policy.profile.resource,
  );
}

function isDpopRequest({ policy }: ProviderState, { headers }: Request): boolean {
  return policy.dpop && /^dpop /i.test(headers.authorization ?? "");
}

/** RFC 9470 §3: a refreshed token does not make the login of its user stronger or newer. */
function isLoggedInSo(
  { grant }: IssuedToken,
  { acr, maxAgeSeconds }: NonNullable<ResourceQuirks["login"]>,
  nowMs: number,
): boolean {
  const { login } = grant;
  const isStrong = acr === undefined || login?.acr === acr;
  const isRecent =
    maxAgeSeconds === undefined ||
    (login !== undefined && nowMs - login.atMs <= maxAgeSeconds * 1_000);
  return isStrong && isRecent;
}

function isHeldBySender(
  state: ProviderState,
  request: Request,
  { boundTo }: IssuedToken,
  accessToken: string,
): boolean {
  try {
    return (
      boundTo !== undefined &&
      checkDpopKey(state, request, accessToken) === boundTo &&
      /^dpop /i.test(request.headers.authorization ?? "")
    );
  } catch (error) {
    if (error instanceof OAuthError) return false;
    throw error;
  }
}

/**
 * Reads the token as in RFC 6750 §2.1, or as a profile expects it. The value is undefined for a
 * malformed header.
 */
function readAccessToken(
  request: Request,
  { scheme = "Bearer", header = "authorization", query }: ResourceQuirks = {},
): "missing" | "misplaced" | { value: string | undefined } {
  if (query !== undefined) {
    const value = parseRequestUrl(request).searchParams.get(query);
    return value === null ? "missing" : { value };
  }
  if (/[?&]access_token=/.test(request.url)) return "misplaced";
  const text = request.headers[header];
  if (typeof text !== "string") return "missing";
  const [, word, value] = /^(?:([^ ]+) +)?([A-Za-z0-9\-._~+/]+=*)$/.exec(text) ?? [];
  return { value: (word ?? "").toLowerCase() === scheme.toLowerCase() ? value : undefined };
}
