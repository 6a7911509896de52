import {
  type AccountKey,
  createStoredAccount,
  extraScopesFor,
  isoTime,
  type StoredAccount,
  summarizeAccount,
} from "../accounts/account.ts";
import { declaredHosts } from "../accounts/account-hosts.ts";
import { openAccountSession } from "../accounts/account-session.ts";
import type { AccountSummary } from "../accounts/account-summary.ts";
import { createUnsupportedError } from "../accounts/open-account.ts";
import {
  accountKey,
  accountMissing,
  authenticationPath,
  findSlotAuthentication,
  requireOAuth,
} from "../accounts/pack-account.ts";
import { openVault, type Vault } from "../accounts/vault.ts";
import { isSecretAuthentication } from "../define/authentication.ts";
import { parseEndpoint } from "../define/hosts.ts";
import type {
  OAuth2Authentication,
  OAuth2ClientCredentialsAuthentication,
} from "../define/oauth.ts";
import { isPackError, type PackError, usageError } from "../errors.ts";
import { openValidPack, type Pack } from "../execute/open-pack.ts";
import type { RunOptions } from "../execute/run.ts";
import { listClientSecrets } from "../oauth/client-key.ts";
import { requestedScopes } from "../oauth/definition.ts";
import type { ExchangeRecord } from "../oauth/exchange-record.ts";
import { parseRoutes, type Routes } from "../oauth/routes.ts";
import { requestClientCredentialsToken } from "../oauth/run/client-credentials.ts";
import type { TransportOptions } from "../oauth/send.ts";
import type { ClientAuthenticationMethod, TokenSet } from "../oauth/token-set.ts";
import { uptimeMs } from "../shared/time.ts";
import { collectAnswers, setUpAccount } from "./account-setup.ts";
import { clientMissing } from "./choose-client.ts";
import { connectByCode } from "./code-flow.ts";
import type { Obtained } from "./code-session.ts";
import type { ConnectAccountOptions, ConnectedAccount, FlowOptions } from "./connect-options.ts";
import { connectSecrets } from "./connect-secrets.ts";
import { type ConnectionDiagnosis, createConnectionDiagnosis } from "./diagnose-connection.ts";
import { createFlowRecorder, type FlowRecorder } from "./flow-record.ts";
import { redirectChoice } from "./kept-redirect.ts";
import { planCodeFlow } from "./plan-code-flow.ts";
import { guardStoredSecrets, type StoredSecrets } from "./stored-secrets.ts";

const UNSUPPORTED = new Set(["GoogleDomainWideDelegation", "GoogleServiceAccount", "Various"]);

/**
 * Connects an account of a Pack and stores its tokens, or the entered credentials, in the vault. If
 * the flow fails, nothing is
 * stored, and an account that existed before stays as it was.
 * @throws {PackError} CREDENTIAL_MISSING, CREDENTIAL_INVALID, AUTHENTICATION_UNSUPPORTED,
 *   OAUTH_NOT_CONFIGURED
 * @throws {PackError} OAUTH_CLIENT_MISSING, OAUTH_DENIED, OAUTH_STATE_MISMATCH,
 *   OAUTH_TOKEN_REJECTED, OAUTH_CONNECT_TIMEOUT and
 * the other OAUTH_ codes, PORT_IN_USE, ENDPOINT_OUTSIDE_DOMAIN, VAULT_ codes
 */
