import { type AccountKey, type AccountSummary, createStoredAccount, summarizeAccount } from "../accounts/account.ts";
import { openAccountSession } from "../accounts/account-session.ts";
import { openVault, type Vault } from "../accounts/vault.ts";
import { parseEndpoint } from "../define/hosts.ts";
import type { OAuth2Authentication, OAuth2ClientCredentialsAuthentication } from "../define/oauth.ts";
import { PackError } from "../errors.ts";
import { getConnectionName } from "../execute/execute-formula.ts";
import { startConnectHarness } from "../harness/connect-harness.ts";
import { walkHeadless } from "../harness/headless-browser.ts";
import { createAuthorizationAttempt } from "../oauth/connect/authorization-attempt.ts";
import type { ExchangeRecord } from "../oauth/exchange-record.ts";
import { requiredUrl } from "../oauth/required-url.ts";
import { applyRoutes, parseRoutes, type Routes } from "../oauth/routes.ts";
import { requestClientCredentialsToken } from "../oauth/run/client-credentials.ts";
import type { ClientCredentials, TokenSet } from "../oauth/token-set.ts";
import type { Redactor } from "../redact.ts";
import { type LoadedPack, loadValidPack } from "./load-pack.ts";
import { openSystemBrowser } from "./open-browser.ts";
import { type AccountSlot, accountKey, accountMissing, oauthOf } from "./pack-account.ts";

export interface ConnectAccountOptions {
  file: string;
  cwd: string;
  /** Folder of the vault. */
  home: string;
  /** A `postgres://` URL that keeps the vault's records on a server. @default the folder holds them */
  databaseUrl?: string | undefined;
  /** @default "default" */
  account?: string | undefined;
  /** @default "user" */
  slot?: AccountSlot | undefined;
  /** When absent, those that the account already has. */
  client?: ClientCredentials | undefined;
  /** `origin=url` texts: send requests for an https origin to a loopback server. */
  routes?: readonly string[] | undefined;
  /** The account's own endpoint, for a Pack with `requiresEndpointUrl`. */
  endpoint?: string | undefined;
  /** Port of the redirect URI. @default 0, a free one */
  port?: number | undefined;
  /** @default "127.0.0.1" */
  redirectHost?: "127.0.0.1" | "localhost" | undefined;
  /** `system` opens the user's browser, `headless` drives the local provider's pages, `none` only prints the link; or a function. @default "system" */
  browser?: "system" | "headless" | "none" | ((url: string) => Promise<unknown>) | undefined;
  /** How long to wait for the browser. @default 300_000 */
  timeoutMs?: number | undefined;
  /** Labels the account when the Pack does not. */
  userName?: string | undefined;
  redactor: Redactor;
  signal?: AbortSignal | undefined;
  now?: (() => number) | undefined;
  onProgress?: ((line: string) => void) | undefined;
}

export interface ConnectedAccount extends AccountSummary {
  /** What was registered with the provider; absent for client credentials. */
  redirectUri: string | undefined;
  /** How long the connection took, from the first request to the stored account. */
  durationMs: number;
}

const CONNECT_TIMEOUT_MS = 300_000;

/**
 * Connects an account of a Pack and keeps its tokens in the vault. Nothing is stored when the flow fails; an account that
 * was there before stays as it was.
 * @throws {PackError} OAUTH_NOT_CONFIGURED, OAUTH_CLIENT_MISSING, PORT_IN_USE, OAUTH_DENIED, OAUTH_STATE_MISMATCH,
 * OAUTH_TOKEN_REJECTED, OAUTH_CONNECT_TIMEOUT and the other OAUTH_ codes, ENDPOINT_OUTSIDE_DOMAIN, VAULT_ codes
 */
