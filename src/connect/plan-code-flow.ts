import type { AccountKey, StoredAccount } from "../accounts/account.ts";
import { withServer } from "../accounts/renew-account.ts";
import type { Vault } from "../accounts/vault.ts";
import type { OAuth2Authentication } from "../define/oauth.ts";
import { isPackError, PackError } from "../errors.ts";
import type { Pack } from "../execute/open-pack.ts";
import { discoverServer } from "../oauth/connect/discovery.ts";
import { checkProofKeySupport } from "../oauth/connect/proof-key.ts";
import { findRepeatedMembers } from "../oauth/connect/repeated-members.ts";
import { fillDefinition } from "../oauth/fill-definition.ts";
import { applyRoutes, NO_ROUTES, type Routes } from "../oauth/routes.ts";
import type { TransportOptions } from "../oauth/send.ts";
import { namedUrl } from "../oauth/url-policy.ts";
import { canParseUrl } from "../shared/urls.ts";
import { findResource } from "./ask-resource.ts";
import { type KnownServer, resolveServer } from "./authorization-server.ts";
import type { FlowOptions } from "./connect-options.ts";
import { keepMetadata } from "./kept-metadata.ts";
import { chooseRedirect, ownRedirect, type RedirectUse, redirectAddress } from "./redirect-path.ts";

/** What is known of a code flow before its client is. */
export interface CodePlan {
  known: KnownServer;
  /** The definition with what was discovered. */
  definition: OAuth2Authentication;
  redirect: RedirectUse;
  /** What to do if a server names no issuer on a redirect URI that others use. */
  sharedRedirectHint: string | undefined;
  /** The error for a redirect URI that a connection to another server uses. */
  createRedirectError(sharing: RedirectUse["sharing"]): PackError;
  /** The members of the definition that the metadata of its issuer says as well. */
  repeated: readonly string[];
  /** The URI to register with the provider, and a note about its port. */
  redirectUri: string;
}

export interface PlanOptions {
  options: FlowOptions;
  pack: Pack;
  definition: OAuth2Authentication;
  key: AccountKey;
  /** The account before the flow, if it existed. */
  before: StoredAccount | undefined;
  /** Checked answers to the connection variables. */
  variables: Readonly<Record<string, string>>;
  vault: Vault;
  transport: TransportOptions;
}

/**
 * Finds the authorization server and the redirect URI of a flow. One of two defences always holds
 * against a response of another server (RFC 9700 §4.4): a redirect path that only this connection
 * has, or a required `iss`.
 * @throws {PackError} USAGE_INVALID when the chosen path is not valid
 * @throws {PackError} OAUTH_DISCOVERY_FAILED, OAUTH_RESOURCE_INVALID, OAUTH_URL_MISSING,
 *   URL_NOT_ALLOWED, OAUTH_TOKEN_UNAVAILABLE, OAUTH_TOKEN_TIMEOUT
 */
export async function planCodeFlow(plan: PlanOptions): Promise<CodePlan> {
  const { options, pack, definition, key, before, variables, vault, transport } = plan;
  const resource = findResource(definition, pack.definition.mcpServers ?? [], options.endpoint);
  const known = await resolveServer(definition, transport, {
    needsMetadata: options.device !== undefined || definition.useDynamicClientRegistration === true,
    resource,
    previousIssuer: before?.server?.issuer,
  });
  const report = checkProofKeySupport(known.metadata, resource?.isMcp === true);
  if (report !== undefined) options.onProgress?.(`warning: ${report}`);
  const repeated = await compareWithMetadata(definition, known, options);
  const complete = {
    ...withServer(definition, known.urls),
    ...(known.scopes === undefined ? {} : { scopes: [...known.scopes] }),
  };
  const hasUrls = definition.authorizationUrl !== undefined && definition.tokenUrl !== undefined;
  const own = ownRedirect({
    packName: pack.bundle.name,
    packPath: key.pack,
    slot: key.slot,
    issuer: definition.issuer ?? (hasUrls ? undefined : known.issuer),
    definition: fillDefinition(definition, { variables, callbackParams: {} }),
    endpoint: options.endpoint,
  });
  const redirect = await chooseRedirect({ own, choice: options, before, vault });
  const uri = redirectUriWithoutServer(options, redirect.path);
  const advice = adviseOwnUri(uri, own.path, options);
  const createRedirectError = (sharing: RedirectUse["sharing"]) =>
    createSharingError(sharing, uri, known.issuer, advice);
  if (redirect.sharing === "unnamed" || redirect.sharing === "reserved")
    throw createRedirectError(redirect.sharing);
  return {
    known,
    definition: complete,
    redirect,
    sharedRedirectHint: redirect.sharing === "none" ? undefined : advice,
    createRedirectError,
    repeated,
    redirectUri: `${uri}${portNote(options)}`,
  };
}

