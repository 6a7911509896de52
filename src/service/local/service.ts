import { randomBytes, randomUUID } from "node:crypto";
import type { RequestListener } from "node:http";
import { sha256 } from "../../shared/crypto.ts";
import { openDatabase } from "../../storage/database.ts";
import type { Storage } from "../../storage/storage.ts";
import { createApp, type ServiceFailure } from "./api/app.ts";
import type { TokenIntrospection } from "./api/introspection.ts";
import { checkIntrospectionUrl } from "./api/introspection-url.ts";
import { createRateLimits, type RateLimitOptions } from "./api/rate-limits.ts";
import type { ServiceRequestRecord } from "./api/request-record.ts";
import { API_PATH } from "./api/resource-metadata.ts";
import { createHostCheck } from "./api/served-hosts.ts";
import { createClock, type ServiceClock } from "./clock.ts";
import type { ControlPlaneOptions } from "./control/control-plane.ts";
import type { Fault } from "./control/fault-schema.ts";
import { createFaults } from "./control/faults.ts";
import { ingestRuns, type PackRun, packRunsSchema } from "./control/pack-runs.ts";
import { PROFILES, type Profile, type ProfileName } from "./control/profiles.ts";
import { openSharedControls } from "./control/shared-controls.ts";
import type { ActionRunner } from "./edits/edit.ts";
import { createEditQueue } from "./edits/edit-queue.ts";
import type { Latency } from "./edits/edit-settings.ts";
import { listenForService, requireEncryption } from "./listen.ts";
import type { PackChecks } from "./registry/pack-checks.ts";
import { openRegistrySecrets } from "./registry/registry-secrets.ts";
import type { ServiceSettings, ServiceState } from "./state.ts";
import { createColumnIndexes } from "./store/column-indexes.ts";
import { demoSeed } from "./store/demo-seed.ts";
import { createIds } from "./store/ids.ts";
import { loadSeed } from "./store/load-seed.ts";
import { findAutomationId, getDocId } from "./store/load-seed-doc.ts";
import { openReadCache } from "./store/open-read-cache.ts";
import { createPurge } from "./store/purge.ts";
import { openRequestTimes } from "./store/request-times.ts";
import { type ServiceSchema, serviceMigrations } from "./store/schema.ts";
import { parseSeed, type Seed } from "./store/seed.ts";
import { readSetting, shareSetting } from "./store/settings.ts";
import { restoreSnapshot, saveSnapshot } from "./store/snapshots.ts";
import { refreshStatistics } from "./store/statistics.ts";