export async function connectAccount(options: ConnectAccountOptions): Promise<ConnectedAccount> {
  await using pack = await loadValidPack(options.file, { cwd: options.cwd });
  const slot = options.slot ?? "user";
  const definition = oauthOf(pack.definition, slot);
  const key = await accountKey({ ...options, slot, account: options.account ?? "default" });
  await using vault = await openVault({ directory: options.home, databaseUrl: options.databaseUrl, now: options.now });
  const client = options.client ?? (await vault.get(key))?.client;
  if (client === undefined) {
    throw new PackError("OAUTH_CLIENT_MISSING", "The client ID and secret that the provider issued are missing.", {
      details: undefined,
      hint: "Pass --client-id and set PACKSMITH_CLIENT_SECRET, or run the command in a terminal and type them.",
    });
  }
  options.redactor.add(client.clientSecret);
  const flow: Flow = { options, pack, definition, key, vault, client, routes: parseRoutes(options.routes ?? []) };
  const started = performance.now();
  const connected = definition.type === "OAuth2" ? await connectByCode(flow, definition) : await connectByCredentials(flow, definition);
  return { ...connected.account, redirectUri: connected.redirectUri, durationMs: performance.now() - started };
}

interface Flow {
  options: ConnectAccountOptions;
  pack: LoadedPack;
  definition: OAuth2Authentication | OAuth2ClientCredentialsAuthentication;
  key: AccountKey;
  vault: Vault;
  client: ClientCredentials;
  routes: Routes;
}

interface Connected {
  account: AccountSummary;
  redirectUri: string | undefined;
}

async function connectByCode(flow: Flow, definition: OAuth2Authentication): Promise<Connected> {
  const { options, routes, client, pack } = flow;
  const { timeoutMs = CONNECT_TIMEOUT_MS, browser = "system", onProgress = () => {} } = options;
  using deadline = connectDeadline(timeoutMs);
  await using harness = await startConnectHarness<AccountSummary>({
    packName: pack.bundle.name,
    port: options.port,
    redirectHost: options.redirectHost,
    signal: options.signal === undefined ? deadline.signal : AbortSignal.any([deadline.signal, options.signal]),
    begin: (redirectUri) =>
      createAuthorizationAttempt({
        definition,
        client,
        redirectUri,
        endpoint: options.endpoint,
        networkDomains: pack.definition.networkDomains,
        routes,
        now: options.now,
        redactor: options.redactor,
        onExchange: (exchange) => onProgress(exchangeLine(exchange)),
      }),
    complete: (tokenSet) => keepAccount(flow, tokenSet),
    describe: describeAccount,
  });
  onProgress(`redirect URI to register with the provider: ${harness.redirectUri}`);
  onProgress(`contacted hosts: ${hostsOf(definition, options.endpoint).join(", ")}`);
  const walk = openStart(harness.startUrl, browser, onProgress, routes, definition);
  // A browser that cannot be opened ends the wait; one that was opened says nothing more.
  const failed = walk.then(() => new Promise<never>(() => {}));
  const outcome = await Promise.race([harness.outcome, failed]);
  await harness.closed;
  if (!outcome.ok) throw outcome.error;
  // The account is stored: what becomes of the browser afterwards changes nothing.
  await walk.catch(() => undefined);
  return { account: outcome.account, redirectUri: harness.redirectUri };
}

async function connectByCredentials(flow: Flow, definition: OAuth2ClientCredentialsAuthentication): Promise<Connected> {
  const { options, routes, client, pack } = flow;
  const tokenSet = await requestClientCredentialsToken({
    definition,
    client,
    endpoint: options.endpoint,
    networkDomains: pack.definition.networkDomains,
    routes,
    now: options.now,
    redactor: options.redactor,
    onExchange: (exchange) => options.onProgress?.(exchangeLine(exchange)),
  });
  return { account: await keepAccount(flow, tokenSet), redirectUri: undefined };
}