export async function connectAccount({
  client,
  ...given
}: ConnectAccountOptions): Promise<ConnectedAccount> {
  await using pack = await openValidPack(given.file, { cwd: given.cwd });
  const slot = given.slot ?? "user";
  const authentication = findSlotAuthentication(pack.definition, slot);
  if (authentication !== undefined && UNSUPPORTED.has(authentication.type))
    throw createUnsupportedError(authentication.type);
  if (isSecretAuthentication(authentication))
    return await connectSecrets(given, pack, authentication);
  const definition = requireOAuth(pack.definition, slot);
  if (given.login !== undefined && (definition.type !== "OAuth2" || given.device !== undefined))
    throw loginNotRequested();
  const wanted = {
    privateKey: definition.clientAuthentication === "private_key_jwt",
    certificate: definition.clientAuthentication === "tls_client_auth",
  };
  let options: FlowOptions = {
    ...given,
    client: typeof client === "function" ? undefined : client,
  };
  const key = await accountKey({ ...options, slot, account: options.account ?? "default" });
  const { home, databaseUrl, keyStore } = options;
  await using vault = await openVault({ directory: home, databaseUrl, keyStore, now: options.now });
  if (definition.instructionsUrl !== undefined)
    options.onProgress?.(`how to set the account up: ${definition.instructionsUrl}`);
  const routes = parseRoutes(options.routes ?? []);
  const now = options.now ?? Date.now;
  const recorder = createFlowRecorder(
    { pack: pack.bundle.name, account: key.name, home, now },
    options.redactor,
    options.observer,
  );
  const diagnose = createConnectionDiagnosis(pack, {
    path: authenticationPath(pack.definition, slot) ?? [],
    definition,
    events: recorder.events,
  });
  const started = uptimeMs();
  try {
    const before = await vault.get(key);
    if (redirectChoice(options) === undefined) options = { ...options, ...before?.redirect };
    if (definition.requiresEndpointUrl === true)
      options = { ...options, endpoint: options.endpoint ?? before?.endpoint };
    const variables = await collectAnswers(definition, {
      given: options.variables ?? {},
      previous: before?.answers?.variables,
      ask: options.ask,
      redactor: options.redactor,
    });
    const plan =
      definition.type === "OAuth2"
        ? await planCodeFlow({
            options,
            pack,
            definition,
            key,
            before,
            variables,
            vault,
            transport: requestOptions({ options, routes, recorder }),
          })
        : undefined;
    if (typeof client === "function") {
      const redirectUri = options.device === undefined ? plan?.redirectUri : undefined;
      options = { ...options, client: await client({ ...wanted, redirectUri }) };
    }
    const confirm = options.confirmSecretHost;
    const storedSecrets = guardStoredSecrets({
      key,
      definition,
      before,
      given: options.client,
      variables,
      confirm,
    });
    const flow: Flow = {
      options,
      pack,
      definition,
      key,
      vault,
      before,
      variables,
      storedSecrets,
      recorder,
      diagnose,
      routes,
    };
    const connected =
      definition.type === "OAuth2" && plan !== undefined
        ? await connectByCode({
            ...flow,
            definition,
            plan,
            transport: createTransportOptions(flow),
            keep: (obtained) => keepAccount(flow, obtained),
          })
        : await connectByCredentials(flow, definition as OAuth2ClientCredentialsAuthentication);
    await recorder.end(undefined);
    return {
      ...connected.account,
      redirectUri: connected.redirectUri,
      durationMs: uptimeMs() - started,
    };
  } catch (error) {
    const failure = isPackError(error) ? diagnose(error) : error;
    await recorder.end(failure);
    throw failure;
  }
}

/** Only an authorization request can name a login. */
function loginNotRequested(): PackError<"USAGE_INVALID"> {
  return usageError(
    "packsmith can request a login only if the user logs in with a browser.",
    "Connect an account of type OAuth2 in a browser on this device, or connect without acr_values and max_age.",
  );
}

interface Flow {
  options: FlowOptions;
  pack: Pack;
  definition: OAuth2Authentication | OAuth2ClientCredentialsAuthentication;
  key: AccountKey;
  vault: Vault;
  /** The account before the flow, if it existed. */
  before: StoredAccount | undefined;
  /** Checked answers to the connection variables. */
  variables: Readonly<Record<string, string>>;
  storedSecrets: StoredSecrets;
  recorder: FlowRecorder;
  diagnose: ConnectionDiagnosis;
  routes: Routes;
}

async function connectByCredentials(
  flow: Flow,
  definition: OAuth2ClientCredentialsAuthentication,
): Promise<{ account: AccountSummary; redirectUri: undefined }> {
  const { options, pack, variables } = flow;
  const client = options.client ?? flow.before?.client;
  if (client === undefined) throw clientMissing(options.file);
  for (const secret of listClientSecrets(client.clientSecret)) options.redactor.add(secret);
  const extraScopes = extraScopesFor(flow.before, options.extraScopes);
  const tokenSet = await requestClientCredentialsToken({
    ...createTransportOptions(flow),
    definition,
    client,
    answers: { variables, callbackParams: {} },
    endpoint: options.endpoint,
    networkDomains: pack.definition.networkDomains,
    extraScopes,
  });
  return {
    account: await keepAccount(flow, {
      client,
      tokenSet,
      callbackParams: {},
      requestedScopes: requestedScopes(definition, extraScopes),
      server: undefined,
      registeredRedirect: undefined,
    }),
    redirectUri: undefined,
  };
}

function createTransportOptions(flow: Flow): TransportOptions {
  return { ...requestOptions(flow), beforeCredentials: flow.storedSecrets.check };
}

/** The options of requests without client credentials. */
function requestOptions({
  options,
  routes,
  recorder,
}: Pick<Flow, "options" | "routes" | "recorder">): TransportOptions {
  let isWaiting = false;
  return {
    routes,
    now: options.now,
    timeoutMs: options.requestTimeoutMs,
    redactor: options.redactor,
    onExchange(exchange) {
      recorder.exchange(exchange);
      // One line, however often the server is asked.
      if (exchange.isWaiting !== true) options.onProgress?.(exchangeLine(exchange));
      else if (!isWaiting) options.onProgress?.("waiting for the approval on the other device");
      isWaiting = exchange.isWaiting === true;
    },
  };
}

/**
 * Stores the account before it is set up, because the Pack's functions for endpoint and display
 * name run with it.
 */