export interface ServiceOptions {
  /** 0 chooses a free one. @default 0 */
  port?: number | undefined;
  /**
   * An address or a name of this machine on which the service listens, in addition to 127.0.0.1;
   * `0.0.0.0` is all of them. If other machines can reach it, it needs `tls`, or a `publicUrl` with
   * https. @default "127.0.0.1"
   */
  host?: string | undefined;
  /**
   * Path of a SQLite file or a `postgres://` URL that keeps the documents; several services can
   * share one. The seed is
   * loaded only into an empty database. @default ":memory:"
   */
  database?: string | undefined;
  /** The first documents of the service. @default a document with tasks and projects */
  seed?: Seed | undefined;
  /** Milliseconds since the epoch. @default Date.now */
  now?: (() => number) | undefined;
  /** At least 0, less than 1: latency, shuffled names and likely faults. @default Math.random */
  random?: (() => number) | undefined;
  /** Sets use this set of delays, limits and faults; other options take precedence. @default "fast" */
  profile?: ProfileName | undefined;
  /** Which one to follow where the specification and the public service differ. @default "spec" */
  dialect?: "spec" | "public" | undefined;
  /**
   * How long an accepted edit waits before it is applied, in milliseconds on the service's clock.
   * @default 100
   */
  mutationDelayMs?: number | undefined;
  /** More ways for edits to wait. */
  latency?: Latency | undefined;
  /** How long after its completion reads see an edit, in milliseconds. @default 0 */
  snapshotLagMs?: number | undefined;
  /**
   * How an edit ends that cannot be applied completely: with a warning, or never. @default
   * "warning"
   */
  failedMutation?: "warning" | "stuck" | undefined;
  /**
   * Accepts the tokens of an authorization server as well (RFC 7662); they act as the first user of
   * the seed.
   */
  tokenIntrospection?: TokenIntrospection | undefined;
  /** Refuses requests above the documented limits. @default no limits */
  rateLimits?: RateLimitOptions | undefined;
  /** Which requests fail, and how. @default none */
  faults?: readonly Fault[] | undefined;
  /** Runs the actions of Packs that buttons name. */
  actions?: ActionRunner | undefined;
  /** Finds any of several equal names instead of the oldest. @default false */
  shuffleNames?: boolean | undefined;
  /** Lists the ignored parts of a request in a header. @default false */
  strict?: boolean | undefined;
  /** The origin of every link. @default the host of the request */
  publicUrl?: string | undefined;
  /** Origins whose browser links are also resolved. @default ["https://docs.service.example"] */
  canonicalOrigins?: readonly string[] | undefined;
  /**
   * Waits with every accepted edit until the disk has it, so that it also survives a power failure.
   * For a SQLite file; a server
   * does so by its own settings. @default false
   */
  durable?: boolean | undefined;
  /** How many connections to a PostgreSQL server are open at most. @default 10 */
  poolSize?: number | undefined;
  /** Called for every response with a status of 500 or above. */
  onFailure?: ((failure: ServiceFailure) => void) | undefined;
  /** The value of `LocalService.token`. @default a random one, which the database keeps */
  token?: string | undefined;
  /** Key and certificate in PEM: the service speaks https instead of http. */
  tls?: { key: string; cert: string } | undefined;
  /** Validates and compares the Packs that are uploaded. */
  packChecks?: PackChecks | undefined;
  /**
   * File of the key that encrypts the secrets of Packs. @default next to a SQLite file; in the
   * database on PostgreSQL
   */
  secretsKeyFile?: string | undefined;
}

/** A document service on this machine. */
export interface LocalService extends AsyncDisposable {
  /** The versioned API root: `http://127.0.0.1:N/apis/v1`. */
  readonly url: string;
  /**
   * `http://127.0.0.1:N/__emulator/KEY`: state, clock, edits, faults, limits and requests. Each
   * start makes a new key.
   */
  readonly controlUrl: string;
  /** A token of the first user with every right. Services that share a database share it. */
  readonly token: string;
  /** The first document of the seed. */
  readonly docId: string;
  /** Its first automation rule; empty when it has none. */
  readonly automationRuleId: string;
  readonly clock: ServiceClock;
  /** The latest requests, without headers and bodies. */
  readonly requests: readonly ServiceRequestRecord[];
  /** Answers requests without a socket: `inProcessTransport` of packsmith/testing sends them. */
  readonly handler: RequestListener;
  /**
   * Sets or replaces the authorization server whose tokens are accepted, in addition to those of
   * the service. Undefined removes it.
   * @throws {PackError} USAGE_INVALID for a `url` that cannot be used
   */
  acceptTokensFrom(introspection: TokenIntrospection | undefined): void;
  /** Applies every accepted edit now. */
  settle(): Promise<void>;
  /** Goes back to the seed. */
  reset(): Promise<void>;
  /** Counts runs of Packs in the analytics. */
  ingest(runs: readonly PackRun[]): Promise<void>;
  close(): Promise<void>;
}

const IN_MEMORY = ":memory:";
const MAX_REQUESTS_KEPT = 1_000;
/** The state that a reset restores. */
const SEED_SNAPSHOT = "seed";

/**
 * Starts a document service that speaks the documented interface.
 * @throws {PackError} PORT_IN_USE, SEED_INVALID, DATABASE_UNREADABLE, DATABASE_UNSUPPORTED,
 *   DATABASE_NEWER, DATABASE_BUSY; USAGE_INVALID for a `host` without encryption, and for a URL
 *   of `tokenIntrospection` that cannot be used
 */
export async function startService(options: ServiceOptions = {}): Promise<LocalService> {
  const { host = "127.0.0.1", tls, publicUrl } = options;
  requireEncryption({ host, tls, publicUrl });
  checkIntrospection(options.tokenIntrospection);
  const seed = options.seed === undefined ? demoSeed() : parseSeed(options.seed);
  const storage = await openDatabase<ServiceSchema>({
    url: options.database ?? IN_MEMORY,
    schema: "packsmith_service",
    migrations: serviceMigrations,
    survives: options.durable === true ? "machine" : "process",
    poolSize: options.poolSize,
  });
  const closing = createClosing();
  closing.add(() => storage.close());
  try {
    return await startOn({ options, seed, storage, closing });
  } catch (error) {
    await closing.close();
    throw error;
  }
}

