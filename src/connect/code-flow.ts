import { randomUUID } from "node:crypto";
import { extraScopesFor } from "../accounts/account.ts";
import { declaredHosts } from "../accounts/account-hosts.ts";
import type { OAuth2Authentication } from "../define/oauth.ts";
import { listClientSecrets } from "../oauth/client-key.ts";
import {
  type AuthorizationAttempt,
  createAuthorizationAttempt,
} from "../oauth/connect/authorization-attempt.ts";
import { registerClient } from "../oauth/connect/registration.ts";
import { joinScopes } from "../oauth/definition.ts";
import { requiredUrl } from "../oauth/endpoint.ts";
import { fillDefinition } from "../oauth/fill-definition.ts";
import { parseRoutes } from "../oauth/routes.ts";
import { cleanProviderText } from "../oauth/token-failure.ts";
import type { ClientCredentials } from "../oauth/token-set.ts";
import { canParseUrl } from "../shared/urls.ts";
import { requireIssuer } from "./authorization-server.ts";
import { chooseClient, clientMissing, isForgottenClient } from "./choose-client.ts";
import type { CodeFlow, CodeSession, Connected } from "./code-session.ts";
import { CONNECT_TIMEOUT_MS } from "./connect-deadline.ts";
import { connectInBrowser } from "./connect-in-browser.ts";
import { connectOnDevice } from "./connect-on-device.ts";
import type { ConnectAccountOptions, FlowOptions } from "./connect-options.ts";
import { type FlowRecorder, REPEATED_FACT } from "./flow-record.ts";
import { connectByPasting } from "./paste-address.ts";
import { ownsTokenUrl } from "./plan-code-flow.ts";
import { findSharing, redirectAddress } from "./redirect-path.ts";

const REGISTERS_AGAIN =
  "the server no longer knows the registered client, so packsmith registers a new client";

/**
 * Runs the authorization code flow (RFC 6749 §4.1): with a local server, by pasting, or on another
 * device.
 */
export async function connectByCode(flow: CodeFlow): Promise<Connected> {
  const { options, before } = flow;
  const { known, definition } = flow.plan;
  const { device, client } = options;
  trustKnownServer(flow);
  if (device !== undefined) return await connectOnDevice({ ...flow, definition }, device, known);
  const paste = options.paste ?? offeredPaste(options);
  const connect = (session: CodeSession) =>
    paste === undefined ? connectInBrowser(flow, session) : connectByPasting(flow, paste, session);
  await using redirect = holdRedirect(flow);
  await redirect.reserve();
  const session = createSession({ ...flow, definition }, redirect);
  try {
    return await connect(session);
  } catch (error) {
    if (client !== undefined || session.isNewClient() || !isForgottenClient(error, before?.client))
      throw error;
    options.onProgress?.(REGISTERS_AGAIN);
    return await connect(createSession({ ...flow, definition, before: undefined }, redirect));
  }
}

/** The endpoints of a server that the account already uses may get its stored secrets. */
function trustKnownServer({ plan: { known }, before, storedSecrets }: CodeFlow): void {
  const issuer = before?.client.registration?.issuer ?? before?.server?.issuer;
  if (known.issuer === undefined || known.issuer !== issuer) return;
  storedSecrets.trust([
    known.metadata?.tokenUrl,
    known.metadata?.pushedRequestUrl,
    known.metadata?.deviceAuthorizationUrl,
  ]);
}

/**
 * Pasting, if the user's browser probably cannot reach this machine. If no user can be asked,
 * prints what to do.
 */
function offeredPaste({ obstacle, onProgress }: FlowOptions): ConnectAccountOptions["paste"] {
  if (obstacle === undefined) return undefined;
  const { reason, paste } = obstacle;
  if (paste === undefined)
    onProgress?.(
      `${reason}. If your browser is on another machine, use --manual. If the server supports it, use --device.`,
    );
  else
    onProgress?.(
      `${reason}, so packsmith continues as with --manual. To open a browser on this machine, pass --browser system.`,
    );
  return paste;
}

