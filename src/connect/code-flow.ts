import type { DiscoveredUrls, RegisteredRedirect, StoredAccount } from "../accounts/account.ts";
import { declaredHosts } from "../accounts/account-hosts.ts";
import type { AccountSummary } from "../accounts/account-summary.ts";
import type { OAuth2Authentication } from "../define/oauth.ts";
import { PackError } from "../errors.ts";
import type { Pack } from "../execute/open-pack.ts";
import { clientSecretsOf } from "../oauth/client-key.ts";
import {
  type AuthorizationAttempt,
  createAuthorizationAttempt,
} from "../oauth/connect/authorization-attempt.ts";
import { requestDeviceToken } from "../oauth/connect/device-authorization.ts";
import { registerClient } from "../oauth/connect/registration.ts";
import { joinScopes, requestedScopes } from "../oauth/definition.ts";
import { requiredUrl, resolveUrl } from "../oauth/endpoint.ts";
import { fillDefinition } from "../oauth/fill-definition.ts";
import { parseRoutes } from "../oauth/routes.ts";
import type { TransportOptions } from "../oauth/send.ts";
import { cleanProviderText } from "../oauth/token-failure.ts";
import type { ClientCredentials, TokenSet } from "../oauth/token-set.ts";
import { canParseUrl } from "../shared/urls.ts";
import { issuerOf, type KnownServer } from "./authorization-server.ts";
import { type CallbackServer, startCallbackServer } from "./callback/callback-server.ts";
import { chooseClient, isForgottenClient } from "./choose-client.ts";
import type { ConnectAccountOptions, FlowOptions } from "./connect-options.ts";
import type { ConnectionDiagnosis } from "./diagnose-connection.ts";
import { type FlowRecorder, REPEATED_FACT } from "./flow-record.ts";
import { type Visit, walkHeadless } from "./headless-browser.ts";
import { openLocalServer } from "./open-browser.ts";
import { completeWithPasted } from "./paste-address.ts";
import { type CodePlan, ownsTokenUrl, redirectUriWithoutServer } from "./plan-code-flow.ts";
import { redirectAddress } from "./redirect-path.ts";
import type { StoredSecrets } from "./stored-secrets.ts";

/** The result of a flow. */
export interface Obtained {
  client: ClientCredentials;
  tokenSet: TokenSet;
  callbackParams: Readonly<Record<string, string>>;
  requestedScopes: readonly string[];
  server: DiscoveredUrls | undefined;
  registeredRedirect: RegisteredRedirect | undefined;
}

export interface CodeFlow {
  options: FlowOptions;
  pack: Pack;
  definition: OAuth2Authentication;
  plan: CodePlan;
  /** The account before the flow, if it existed. */
  before: StoredAccount | undefined;
  /** Checked answers to the connection variables. */
  variables: Readonly<Record<string, string>>;
  storedSecrets: StoredSecrets;
  transport: TransportOptions;
  recorder: FlowRecorder;
  diagnose: ConnectionDiagnosis;
  /** Stores the result. If it fails, the flow fails. */
  keep(obtained: Obtained): Promise<AccountSummary>;
}

interface Connected {
  account: AccountSummary;
  redirectUri: string | undefined;
}

const REGISTERS_AGAIN =
  "the server no longer knows the client that it had registered, so packsmith registers another one";
const CONNECT_TIMEOUT_MS = 300_000;

/**
 * Runs the authorization code flow (RFC 6749 §4.1): with a local server, by pasting, or on another
 * device.
 */
export async function connectByCode(flow: CodeFlow): Promise<Connected> {
  const { options, before } = flow;
  const { known, definition } = flow.plan;
  const { device, client } = options;
  const { registration } = before?.client ?? {};
  if (
    known.issuer !== undefined &&
    known.issuer === (registration?.issuer ?? before?.server?.issuer)
  ) {
    flow.storedSecrets.trust([
      known.metadata?.tokenUrl,
      known.metadata?.pushedRequestUrl,
      known.metadata?.deviceAuthorizationUrl,
    ]);
  }
  if (device !== undefined) return await connectOnDevice({ ...flow, definition }, device, known);
  const paste = options.paste ?? offeredPaste(options);
  const connect = (session: CodeSession) =>
    paste === undefined ? connectWithServer(flow, session) : connectByPasting(flow, paste, session);
  const session = createSession({ ...flow, definition });
  try {
    return await connect(session);
  } catch (error) {
    if (client !== undefined || session.isNewClient() || !isForgottenClient(error, before?.client))
      throw error;
    options.onProgress?.(REGISTERS_AGAIN);
    return await connect(createSession({ ...flow, definition, before: undefined }));
  }
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
      `${reason}: if your browser is on another machine, use --manual, or --device if the server supports it`,
    );
  else
    onProgress?.(
      `${reason}, so packsmith works as with --manual; --browser system opens a browser here anyway`,
    );
  return paste;
}