function checkIntrospection(introspection: TokenIntrospection | undefined): void {
  if (introspection !== undefined)
    checkIntrospectionUrl(introspection.url, "tokenIntrospection.url");
}

/** Closes what was started, the last first, and each once. */
interface Closing {
  add(close: () => PromiseLike<void> | void): void;
  close(): Promise<void>;
}

function createClosing(): Closing {
  const steps: (() => PromiseLike<void> | void)[] = [];
  let closed: Promise<void> | undefined;
  const closeAll = async () => {
    for (const close of steps.toReversed()) await close();
  };
  return {
    add: (close) => void steps.push(close),
    close: () => {
      closed ??= closeAll();
      return closed;
    },
  };
}

interface ServiceStart {
  options: ServiceOptions;
  seed: Seed;
  storage: Storage<ServiceSchema>;
  closing: Closing;
}

async function startOn(start: ServiceStart): Promise<LocalService> {
  const { options, seed, storage, closing } = start;
  const { port = 0, host = "127.0.0.1", tls } = options;
  const profile: Profile = PROFILES[options.profile ?? "fast"];
  const { state, token } = await openState(start, profile);
  const { clock, edits } = state;
  const { load, reset } = createSeeding(state);
  const requests: ServiceRequestRecord[] = [];
  const controlKey = randomBytes(24).toString("base64url");
  const app = await openApp(start, profile, {
    state,
    requests,
    control: { key: controlKey, reset, load: async (value) => load(parseSeed(value)) },
  });
  const server = await listenForService(app, { host, port, tls });
  closing.add(() => server.close());
  const origin = `${tls === undefined ? "http" : "https"}://127.0.0.1:${server.port}`;
  const [firstDoc] = seed.docs;
  return {
    url: origin + API_PATH,
    controlUrl: `${origin}/__emulator/${controlKey}`,
    token,
    docId: firstDoc === undefined ? "" : getDocId(firstDoc),
    automationRuleId: (firstDoc === undefined ? undefined : findAutomationId(firstDoc)) ?? "",
    clock,
    requests,
    handler: app,
    acceptTokensFrom: (introspection) => {
      checkIntrospection(introspection);
      state.introspection = introspection;
    },
    ingest: (runs) =>
      storage.transaction((transaction) =>
        ingestRuns(transaction, packRunsSchema.parse(runs), clock.now()),
      ),
    settle: () => edits.pump({ all: true }),
    reset,
    close: closing.close,
    [Symbol.asyncDispose]: closing.close,
  };
}

/** What every request handler works with, on a database that has a seed. */
async function openState(
  { options, seed, storage, closing }: ServiceStart,
  profile: Profile,
): Promise<{ state: ServiceState; token: string }> {
  const { database = IN_MEMORY, now = Date.now, random = Math.random } = options;
  const clock = createClock(now);
  const { pageTokenKey, secretsKey, ...shared } = await prepare(storage, seed, clock.now());
  const { token = shared.token } = options;
  const cache = openReadCache(storage);
  const ids = createIds();
  const settings = settingsFrom(options, profile);
  const indexes = createColumnIndexes(storage);
  closing.add(() => indexes.close());
  const edits = createEditQueue({
    storage,
    indexes,
    cache,
    clock,
    settings,
    actions: options.actions,
    isAlone: database === IN_MEMORY,
    random,
    newId: ids.edit,
  });
  closing.add(() => edits[Symbol.asyncDispose]());
  const purge = createPurge(storage, clock);
  closing.add(() => purge[Symbol.asyncDispose]());
  const state: ServiceState = {
    storage,
    cache,
    clock,
    machineNow: now,
    ids,
    edits,
    purge,
    indexes,
    settings,
    pageTokenKey,
    random,
    tokenDigest: sha256(token),
    introspection: options.tokenIntrospection,
    secrets: openRegistrySecrets(database, secretsKey, options.secretsKeyFile),
    packChecks: options.packChecks,
  };
  // Edits that an earlier run accepted wait in the database. They are applied while the service
  // listens.
  edits.reload();
  return { state, token };
}