function createSession(flow: CodeFlow, held: HeldRedirect): CodeSession {
  const { options, definition, variables, recorder, plan } = flow;
  const { known, redirect } = plan;
  requireClientSource(flow);
  let client: ClientCredentials | undefined;
  let isNew = false;
  const register = async (redirectUri: string): Promise<ClientCredentials> => {
    isNew = true;
    return await registerForFlow(flow, redirectUri);
  };
  return {
    isNewClient: () => isNew,
    hosts: listHosts(
      fillDefinition(definition, { variables, callbackParams: {} }),
      options.endpoint,
    ),
    redirectPath: redirect.path,
    async begin(redirectUri) {
      client ??= chosenClient(flow, redirectUri) ?? (await register(redirectUri));
      const attempt = await beginAttempt(flow, client, redirectUri).catch(
        async (error: unknown) => {
          // A server that gets the request first (RFC 9126) refuses an unknown client before the
          // browser opens.
          if (isNew || !isForgottenClient(error, client)) throw error;
          options.onProgress?.(REGISTERS_AGAIN);
          client = await register(redirectUri);
          return await beginAttempt(flow, client, redirectUri);
        },
      );
      recorder.note("authorize", {
        ...describeAuthorization(attempt),
        ...(plan.repeated.length === 0 ? {} : { [REPEATED_FACT]: plan.repeated.join(", ") }),
      });
      return watchAttempt(attempt, recorder, held);
    },
    keep: (tokenSet, { callbackParams, namedIssuer, requestedScopes, redirectUri }) =>
      flow.keep({
        client: client ?? { clientId: "", clientSecret: undefined },
        tokenSet,
        callbackParams,
        requestedScopes,
        server: known.urls,
        registeredRedirect: {
          address: redirectAddress(redirectUri),
          binding: redirect.binding,
          namesIssuer: namedIssuer,
        },
      }),
  };
}

/** @throws {PackError} OAUTH_CLIENT_MISSING when there is no client, and none can be registered */
function requireClientSource({ options, definition, before, plan }: CodeFlow): void {
  const { useDynamicClientRegistration: registers = false, clientMetadataUrl } = definition;
  const isKnown = options.client !== undefined || before !== undefined;
  if (registers || clientMetadataUrl !== undefined || isKnown) return;
  options.onProgress?.(`redirect URI to register with the provider: ${plan.redirectUri}`);
  throw clientMissing(options.file);
}

function chosenClient(
  { options, definition, before, plan: { known } }: CodeFlow,
  redirectUri: string,
): ClientCredentials | undefined {
  const nowMs = (options.now ?? Date.now)();
  return chooseClient({ definition, given: options.client, before, known, redirectUri, nowMs });
}

/** Registers a client with the server of a flow (RFC 7591). */
async function registerForFlow(flow: CodeFlow, redirectUri: string): Promise<ClientCredentials> {
  const { options, pack, definition, transport, plan } = flow;
  const { known } = plan;
  if (definition.useDynamicClientRegistration !== true) throw clientMissing(options.file);
  return await registerClient({
    ...transport,
    definition,
    issuer: known.issuer ?? requireIssuer(definition),
    registrationUrl: known.metadata?.registrationUrl,
    methods: known.metadata?.clientAuthenticationMethods,
    redirectUri,
    clientName: pack.bundle.name,
    scope: joinScopes(definition, extraScopesFor(flow.before, flow.options.extraScopes)),
  });
}