interface CodeSession {
  begin(redirectUri: string): Promise<AuthorizationAttempt>;
  keep(tokenSet: TokenSet, attempt: AuthorizationAttempt): Promise<AccountSummary>;
  /** Whether the client registered itself in this session. */
  isNewClient(): boolean;
  /** All hosts that the flow sends requests to. */
  hosts: string[];
  redirectPath: string;
}

function createSession({
  options,
  pack,
  definition,
  before,
  variables,
  storedSecrets,
  transport,
  recorder,
  keep,
  plan,
}: CodeFlow): CodeSession {
  const { known, redirect } = plan;
  const granted =
    before?.scopes ?? (definition.scopes === undefined ? [] : before?.requestedScopes) ?? [];
  const extraScopes = [...granted, ...(options.extraScopes ?? [])];
  const now = options.now ?? Date.now;
  const { useDynamicClientRegistration: registers = false, clientMetadataUrl } = definition;
  let client: ClientCredentials | undefined;
  let isNew = false;
  if (
    !registers &&
    clientMetadataUrl === undefined &&
    options.client === undefined &&
    before === undefined
  ) {
    options.onProgress?.(`redirect URI to register with the provider: ${plan.redirectUri}`);
    throw clientMissing(options.file);
  }

  const register = async (redirectUri: string): Promise<ClientCredentials> => {
    if (!registers) throw clientMissing(options.file);
    isNew = true;
    return await registerClient({
      ...transport,
      definition,
      issuer: known.issuer ?? issuerOf(definition),
      registrationUrl: known.metadata?.registrationUrl,
      methods: known.metadata?.clientAuthenticationMethods,
      redirectUri,
      clientName: pack.bundle.name,
      scope: joinScopes(definition, extraScopes),
    });
  };
  const begin = async (
    chosen: ClientCredentials,
    redirectUri: string,
  ): Promise<AuthorizationAttempt> => {
    for (const secret of clientSecretsOf(chosen.clientSecret)) options.redactor.add(secret);
    // Before the browser opens, as far as the URLs are known.
    const answers = { variables, callbackParams: {} };
    const { tokenOrigins } = declaredHosts(definition, undefined, { answers, server: known.urls });
    for (const origin of tokenOrigins) await storedSecrets.check(origin, chosen);
    return await createAuthorizationAttempt({
      ...transport,
      definition,
      client: chosen,
      redirectUri,
      variables,
      extraScopes,
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
  };
  return {
    isNewClient: () => isNew,
    hosts: hostsOf(fillDefinition(definition, { variables, callbackParams: {} }), options.endpoint),
    redirectPath: redirect.path,
    async begin(redirectUri) {
      client ??=
        chooseClient({
          definition,
          given: options.client,
          before,
          known,
          redirectUri,
          nowMs: now(),
        }) ?? (await register(redirectUri));
      const attempt = await begin(client, redirectUri).catch(async (error: unknown) => {
        // A server that gets the request first (RFC 9126) refuses an unknown client before the
        // browser opens.
        if (isNew || !isForgottenClient(error, client)) throw error;
        options.onProgress?.(REGISTERS_AGAIN);
        client = await register(redirectUri);
        return await begin(client, redirectUri);
      });
      recorder.note("authorize", {
        ...describeAuthorization(attempt),
        ...(plan.repeated.length === 0 ? {} : { [REPEATED_FACT]: plan.repeated.join(", ") }),
      });
      return observed(attempt, recorder);
    },
    keep: (tokenSet, { callbackParams, namedIssuer, requestedScopes, redirectUri }) =>
      keep({
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

/** The same attempt. The names of the callback's parameters are recorded. */
function observed(attempt: AuthorizationAttempt, recorder: FlowRecorder): AuthorizationAttempt {
  return {
    ...attempt,
    get callbackParams() {
      return attempt.callbackParams;
    },
    get namedIssuer() {
      return attempt.namedIssuer;
    },
    complete: (query) => {
      const error = query.get("error");
      recorder.note("callback", {
        "< parameters": [...new Set(query.keys())].join(", "),
        ...(error === null ? {} : { "< error": cleanProviderText(error) ?? "error" }),
      });
      return attempt.complete(query);
    },
  };
}

async function connectWithServer(
  { options, pack, diagnose }: CodeFlow,
  session: CodeSession,
): Promise<Connected> {
  const { timeoutMs = CONNECT_TIMEOUT_MS, browser = "system", onProgress = () => {} } = options;
  if (options.https === true && browser === "headless") throw headlessWithoutTls();
  using deadline = connectDeadline(timeoutMs);
  let begun: AuthorizationAttempt | undefined;
  await using server = await startCallbackServer<AccountSummary>({
    packName: pack.bundle.name,
    port: options.port,
    ports: options.ports,
    redirectUri: options.redirectUri,
    redirectPath: session.redirectPath,
    https: options.https,
    redirectHost: options.redirectHost,
    signal:
      options.signal === undefined
        ? deadline.signal
        : AbortSignal.any([deadline.signal, options.signal]),
    begin: async (redirectUri) => {
      begun = await session.begin(redirectUri);
      return begun;
    },
    complete: session.keep,
    describe: describeAccount,
    diagnose,
    elsewhere: options.elsewhere,
  });
  onProgress(`redirect URI to register with the provider: ${server.redirectUri}`);
  if (server.fingerprint !== undefined) {
    onProgress(
      `your browser will warn about a certificate that was made for this run; its SHA-256 fingerprint is ${server.fingerprint}`,
    );
  }
  onProgress(`contacted hosts: ${session.hosts.join(", ")}`);
  const walk = openStart(server, {
    browser,
    home: options.home,
    onProgress,
    authorizationUrl: () => begun?.authorizationUrl,
  });
  // A browser that cannot be opened, or a walk that ends elsewhere, ends the wait. A browser that
  // was opened reports nothing more.
  const failed = walk.then(() => new Promise<never>(() => {}));
  const outcome = await Promise.race([server.outcome, failed]);
  await server.closed;
  if (!outcome.ok) throw outcome.error;
  // The account is stored, so a later failure of the browser does not matter.
  await walk.catch(() => undefined);
  return { account: outcome.account, redirectUri: server.redirectUri };
}

/** Without a redirect: the user enters a code on any device (RFC 8628). */
async function connectOnDevice(
  { options, pack, definition, before, variables, transport, keep }: CodeFlow,
  device: NonNullable<ConnectAccountOptions["device"]>,
  known: KnownServer,
): Promise<Connected> {
  const client = options.client ?? before?.client;
  if (client === undefined) throw clientMissing(options.file);
  for (const secret of clientSecretsOf(client.clientSecret)) options.redactor.add(secret);
  const { deviceAuthorizationUrl } = known.metadata ?? {};
  if (deviceAuthorizationUrl === undefined) {
    throw new PackError(
      "OAUTH_URL_MISSING",
      "The server does not support connecting on another device: its metadata has no endpoint for it.",
      {
        details: { member: "device_authorization_endpoint" },
        hint: "Connect without --device. Over SSH, --manual needs no browser on this machine.",
      },
    );
  }
  const filled = fillDefinition(definition, { variables, callbackParams: {} });
  const extraScopes = [...(before?.scopes ?? []), ...(options.extraScopes ?? [])];
  const { timeoutMs = CONNECT_TIMEOUT_MS } = options;
  using deadline = connectDeadline(timeoutMs);
  const tokenSet = await requestDeviceToken({
    ...transport,
    definition: filled,
    client,
    tokenUrl: resolveUrl(requiredUrl(filled, "tokenUrl"), options.endpoint),
    deviceAuthorizationUrl,
    issuer: known.issuer,
    supportedAuthenticationMethods: known.metadata?.clientAuthenticationMethods,
    networkDomains: pack.definition.networkDomains,
    dpop: definition.dpop ?? known.metadata?.dpopAdvertised,
    extraScopes,
    signal:
      options.signal === undefined
        ? deadline.signal
        : AbortSignal.any([deadline.signal, options.signal]),
    instruct: device,
  });
  const requested = requestedScopes(filled, extraScopes);
  return {
    account: await keep({
      client,
      tokenSet,
      callbackParams: {},
      requestedScopes: requested,
      server: known.urls,
      // The provider still knows it.
      registeredRedirect: before?.registeredRedirect,
    }),
    redirectUri: undefined,
  };
}

/**
 * Without a local server: the browser may be on another machine, and the user pastes its address.
 */
async function connectByPasting(
  { options }: CodeFlow,
  paste: NonNullable<ConnectAccountOptions["paste"]>,
  session: CodeSession,
): Promise<Connected> {
  const redirectUri = redirectUriWithoutServer(options, session.redirectPath);
  options.onProgress?.(`redirect URI to register with the provider: ${redirectUri}`);
  options.onProgress?.(`contacted hosts: ${session.hosts.join(", ")}`);
  const attempt = await session.begin(redirectUri);
  const tokenSet = await completeWithPasted(attempt, paste);
  return { account: await session.keep(tokenSet, attempt), redirectUri };
}

function headlessWithoutTls(): PackError<"USAGE_INVALID"> {
  return new PackError(
    "USAGE_INVALID",
    "--headless and --https cannot be combined: the headless browser does not trust the certificate.",
    {
      details: undefined,
      hint: "Remove one of them.",
    },
  );
}

/**
 * The error for a flow without a client.
 * @param file the Pack
 */
export function clientMissing(file: string): PackError<"OAUTH_CLIENT_MISSING"> {
  return new PackError(
    "OAUTH_CLIENT_MISSING",
    "The client ID and secret that the provider issued are missing.",
    {
      details: undefined,
      hint: `Pass --client-id and set PACKSMITH_CLIENT_SECRET, or run the command in a terminal and enter them. To try the Pack without a client of the provider, run packsmith provider --for ${file}, then auth connect ${file} --local.`,
    },
  );
}

function describeAccount(account: AccountSummary): readonly (readonly [string, string])[] {
  return [
    ["Account", account.connectionName ?? account.name],
    ["Scopes", account.scopes?.join(" ") ?? "not named by the provider"],
    ...(account.endpoint === undefined ? [] : [["Endpoint", account.endpoint] as const]),
  ];
}

interface OpenStartOptions {
  browser: NonNullable<ConnectAccountOptions["browser"]>;
  /** The folder of the vault. */
  home: string;
  onProgress(line: string): void;
  authorizationUrl(): string | undefined;
}

async function openStart(
  server: CallbackServer<AccountSummary>,
  { browser, home, onProgress, authorizationUrl }: OpenStartOptions,
): Promise<void> {
  const { startUrl, redirectUri } = server;
  if (typeof browser === "function") return void (await browser(startUrl, { redirectUri }));
  if (browser === "headless") {
    onProgress(
      `walking through the pages of ${new URL(authorizationUrl() ?? startUrl, startUrl).origin}`,
    );
    const { last, text } = await walkHeadless(startUrl);
    // Every end of the flow has its page there.
    if (last.url !== new URL("/done", startUrl).href) throw endedElsewhere(last, text);
    return;
  }
  onProgress(`open this link to continue: ${startUrl}`);
  if (browser !== "system") return;
  const file = await openLocalServer(home, server, onProgress);
  void server.closed.then(() => file?.[Symbol.dispose]());
}

/** The headless browser ended on a page of the provider: a wrong client ID, a refused login. */
function endedElsewhere(
  { url, status }: Visit,
  text: string | undefined,
): PackError<"OAUTH_HEADLESS_ENDED"> {
  const { host, pathname } = new URL(url);
  return new PackError(
    "OAUTH_HEADLESS_ENDED",
    `The provider did not send the browser back: ${host}${pathname} answered with status ${status}${text === undefined ? "" : `: ${text.replace(/\.$/, "")}`}.`,
    {
      details: { status, text },
      hint: "Check the client ID, the redirect URI that is registered for it, and that the provider knows the requested scopes.",
    },
  );
}

function hostsOf(definition: OAuth2Authentication, endpoint: string | undefined): string[] {
  const urls = [
    requiredUrl(definition, "authorizationUrl"),
    requiredUrl(definition, "tokenUrl"),
  ].map((url) => (url.startsWith("/") ? (endpoint ?? "") : url));
  return [...new Set(urls.filter((url) => canParseUrl(url)).map((url) => new URL(url).host))];
}

function connectDeadline(timeoutMs: number): Disposable & { signal: AbortSignal } {
  const controller = new AbortController();
  const timer = setTimeout(() => {
    controller.abort(
      new PackError(
        "OAUTH_CONNECT_TIMEOUT",
        `The connection was not finished within ${Math.round(timeoutMs / 1_000)} seconds.`,
        {
          details: { limitMs: timeoutMs },
          hint: "Run auth connect again and finish in the browser, or allow more time with --timeout.",
        },
      ),
    );
  }, timeoutMs);
  return { signal: controller.signal, [Symbol.dispose]: () => clearTimeout(timer) };
}