/** @returns the members of the definition that the metadata of its issuer says as well */
async function compareWithMetadata(
  definition: OAuth2Authentication,
  { metadata }: KnownServer,
  { pageRoutes, home, now = Date.now, onProgress }: FlowOptions,
): Promise<readonly string[]> {
  const { issuer } = definition;
  // The metadata of a rehearsal repeats the Pack, not the other way round.
  if (issuer === undefined || metadata === undefined || pageRoutes !== undefined) return [];
  await keepMetadata(home, { issuer, server: metadata, nowMs: now() });
  const repeated = findRepeatedMembers(definition, metadata);
  if (repeated.length > 0)
    onProgress?.(
      `note: the metadata of ${issuer} also contains ${repeated.join(", ")}; if you remove ${repeated.length === 1 ? "this option" : "these options"}, the Pack always uses the server's current value`,
    );
  return repeated;
}

function adviseOwnUri(uri: string, path: string, { redirectUri }: FlowOptions): string {
  const address = redirectAddress(uri);
  if (!address.startsWith("/") || redirectUri !== undefined)
    return "Register a redirect URI that only this connection uses, and pass the URI with --redirect-uri.";
  // Another connection uses the connection's own path.
  if (address === path)
    return `Register a redirect URI with another path, such as ${new URL(`${path}-2`, uri).href}, and pass the path with --redirect-path.`;
  return `Register ${new URL(path, uri).href} with the provider, then connect with --redirect-path ${path}.`;
}

/**
 * A server that gets a redirect URI may add an `iss` to it. If the server that uses the URI already
 * names no issuer, the one that was added would be believed. Whether the server of a connection
 * that has not ended names one is not known before its response.
 */
function createSharingError(
  sharing: RedirectUse["sharing"],
  uri: string,
  issuer: string | undefined,
  advice: string,
): PackError<"OAUTH_ISSUER_MISMATCH"> {
  const [message, hint] =
    sharing === "reserved"
      ? [
          `Another unfinished connection uses the redirect URI ${uri}. packsmith cannot determine which authorization server sent a response.`,
          `Finish the other connection first, or wait until its time limit has passed. To connect both at once: ${advice}`,
        ]
      : [
          `Another account uses the redirect URI ${uri}, or used the URI before the account was removed. The authorization server of that account sends no issuer in its responses, so packsmith cannot determine which server sent a response.`,
          advice,
        ];
  return new PackError("OAUTH_ISSUER_MISMATCH", message, {
    details: { expected: issuer ?? "its server", received: "none" },
    hint,
  });
}

/**
 * Whether the server with this issuer is the one of a token URL: by its origin, otherwise by its
 * metadata. On a redirect URI that others use, an origin with several issuers is not enough.
 * @returns undefined if it has none
 */
export async function ownsTokenUrl(
  issuer: string,
  tokenUrl: string,
  { known: { metadata }, redirect }: Pick<CodePlan, "known" | "redirect">,
  transport: TransportOptions,
): Promise<boolean | undefined> {
  const { routes = NO_ROUTES } = transport;
  if (namedUrl(issuer, tokenUrl, routes) === undefined) return undefined;
  const isStrict = redirect.sharing !== "none";
  const isOrigin = new URL(issuer).pathname === "/";
  if ((isOrigin || !isStrict) && sameOrigin(issuer, tokenUrl, routes)) return true;
  const server =
    metadata?.issuer === issuer
      ? metadata
      : await discoverServer({
          ...transport,
          definition: { type: "OAuth2", issuer },
          issuer,
        }).catch((error: unknown) => {
          if (isPackError(error)) return undefined;
          throw error;
        });
  if (server?.tokenUrl === undefined) return undefined;
  return [server.tokenUrl, server.certificateTokenUrl].some(
    (own) => own !== undefined && (isStrict ? own === tokenUrl : sameOrigin(own, tokenUrl, routes)),
  );
}

function sameOrigin(one: string, other: string, routes: Routes): boolean {
  const [first, second] = [one, other].map((url) => applyRoutes(url, routes));
  return (
    canParseUrl(first ?? "") &&
    canParseUrl(second ?? "") &&
    new URL(first ?? "").origin === new URL(second ?? "").origin
  );
}

/** The redirect URI while no server listens on it. A registered port must match. */
export function redirectUriWithoutServer(
  { redirectUri, redirectHost = "127.0.0.1", https, ...ports }: FlowOptions,
  path: string,
): string {
  const port = registeredPort(ports);
  return (
    redirectUri ??
    `${https === true ? "https" : "http"}://${redirectHost}${port === 0 ? "" : `:${port}`}${path}`
  );
}

/** @returns 0 for a free port, which each connection chooses */
function registeredPort({ port, ports }: Pick<FlowOptions, "port" | "ports">): number {
  return ports?.[0] ?? port ?? 0;
}

/** A provider may compare everything except the port of a loopback address: RFC 8252 §7.3. */
function portNote(options: FlowOptions): string {
  const isFixed = options.redirectUri !== undefined || registeredPort(options) !== 0;
  return isFixed
    ? ""
    : " (any port; if the provider needs a fixed port, register a port and pass it with --port)";
}
