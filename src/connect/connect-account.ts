import { extraScopesFor, type StoredAccount } from "../accounts/account.ts";
import type { AccountSummary } from "../accounts/account-summary.ts";
import { createUnsupportedError } from "../accounts/open-account.ts";
import {
  accountKey,
  authenticationPath,
  findSlotAuthentication,
  requireOAuth,
} from "../accounts/pack-account.ts";
import { openVault } from "../accounts/vault.ts";
import { isSecretAuthentication } from "../define/authentication.ts";
import type { OAuth2ClientCredentialsAuthentication } from "../define/oauth.ts";
import { isPackError, type PackError, usageError } from "../errors.ts";
import { openValidPack, type Pack } from "../execute/open-pack.ts";
import { listClientSecrets } from "../oauth/client-key.ts";
import { type OAuthDefinition, requestedScopes } from "../oauth/definition.ts";
import type { ExchangeRecord } from "../oauth/exchange-record.ts";
import { parseRoutes } from "../oauth/routes.ts";
import { requestClientCredentialsToken } from "../oauth/run/client-credentials.ts";
import type { TransportOptions } from "../oauth/send.ts";
import { uptimeMs } from "../shared/time.ts";
import { collectAnswers } from "./account-setup.ts";
import { listUrls, readIssuerMetadata } from "./authorization-server.ts";
import { clientMissing } from "./choose-client.ts";
import { connectByCode } from "./code-flow.ts";
import type { BegunFlow, CodeFlow, ConnectFlow } from "./code-session.ts";
import type {
  ConnectAccountOptions,
  ConnectedAccount,
  FlowOptions,
  WantedClient,
} from "./connect-options.ts";
import { connectSecrets } from "./connect-secrets.ts";
import { createConnectionDiagnosis } from "./diagnose-connection.ts";
import { createFlowRecorder } from "./flow-record.ts";
import { keepAccount } from "./keep-account.ts";
import { redirectChoice } from "./kept-redirect.ts";
import { planCodeFlow } from "./plan-code-flow.ts";
import { guardStoredSecrets } from "./stored-secrets.ts";

const UNSUPPORTED = new Set(["GoogleDomainWideDelegation", "GoogleServiceAccount", "Various"]);

/**
 * Connects an account of a Pack and stores its tokens, or the entered credentials, in the vault. If
 * the flow fails, nothing is stored, and an account that existed before stays as it was.
 * @throws {PackError} CREDENTIAL_MISSING, CREDENTIAL_INVALID, AUTHENTICATION_UNSUPPORTED,
 *   OAUTH_NOT_CONFIGURED
 * @throws {PackError} OAUTH_CLIENT_MISSING, OAUTH_DENIED, OAUTH_STATE_MISMATCH,
 *   OAUTH_TOKEN_REJECTED, OAUTH_CONNECT_TIMEOUT and the other OAUTH_ codes, PORT_IN_USE,
 *   ENDPOINT_OUTSIDE_DOMAIN, VAULT_ codes
 */
export async function connectAccount(given: ConnectAccountOptions): Promise<ConnectedAccount> {
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
  return await connectOAuth(given, pack, definition);
}

async function connectOAuth(
  given: ConnectAccountOptions,
  pack: Pack,
  definition: OAuthDefinition,
): Promise<ConnectedAccount> {
  const { home, databaseUrl, keyStore, slot = "user", now = Date.now } = given;
  const key = await accountKey({ ...given, slot, account: given.account ?? "default" });
  await using vault = await openVault({ directory: home, databaseUrl, keyStore, now: given.now });
  if (definition.instructionsUrl !== undefined)
    given.onProgress?.(`how to set the account up: ${definition.instructionsUrl}`);
  const routes = parseRoutes(given.routes ?? []);
  const recorder = createFlowRecorder(
    { pack: pack.bundle.name, account: key.name, home, now },
    given.redactor,
    given.observer,
  );
  const diagnose = createConnectionDiagnosis(pack, {
    path: authenticationPath(pack.definition, slot) ?? [],
    definition,
    events: recorder.events,
  });
  const started = uptimeMs();
  try {
    const begun = { pack, definition, key, vault, recorder, diagnose, routes };
    const { flow, plan } = await prepareFlow(begun, given);
    const { account, redirectUri } =
      plan === undefined
        ? { account: await connectByCredentials(flow), redirectUri: undefined }
        : await connectByCode({
            ...flow,
            ...plan,
            transport: createTransportOptions(flow),
            keep: (obtained) => keepAccount(flow, obtained),
          });
    await recorder.end(undefined);
    return { ...account, redirectUri, durationMs: uptimeMs() - started };
  } catch (error) {
    const failure = isPackError(error) ? diagnose(error) : error;
    await recorder.end(failure);
    throw failure;
  }
}

