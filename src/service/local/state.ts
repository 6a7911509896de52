import type { Storage } from "../../storage/storage.ts";
import type { TokenIntrospection } from "./api/introspection.ts";
import type { ServiceClock } from "./clock.ts";
import type { MutationQueue } from "./edits/mutation-queue.ts";
import type { ServiceSettings } from "./settings.ts";
import type { Ids } from "./store/ids.ts";
import type { ReadCache } from "./store/read-cache.ts";
import type { ServiceSchema } from "./store/schema.ts";

/** What every request handler works with. */
export interface ServiceState {
  readonly storage: Storage<ServiceSchema>;
  readonly cache: ReadCache;
  readonly clock: ServiceClock;
  readonly ids: Ids;
  readonly mutations: MutationQueue;
  readonly settings: ServiceSettings;
  /** Signs page tokens. */
  readonly pageTokenKey: Buffer;
  /** At least 0, less than 1. */
  random(): number;
  /** SHA-256 of the token that this start of the service handed out. It stands for the first user and may do everything. */
  readonly tokenDigest: Buffer;
  introspection: TokenIntrospection | undefined;
}