/** Prepares the authorization request of a client. */
async function beginAttempt(
  flow: CodeFlow,
  client: ClientCredentials,
  redirectUri: string,
): Promise<AuthorizationAttempt> {
  const { options, pack, definition, variables, storedSecrets, transport, plan } = flow;
  const { known } = plan;
  for (const secret of listClientSecrets(client.clientSecret)) options.redactor.add(secret);
  // Before the browser opens, as far as the URLs are known.
  const answers = { variables, callbackParams: {} };
  const { tokenOrigins } = declaredHosts(definition, undefined, { answers, server: known.urls });
  for (const origin of tokenOrigins) await storedSecrets.check(origin, client);
  return await createAuthorizationAttempt({
    ...transport,
    definition,
    client,
    redirectUri,
    variables,
    extraScopes: extraScopesFor(flow.before, flow.options.extraScopes),
    login: options.login,
    pageRoutes: parseRoutes(options.pageRoutes ?? []),
    issuer: known.issuer,
    issuerPromised: known.issuerPromised,
    sharedRedirectHint: plan.sharedRedirectHint,
    ownsTokenUrl: (issuer, tokenUrl) => ownsTokenUrl(issuer, tokenUrl, plan, transport),
    pushedRequestUrl: known.metadata?.pushedRequestUrl,
    supportedAuthenticationMethods: known.metadata?.clientAuthenticationMethods,
    codeChallengeMethods: known.metadata?.codeChallengeMethods,
    dpop: definition.dpop ?? known.metadata?.dpopAdvertised,
    endpoint: options.endpoint,
    networkDomains: pack.definition.networkDomains,
  });
}

const HIDDEN_PARAMS = new Set(["state", "code_challenge", "request_uri"]);

/** The parameters of the authorization request, without those that mean nothing to a reader. */
function describeAuthorization({ authorizationUrl }: AuthorizationAttempt): Record<string, string> {
  const url = new URL(authorizationUrl);
  const shown = [...url.searchParams].filter(([name]) => !HIDDEN_PARAMS.has(name));
  return {
    url: url.origin + url.pathname,
    ...Object.fromEntries(shown.map(([name, value]) => [`> ${name}`, value])),
  };
}

/**
 * The same attempt. The names of the callback's parameters are recorded, and no code is exchanged
 * if another connection uses the redirect URI now.
 */
function watchAttempt(
  attempt: AuthorizationAttempt,
  recorder: FlowRecorder,
  redirect: HeldRedirect,
): AuthorizationAttempt {
  return {
    ...attempt,
    get callbackParams() {
      return attempt.callbackParams;
    },
    get namedIssuer() {
      return attempt.namedIssuer;
    },
    async complete(query) {
      const error = query.get("error");
      recorder.note("callback", {
        "< parameters": [...new Set(query.keys())].join(", "),
        ...(error === null ? {} : { "< error": cleanProviderText(error) ?? "error" }),
      });
      await redirect.reserve();
      return await attempt.complete(query);
    },
  };
}

function listHosts(definition: OAuth2Authentication, endpoint: string | undefined): string[] {
  const urls = [
    requiredUrl(definition, "authorizationUrl"),
    requiredUrl(definition, "tokenUrl"),
  ].map((url) => (url.startsWith("/") ? (endpoint ?? "") : url));
  return [...new Set(urls.filter((url) => canParseUrl(url)).map((url) => new URL(url).host))];
}

/** The redirect URI of a connection that has not ended. */
interface HeldRedirect extends AsyncDisposable {
  /**
   * Call before the browser opens, and before a code is exchanged: until then more time may have
   * passed than the reservation lasts.
   * @throws {PackError} OAUTH_ISSUER_MISMATCH when a connection to another server uses it
   */
  reserve(): Promise<void>;
}

/**
 * Lets other connections see the redirect URI of this one while it runs. Otherwise two that begin
 * before either is in the vault would both believe to be alone (RFC 9700 §4.4.2).
 */
function holdRedirect({ plan, options, vault }: CodeFlow): HeldRedirect {
  const { address, binding, sharing } = plan.redirect;
  const flowId = randomUUID();
  const { timeoutMs: lifetimeMs = CONNECT_TIMEOUT_MS } = options;
  return {
    async reserve() {
      const isReserved = await vault.reserveRedirect({ flowId, address, binding, lifetimeMs });
      const current = isReserved ? await findSharing(address, binding, vault) : "reserved";
      if (current !== sharing) throw plan.createRedirectError(current);
    },
    async [Symbol.asyncDispose]() {
      // A reservation that cannot be released expires. An error here would lose the result.
      await vault.releaseRedirect(flowId).catch(() => undefined);
    },
  };
}