/** The flow with everything that the user has to answer before the first request with credentials. */
async function prepareFlow(
  begun: BegunFlow,
  { client: wantedClient, ...given }: ConnectAccountOptions,
): Promise<{ flow: ConnectFlow; plan: Pick<CodeFlow, "definition" | "plan"> | undefined }> {
  const { definition, key, vault } = begun;
  const before = await vault.get(key);
  const asksClient = typeof wantedClient === "function";
  const known = keepChoices(
    { ...given, client: asksClient ? undefined : wantedClient },
    definition,
    before,
  );
  const variables = await collectAnswers(definition, {
    given: known.variables ?? {},
    previous: before?.answers?.variables,
    ask: known.ask,
    redactor: known.redactor,
  });
  const plan =
    definition.type === "OAuth2"
      ? await planCodeFlow({
          ...begun,
          options: known,
          definition,
          before,
          variables,
          transport: requestOptions({ ...begun, options: known }),
        })
      : undefined;
  const redirectUri = known.device === undefined ? plan?.redirectUri : undefined;
  const options = asksClient
    ? { ...known, client: await wantedClient({ ...describeWanted(definition), redirectUri }) }
    : known;
  const storedSecrets = guardStoredSecrets({
    key,
    definition,
    before,
    given: options.client,
    variables,
    confirm: options.confirmSecretHost,
  });
  return {
    flow: { ...begun, options, before, variables, storedSecrets },
    plan: definition.type === "OAuth2" && plan !== undefined ? { definition, plan } : undefined,
  };
}

/** An account that is connected again keeps its redirect URI and its endpoint. */
function keepChoices(
  options: FlowOptions,
  { requiresEndpointUrl }: OAuthDefinition,
  before: StoredAccount | undefined,
): FlowOptions {
  return {
    ...options,
    ...(redirectChoice(options) === undefined ? before?.redirect : {}),
    ...(requiresEndpointUrl === true ? { endpoint: options.endpoint ?? before?.endpoint } : {}),
  };
}

function describeWanted({
  clientAuthentication,
}: OAuthDefinition): Omit<WantedClient, "redirectUri"> {
  return {
    privateKey: clientAuthentication === "private_key_jwt",
    certificate: clientAuthentication === "tls_client_auth",
  };
}

/** Only an authorization request can name a login. */
function loginNotRequested(): PackError<"USAGE_INVALID"> {
  return usageError(
    "packsmith can request a login only if the user logs in with a browser.",
    "Connect an account of type OAuth2 in a browser on this device, or connect without acr_values and max_age.",
  );
}

async function connectByCredentials(flow: ConnectFlow): Promise<AccountSummary> {
  const { options, pack, variables, definition } = flow;
  const client = options.client ?? flow.before?.client;
  if (client === undefined) throw clientMissing(options.file);
  for (const secret of listClientSecrets(client.clientSecret)) options.redactor.add(secret);
  const extraScopes = extraScopesFor(flow.before, options.extraScopes);
  const metadata = await readIssuerMetadata(definition, requestOptions(flow));
  const tokenSet = await requestClientCredentialsToken({
    ...createTransportOptions(flow),
    dpop: definition.dpop ?? metadata?.dpopAdvertised,
    supportedAuthenticationMethods: metadata?.clientAuthenticationMethods,
    definition: definition as OAuth2ClientCredentialsAuthentication,
    client,
    answers: { variables, callbackParams: {} },
    endpoint: options.endpoint,
    networkDomains: pack.definition.networkDomains,
    extraScopes,
  });
  return await keepAccount(flow, {
    client,
    tokenSet,
    callbackParams: {},
    requestedScopes: requestedScopes(definition, extraScopes),
    server: metadata === undefined ? undefined : listUrls(metadata),
    registeredRedirect: undefined,
  });
}

function createTransportOptions(flow: ConnectFlow): TransportOptions {
  return { ...requestOptions(flow), beforeCredentials: flow.storedSecrets.check };
}

/** The options of requests without client credentials. */
function requestOptions({
  options,
  routes,
  recorder,
}: Pick<ConnectFlow, "options" | "routes" | "recorder">): TransportOptions {
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