function settingsFrom(options: ServiceOptions, profile: Profile): ServiceSettings {
  return {
    latency:
      options.latency ??
      (options.mutationDelayMs === undefined ? profile.latency : { ms: options.mutationDelayMs }),
    isHeld: false,
    snapshotLagMs: options.snapshotLagMs ?? profile.snapshotLagMs,
    failedMutation: options.failedMutation ?? "warning",
    dialect: options.dialect ?? "spec",
    shuffleNames: options.shuffleNames ?? profile.shuffleNames,
    strict: options.strict ?? false,
    publicUrl: options.publicUrl,
    canonicalOrigins: options.canonicalOrigins ?? ["https://docs.service.example"],
  };
}

/** Replaces everything that the service holds. */
function createSeeding({ storage, edits, clock }: ServiceState) {
  const load = async (next: Seed): Promise<void> => {
    await storage.transaction((transaction) => loadSeed(transaction, next, clock.now()));
    await refreshStatistics(storage, countParts(next));
    edits.reload();
  };
  const reset = async (): Promise<void> => {
    // It was saved with the seed.
    await storage.transaction((transaction) => restoreSnapshot(transaction, SEED_SNAPSHOT));
    edits.reload();
  };
  return { load, reset };
}

interface AppParts {
  state: ServiceState;
  requests: ServiceRequestRecord[];
  control: Pick<ControlPlaneOptions, "key" | "reset" | "load">;
}

/** Answers requests, with limits, faults and the control plane. */
async function openApp(
  { options, storage, closing }: ServiceStart,
  profile: Profile,
  { state, requests, control }: AppParts,
): Promise<RequestListener> {
  const { now = Date.now, random = Math.random, publicUrl, tls } = options;
  const limits = options.rateLimits ?? profile.rateLimits;
  const rateLimits = createRateLimits(state.clock, openRequestTimes(storage), limits);
  const faults = createFaults(random, options.faults ?? profile.faults);
  const controls = await openSharedControls({ state, now, rateLimits, faults });
  closing.add(() => controls[Symbol.dispose]());
  return createApp({
    state,
    rateLimits,
    faults,
    record: (request) => {
      requests.push(request);
      if (requests.length > MAX_REQUESTS_KEPT) requests.shift();
    },
    control: {
      ...control,
      change: controls.change,
      state,
      rateLimits,
      faults,
      requests: () => requests,
    },
    onFailure: options.onFailure ?? (() => {}),
    servesHost: createHostCheck({ publicUrl, certificate: tls?.cert }),
  });
}

/** What all services of a database share, as long as the database lives. */
interface SharedSettings {
  /** Signs page tokens. */
  pageTokenKey: Buffer;
  /** Encrypts the secrets of Packs where no file has the key. */
  secretsKey: Buffer;
  /** A token of the first user with every right. */
  token: string;
}

/** Fills an empty database. */
async function prepare(
  storage: Storage<ServiceSchema>,
  seed: Seed,
  nowMs: number,
): Promise<SharedSettings> {
  let loaded = 0;
  const shared = await storage.transaction(async (transaction) => {
    const shareKey = async (name: string) =>
      Buffer.from(
        await shareSetting(transaction, name, () => randomBytes(32).toString("base64url")),
        "base64url",
      );
    if ((await readSetting(transaction, "page-token-key")) === undefined) {
      await loadSeed(transaction, seed, nowMs);
      await saveSnapshot(transaction, SEED_SNAPSHOT);
      loaded = countParts(seed);
    }
    return {
      pageTokenKey: await shareKey("page-token-key"),
      secretsKey: await shareKey("secrets-key"),
      token: await shareSetting(transaction, "token", randomUUID),
    };
  });
  await refreshStatistics(storage, loaded);
  return shared;
}

/** How many documents and rows a seed has. */
function countParts({ docs }: Seed): number {
  const tables = docs.flatMap((doc) => doc.tables ?? []);
  return tables.reduce(
    (sum, table) => sum + ("rows" in table ? (table.rows?.length ?? 0) : 0),
    docs.length,
  );
}
