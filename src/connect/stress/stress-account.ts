import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type AccountKey, type AccountSlot, createStoredAccount } from "../../accounts/account.ts";
import { openAccountSession } from "../../accounts/account-session.ts";
import { accountKey, oauthOf } from "../../accounts/pack-account.ts";
import { openVault, type Vault } from "../../accounts/vault.ts";
import { isPackError, PackError } from "../../errors.ts";
import { loadValidPack } from "../../load/load-pack.ts";
import { createAuthorizationAttempt } from "../../oauth/connect/authorization-attempt.ts";
import type { OAuthDefinition } from "../../oauth/definition.ts";
import { requestClientCredentialsToken } from "../../oauth/run/client-credentials.ts";
import type { TokenSet } from "../../oauth/token-set.ts";
import { type LocalProvider, startProvider } from "../../provider/provider.ts";
import { limitedSignal } from "../../shared/limited-signal.ts";
import { builtFile } from "../../shared/own-package.ts";
import type { Redactor } from "../../shared/redact.ts";
import { uptimeMs } from "../../shared/uptime.ts";
import { startCallbackServer } from "../callback/callback-server.ts";
import { walkHeadless } from "../headless-browser.ts";
import type { StressAnswer, StressOrder } from "./stress-worker.ts";

export interface StressAccountOptions {
  file: string;
  cwd: string;
  /** @default "user" */
  slot?: AccountSlot | undefined;
  /** Calls at once in each process. @default 20 */
  parallel?: number | undefined;
  /** @default 3 */
  processes?: number | undefined;
  redactor: Redactor;
  signal?: AbortSignal | undefined;
  onProgress?: ((line: string) => void) | undefined;
}

/**
 * The state of an account after its process was killed: it works, the user must connect it again,
 * or it is broken.
 */
export type KillOutcome = "recovered" | "reconnect" | "broken";

export interface KillResult {
  /** The write at which the process was killed. */
  point: string;
  moment: string;
  outcome: KillOutcome;
  /** Token requests of the next process. */
  tokenRequests: number;
  /**
   * No client could avoid the reconnection: the provider has answered, and nothing was written yet.
   */
  unavoidable: boolean;
}

export interface StressResult {
  /**
   * Whether all calls shared one token request and one token, and no account was lost that could
   * have been kept.
   */
  ok: boolean;
  race: {
    processes: number;
    parallel: number;
    tokenRequests: number;
    tokens: number;
    durationMs: number;
  };
  kills: KillResult[];
}

/** The writes of a renewal, in order. */
const WRITES = ["take the lease", "keep the response", "store the tokens", "free the lease"];
const MOMENTS = ["before", "uncommitted", "after"] as const;
/** Longer than the lease of a killed process lasts. */
const LEASE_OVER_MS = 20_000;
const MAX_KILLS = 60;
const WORKER_TIMEOUT_MS = 60_000;

/**
 * Proves that an account of this Pack is neither lost nor renewed twice: processes race for an
 * expired account, and processes
 * are killed (SIGKILL) at every moment of every write. Runs in a temporary vault against a local
 * provider that revokes all
 * tokens when a refresh token is used twice. No real account is touched.
 * @throws {PackError} OAUTH_NOT_CONFIGURED, STRESS_FAILED, and errors of `loadValidPack`
 */