async function keepAccount(flow: Flow, obtained: Obtained): Promise<AccountSummary> {
  const { options, key, vault, definition, pack, variables } = flow;
  const { client, tokenSet, callbackParams, requestedScopes, server, registeredRedirect } =
    obtained;
  const nowMs = (options.now ?? Date.now)();
  await vault.save(
    createStoredAccount({
      key,
      pack: pack.bundle.name,
      type: definition.type,
      client,
      tokenSet,
      answers: { variables, callbackParams },
      server,
      registeredRedirect,
      hosts: declaredHosts(definition, pack.definition.networkDomains, {
        answers: { variables, callbackParams },
        server,
      }),
      endpoint:
        tokenSet.endpoint ??
        (options.endpoint === undefined ? undefined : parseEndpoint(options.endpoint)),
      connectionName: options.userName,
      redirect: redirectChoice(options),
      requestedScopes: [...requestedScopes],
      scopes: tokenSet.scopes,
      status: "connected",
      createdAt: isoTime(nowMs),
      updatedAt: isoTime(nowMs),
    }),
  );
  const missing = requestedScopes.filter(
    (scope) => tokenSet.scopes !== undefined && !tokenSet.scopes.includes(scope),
  );
  if (missing.length > 0)
    options.onProgress?.(
      `warning: these scopes were requested but not granted: ${missing.join(" ")}`,
    );
  const advice = definition.type === "OAuth2" ? refreshAdvice(definition, tokenSet) : undefined;
  if (advice !== undefined) options.onProgress?.(`warning: ${advice}`);
  adviseLocation(flow, tokenSet.clientAuthentication);
  try {
    await setUpAccount({
      options,
      key,
      vault,
      definition,
      networkDomains: pack.definition.networkDomains,
      runOptions: () => createRunOptions(flow),
      note: (step, facts) => flow.recorder.note(step, facts),
    });
  } catch (error) {
    // Without its endpoint the account cannot be used, so the earlier one is restored.
    if (flow.before === undefined) await vault.remove(key);
    else await vault.save(flow.before);
    throw error;
  }
  const stored = await vault.get(key);
  if (stored === undefined) throw accountMissing(options.file, key.name);
  return summarizeAccount(stored);
}

/**
 * With Automatic, each connection begins with a refused request, and some providers then refuse the
 * code.
 */
function adviseLocation({ definition, options }: Flow, accepted: ClientAuthenticationMethod): void {
  if (accepted === "private_key_jwt-url")
    options.onProgress?.(
      "note: the server refused a client assertion with the issuer as its audience. Set assertionAudience to the token URL.",
    );
  const { credentialsLocation = "Automatic" } = definition;
  if (credentialsLocation !== "Automatic" || (accepted !== "basic" && accepted !== "basic-strict"))
    return;
  options.onProgress?.(
    'note: the provider accepted the client credentials only in the Authorization header. Set credentialsLocation: "AuthorizationHeader".',
  );
}

/** Options to run a function of the Pack while its account is set up. */
async function createRunOptions({
  options,
  pack,
  vault,
  key,
  definition,
  routes,
}: Flow): Promise<RunOptions> {
  const { now, redactor } = options;
  const { networkDomains } = pack.definition;
  const account = await openAccountSession({
    vault,
    key,
    definition,
    networkDomains,
    routes,
    now,
    redactor,
  });
  return {
    isolate: pack.isolate,
    account,
    routes,
    now,
    redactor,
    onExchange: options.observer?.onRequest,
  };
}

function exchangeLine({
  step,
  status,
  durationMs,
  error,
  clientAuthentication,
}: ExchangeRecord): string {
  const how =
    clientAuthentication === undefined ? "" : `  client authentication: ${clientAuthentication}`;
  return `${step.padEnd(10)} ${status ?? "no answer"}  ${durationMs.toFixed(0)} ms${how}${error === undefined ? "" : `  ${error}`}`;
}

/**
 * Advice for a token that expires and cannot be renewed, because the provider issued no refresh
 * token. Otherwise undefined.
 */
function refreshAdvice(
  definition: Pick<OAuth2Authentication, "additionalParams" | "scopes">,
  tokenSet: TokenSet,
): string | undefined {
  if (tokenSet.refreshToken !== undefined || tokenSet.expiresAtMs === undefined) return undefined;
  const { additionalParams = {}, scopes = [] } = definition;
  const asksOffline =
    additionalParams["access_type"] === "offline" || scopes.includes("offline_access");
  const asksConsent = String(additionalParams["prompt"] ?? "").includes("consent");
  const problem =
    "the provider issued no refresh token. Connect the account again when the access token expires.";
  if (!asksOffline) {
    return `${problem} Most providers issue a refresh token only on request. Depending on the provider, add additionalParams: { access_type: "offline", prompt: "consent" }, or the scope offline_access.`;
  }
  if (!asksConsent) {
    return `${problem} Many providers issue a refresh token only when the user consents again. Add prompt: "consent" to additionalParams.`;
  }
  return `${problem} Allow the refresh_token grant for your client in the provider's settings.`;
}
