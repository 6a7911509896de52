import { randomBytes, randomUUID } from "node:crypto";
import { listenOnLoopback } from "../../loopback-server.ts";
import { openDatabase, type Storage } from "../../storage/database.ts";
import { API_PATH, createApp, type ServiceRequestRecord } from "./app.ts";
import { createClock, type ServiceClock } from "./clock.ts";
import { createControlPlane } from "./control-plane.ts";
import { demoSeed } from "./demo-seed.ts";
import { createIds } from "./ids.ts";
import type { TokenIntrospection } from "./introspection.ts";
import { automationIdOf, docIdOf, loadSeed } from "./load-seed.ts";
import { createMutationQueue } from "./mutation-queue.ts";
import { createRateLimits, type RateLimitOptions } from "./rate-limits.ts";
import { type ServiceSchema, serviceMigrations } from "./schema.ts";
import { parseSeed, type Seed } from "./seed.ts";
import type { ServiceState } from "./state.ts";

export interface ServiceOptions {
  /** Port on 127.0.0.1; 0 takes a free one. @default 0 */
  port?: number | undefined;
  /** Path of a SQLite file that keeps the documents. The seed is used only while it is empty. @default ":memory:" */
  database?: string | undefined;
  /** What the service holds at first. @default a document with tasks and projects */
  seed?: Seed | undefined;
  /** Milliseconds since the epoch. @default Date.now */
  now?: (() => number) | undefined;
  /** How long an accepted edit waits before it is applied, in milliseconds on the service's clock. @default 100 */
  mutationDelayMs?: number | undefined;
  /** Accepts the tokens of an authorization server as well (RFC 7662); they act as the first user of the seed. */
  tokenIntrospection?: TokenIntrospection | undefined;
  /** Refuses what the documented limits do not allow. @default no limits */
  rateLimits?: RateLimitOptions | undefined;
  /** The token that `LocalService.token` gives out. @default a random one */
  token?: string | undefined;
}

/** A document service on this machine. */
export interface LocalService extends AsyncDisposable {
  /** The versioned API root: `http://127.0.0.1:N/apis/v1`. */
  readonly url: string;
  /** `http://127.0.0.1:N/__emulator`: reset, seed, clock, mutations, requests. */
  readonly controlUrl: string;
  /** A token of the first user that may do everything. It is new with every start. */
  readonly token: string;
  /** The first document of the seed. */
  readonly docId: string;
  /** Its first automation rule; empty when it has none. */
  readonly automationRuleId: string;
  readonly clock: ServiceClock;
  /** The latest requests, without headers and bodies. */
  readonly requests: readonly ServiceRequestRecord[];
  /** Sets or replaces the authorization server whose tokens are accepted. */
  acceptTokensOf(introspection: TokenIntrospection): void;
  /** Applies every accepted edit now. */
  settle(): Promise<void>;
  /** Goes back to the seed. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

const MAX_REQUESTS_KEPT = 1_000;

/**
 * Starts a document service that speaks the documented interface.
 * @throws {PackError} PORT_IN_USE, SEED_INVALID, DATABASE_UNREADABLE, DATABASE_UNSUPPORTED, DATABASE_NEWER, DATABASE_BUSY
 */
export async function startService(options: ServiceOptions = {}): Promise<LocalService> {
  const { port = 0, database = ":memory:", now = Date.now, mutationDelayMs = 100, token = randomUUID() } = options;
  const seed = options.seed === undefined ? demoSeed() : parseSeed(options.seed);
  const clock = createClock(now);
  const ids = createIds();
  const storage = await openDatabase<ServiceSchema>({ url: database, schema: "packsmith_service", migrations: serviceMigrations });
  try {
    const pageTokenKey = await prepare(storage, seed, clock.now());
    const mutations = createMutationQueue({ storage, clock, delayMs: mutationDelayMs, newId: ids.mutation });
    const state: ServiceState = { storage, clock, ids, mutations, pageTokenKey, token, introspection: options.tokenIntrospection };
    // Edits that an earlier run accepted wait in the database.
    await mutations.pump();
    const requests: ServiceRequestRecord[] = [];
    const load = (next: Seed) => storage.transaction((transaction) => loadSeed(transaction, next, clock.now()));
    const reset = () => load(seed);
    const control = createControlPlane({ state, requests: () => requests, reset, load: async (value) => load(parseSeed(value)) });
    const record = (request: ServiceRequestRecord) => {
      requests.push(request);
      if (requests.length > MAX_REQUESTS_KEPT) requests.shift();
    };
    const { rateLimits: limited } = options;
    const rateLimits = limited && { limits: createRateLimits(clock, limited), retryAfter: limited.retryAfter ?? false };
    const server = await listenOnLoopback(createApp({ state, rateLimits, record, control }), port);
    const origin = `http://127.0.0.1:${server.port}`;
    const [firstDoc] = seed.docs;
    let closed: Promise<void> | undefined;
    const close = () => {
      closed ??= server
        .close()
        .then(() => mutations[Symbol.asyncDispose]())
        .then(() => storage.close());
      return closed;
    };
    return {
      url: origin + API_PATH,
      controlUrl: `${origin}/__emulator`,
      token,
      docId: firstDoc === undefined ? "" : docIdOf(firstDoc),
      automationRuleId: (firstDoc === undefined ? undefined : automationIdOf(firstDoc)) ?? "",
      clock,
      requests,
      acceptTokensOf: (introspection) => {
        state.introspection = introspection;
      },
      settle: () => mutations.pump({ all: true }),
      reset,
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await storage.close();
    throw error;
  }
}

/** Fills an empty database. @returns the key of page tokens, which lives as long as the database */
async function prepare(storage: Storage<ServiceSchema>, seed: Seed, nowMs: number): Promise<Buffer> {
  return await storage.transaction(async (transaction) => {
    const known = await transaction.selectFrom("settings").select("value").where("name", "=", "page-token-key").executeTakeFirst();
    if (known !== undefined) return Buffer.from(known.value, "base64url");
    await loadSeed(transaction, seed, nowMs);
    const key = randomBytes(32);
    await transaction
      .insertInto("settings")
      .values({ name: "page-token-key", value: key.toString("base64url") })
      .execute();
    return key;
  });
}