export async function stressAccount(options: StressAccountOptions): Promise<StressResult> {
  const { slot = "user", parallel = 20, processes = 3, onProgress = () => {}, signal } = options;
  await using pack = await loadValidPack(options.file, { cwd: options.cwd });
  const declared = oauthOf(pack.definition, slot);
  const key = await accountKey({ ...options, slot, account: "default" });
  const home = await mkdtemp(join(tmpdir(), "packsmith-stress-"));
  try {
    await using provider = await startProvider();
    options.redactor.add(provider.clientSecret);
    const definition = stressDefinition(declared, provider);
    await using vault = await openVault({ directory: home, now: () => provider.clock.now() });
    const run: Run = { options, provider, definition, vault, key, home };

    await connect(run);
    onProgress(`race      ${processes} processes, ${parallel} calls each, one expired account`);
    const race = await runRace(run, { parallel, processes });
    const kills: KillResult[] = [];
    for (let killAt = 0; killAt < MAX_KILLS; killAt++) {
      signal?.throwIfAborted();
      await connect(run);
      const result = await killOnce(run, killAt);
      if (result === undefined) break;
      kills.push(result);
      onProgress(
        `kill -9   ${result.moment.padEnd(11)} ${result.point.padEnd(18)} ${result.outcome}`,
      );
    }
    const lost = kills.filter(
      ({ outcome, unavoidable }) =>
        outcome === "broken" || (outcome === "reconnect" && !unavoidable),
    );
    return {
      ok: race.tokenRequests === 1 && race.tokens === 1 && kills.length > 0 && lost.length === 0,
      race,
      kills,
    };
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

interface Run {
  options: StressAccountOptions;
  provider: LocalProvider;
  definition: OAuthDefinition;
  vault: Vault;
  key: AccountKey;
  home: string;
}

/** The Pack's grant, scopes and client authentication, at the local provider. */
function stressDefinition(declared: OAuthDefinition, provider: LocalProvider): OAuthDefinition {
  const { credentialsLocation, scopes } = declared;
  const common = { tokenUrl: provider.tokenUrl, credentialsLocation, scopes };
  return declared.type === "OAuth2"
    ? {
        type: "OAuth2",
        authorizationUrl: provider.authorizationUrl,
        useProofKeyForCodeExchange: true,
        ...common,
      }
    : { type: "OAuth2ClientCredentials", ...common };
}

/** Replaces the account of an earlier round with a new one. */
async function connect(run: Run): Promise<void> {
  const { provider, definition, vault, key } = run;
  const nowMs = provider.clock.now();
  const tokenSet = await obtainTokens(run);
  await vault.save(
    createStoredAccount({
      key,
      packName: "stress",
      authType: definition.type,
      client: clientOf(provider),
      tokenSet,
      endpoint: undefined,
      connectionName: undefined,
      requestedScopes: definition.scopes ?? [],
      grantedScopes: tokenSet.scopes,
      status: "connected",
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
    }),
  );
  expire(provider);
}

async function obtainTokens({ provider, definition, options }: Run): Promise<TokenSet> {
  const common = {
    client: clientOf(provider),
    now: () => provider.clock.now(),
    redactor: options.redactor,
  };
  if (definition.type === "OAuth2ClientCredentials")
    return requestClientCredentialsToken({ ...common, definition });
  let received: TokenSet | undefined;
  await using server = await startCallbackServer<undefined>({
    packName: "stress",
    // A new signal for each round, so that listeners do not pile up.
    signal: options.signal && AbortSignal.any([options.signal]),
    begin: (redirectUri) => createAuthorizationAttempt({ ...common, definition, redirectUri }),
    async complete(tokenSet) {
      received = tokenSet;
      return undefined;
    },
    describe: () => [],
  });
  await walkHeadless(server.startUrl, { signal: options.signal });
  const outcome = await server.outcome;
  await server.closed;
  if (!outcome.ok) throw outcome.error;
  if (received === undefined) throw failed("The local provider issued no tokens.");
  return received;
}

function clientOf({ clientId, clientSecret }: LocalProvider) {
  return { clientId, clientSecret };
}

/** Lets the access token of a new account expire, and the lease of a killed process too. */
function expire({ clock }: LocalProvider): void {
  clock.advance(3_600_000 + LEASE_OVER_MS);
}

async function runRace(
  run: Run,
  { parallel, processes }: { parallel: number; processes: number },
): Promise<StressResult["race"]> {
  const before = tokenRequests(run.provider);
  const started = uptimeMs();
  const answers = await Promise.all(
    Array.from({ length: processes }, () => startWorker(run, { parallel })),
  );
  const durationMs = uptimeMs() - started;
  const tokens = new Set<string>();
  for (const answer of answers) {
    if (answer === "killed") throw failed("A process ended although it was not killed.");
    for (const token of answer.tokens) tokens.add(token);
  }
  return {
    processes,
    parallel,
    tokenRequests: tokenRequests(run.provider) - before,
    tokens: tokens.size,
    durationMs,
  };
}

/** @returns undefined if a renewal has fewer moments than `killAt` */
async function killOnce(run: Run, killAt: number): Promise<KillResult | undefined> {
  const { provider, vault, key } = run;
  const answer = await startWorker(run, { parallel: 1, killAt });
  if (answer !== "killed") return undefined;
  // On this clock, the lease of the killed process has expired.
  provider.clock.advance(LEASE_OVER_MS);
  const write = Math.floor(killAt / MOMENTS.length);
  const moment = MOMENTS[killAt % MOMENTS.length] ?? "before";
  const before = tokenRequests(provider);
  const outcome = await recover(run).catch((error: unknown) =>
    isPackError(error) ? ("broken" as const) : Promise.reject(error),
  );
  // Opens the file again, to check what is really stored.
  await using reopened = await openVault({ directory: run.home, now: () => provider.clock.now() });
  const [stored, same] = [await vault.get(key), await reopened.get(key)];
  const isIntact =
    stored !== undefined && same?.tokenSet?.accessToken === stored.tokenSet?.accessToken;
  return {
    point: WRITES[write] ?? `write ${write + 1}`,
    moment,
    outcome: isIntact ? outcome : "broken",
    tokenRequests: tokenRequests(provider) - before,
    unavoidable:
      run.definition.type === "OAuth2" &&
      WRITES[write] === "keep the response" &&
      moment !== "after",
  };
}

/**
 * Uses the account as the next process would, and asks the provider whether the token is active.
 */
async function recover({ provider, vault, key, definition, options }: Run): Promise<KillOutcome> {
  try {
    const session = await openAccountSession({
      vault,
      key,
      definition,
      now: () => provider.clock.now(),
      redactor: options.redactor,
    });
    const token = await session.getAccessToken();
    const response = await fetch(provider.introspectionUrl, {
      method: "POST",
      headers: {
        authorization: `Basic ${Buffer.from(`${provider.resourceServer.clientId}:${provider.resourceServer.clientSecret}`).toString("base64")}`,
      },
      body: new URLSearchParams({ token }),
      signal: AbortSignal.timeout(10_000),
    });
    const { active } = (await response.json()) as { active?: unknown };
    const stored = (await vault.get(key))?.tokenSet?.accessToken;
    return active === true && stored !== undefined && stored === token ? "recovered" : "broken";
  } catch (error) {
    if (isPackError(error, "ACCOUNT_RECONNECT")) return "reconnect";
    throw error;
  }
}

function tokenRequests(provider: LocalProvider): number {
  const path = new URL(provider.tokenUrl).pathname;
  return provider.requests.filter((request) => request.path === path).length;
}

async function startWorker(
  run: Run,
  order: Pick<StressOrder, "parallel" | "killAt">,
): Promise<StressAnswer | "killed"> {
  const { provider, home, key, definition, options } = run;
  const worker = builtFile("connect/stress/stress-worker.js");
  const limit = limitedSignal(WORKER_TIMEOUT_MS, options.signal);
  const child = spawn(process.execPath, [worker], {
    stdio: ["pipe", "pipe", "pipe"],
    signal: limit,
  });
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>(
    (resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code, signal) => resolve({ code, signal }));
    },
  );
  const aheadMs = provider.clock.now() - Date.now();
  // If the child ends before it has read everything, its exit code shows the reason.
  child.stdin.on("error", () => {});
  child.stdin.end(
    JSON.stringify({ home, key, definition, aheadMs, ...order } satisfies StressOrder),
  );
  const [stdout, stderr, { code, signal }] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    ended,
  ]);
  if (code === 0) return JSON.parse(stdout) as StressAnswer;
  // Windows has no signals: a killed process ends with an exit code and without output.
  const wasKilled =
    process.platform === "win32" ? stdout === "" && stderr === "" : signal === "SIGKILL";
  if (order.killAt !== undefined && wasKilled) return "killed";
  throw failed(
    `A process failed: ${options.redactor.text(stderr.trim().split("\n").at(-1) ?? "")}`,
  );
}

function failed(message: string): PackError<"STRESS_FAILED"> {
  return new PackError("STRESS_FAILED", message, {
    details: undefined,
    hint: "Run the command again. If it fails again, report it.",
  });
}