/** Stores the account first, because the code is spent and the tokens are valid; then asks the Pack for its label. */
async function keepAccount(flow: Flow, tokenSet: TokenSet): Promise<AccountSummary> {
  const { options, key, vault, definition, client, pack } = flow;
  const nowMs = (options.now ?? Date.now)();
  await vault.save(
    createStoredAccount({
      key,
      packName: pack.bundle.name,
      authType: definition.type,
      client,
      tokenSet,
      endpoint: tokenSet.endpoint ?? (options.endpoint === undefined ? undefined : parseEndpoint(options.endpoint)),
      connectionName: options.userName,
      requestedScopes: definition.scopes ?? [],
      grantedScopes: tokenSet.scopes,
      status: "connected",
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
    }),
  );
  const missing = (definition.scopes ?? []).filter((scope) => tokenSet.scopes !== undefined && !tokenSet.scopes.includes(scope));
  if (missing.length > 0) options.onProgress?.(`warning: these scopes were asked for and not granted: ${missing.join(" ")}`);
  const connectionName = await labelOf(flow);
  // It is shown by commands that do not read the account's secrets.
  if (connectionName !== undefined) await vault.saveConnectionName(key, options.redactor.text(connectionName));
  const stored = await vault.get(key);
  if (stored === undefined) throw accountMissing(options.file, key.name);
  return summarizeAccount(stored);
}

async function labelOf({ options, pack, vault, key, definition, routes }: Flow): Promise<string | undefined> {
  if (definition.getConnectionName === undefined) return undefined;
  try {
    const account = await openAccountSession({
      vault,
      key,
      definition,
      networkDomains: pack.definition.networkDomains,
      routes,
      now: options.now,
      redactor: options.redactor,
    });
    return await getConnectionName({
      isolate: pack.isolate,
      slot: key.slot,
      account,
      routes,
      now: options.now,
      redactor: options.redactor,
    });
  } catch (error) {
    options.onProgress?.(
      `warning: getConnectionName failed, so the account keeps its plain name: ${error instanceof Error ? error.message : "unknown error"}`,
    );
    return undefined;
  }
}

function describeAccount(account: AccountSummary): readonly (readonly [string, string])[] {
  return [
    ["Account", account.connectionName ?? account.key.name],
    ["Scopes", account.grantedScopes?.join(" ") ?? "not named by the provider"],
    ...(account.endpoint === undefined ? [] : [["Endpoint", account.endpoint] as const]),
  ];
}

async function openStart(
  startUrl: string,
  browser: NonNullable<ConnectAccountOptions["browser"]>,
  onProgress: (line: string) => void,
  routes: Routes,
  definition: OAuth2Authentication,
): Promise<void> {
  if (typeof browser === "function") return void (await browser(startUrl));
  if (browser === "headless") {
    onProgress(
      `walking through the pages of ${new URL(applyRoutes(requiredUrl(definition, "authorizationUrl"), routes), startUrl).origin}`,
    );
    return void (await walkHeadless(startUrl));
  }
  onProgress(`open this link to go on: ${startUrl}`);
  if (browser === "system") await openSystemBrowser(startUrl, onProgress);
}

function exchangeLine({ step, status, durationMs, error, clientAuthentication }: ExchangeRecord): string {
  const how = clientAuthentication === undefined ? "" : `  client authentication: ${clientAuthentication}`;
  return `${step.padEnd(10)} ${status ?? "no answer"}  ${durationMs.toFixed(0)} ms${how}${error === undefined ? "" : `  ${error}`}`;
}

function hostsOf(definition: OAuth2Authentication, endpoint: string | undefined): string[] {
  const urls = [requiredUrl(definition, "authorizationUrl"), requiredUrl(definition, "tokenUrl")].map((url) =>
    url.startsWith("/") ? (endpoint ?? "") : url,
  );
  return [...new Set(urls.filter((url) => URL.canParse(url)).map((url) => new URL(url).host))];
}

function connectDeadline(timeoutMs: number): Disposable & { signal: AbortSignal } {
  const controller = new AbortController();
  const timer = setTimeout(() => {
    controller.abort(
      new PackError("OAUTH_CONNECT_TIMEOUT", `Nobody finished connecting within ${Math.round(timeoutMs / 1_000)} seconds.`, {
        details: { limitMs: timeoutMs },
        hint: "Run auth connect again and finish in the browser, or give it longer with --timeout.",
      }),
    );
  }, timeoutMs);
  return { signal: controller.signal, [Symbol.dispose]: () => clearTimeout(timer) };
}
