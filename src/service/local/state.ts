import type { Storage } from "../../storage/storage.ts";
import type { TokenIntrospection } from "./api/introspection.ts";
import type { ServiceClock } from "./clock.ts";
import type { EditQueue } from "./edits/edit-queue.ts";
import type { EditSettings } from "./edits/edit-settings.ts";
import type { PackChecks } from "./registry/pack-checks.ts";
import type { RegistrySecrets } from "./registry/registry-secrets.ts";
import type { ColumnIndexes } from "./store/column-indexes.ts";
import type { Ids } from "./store/ids.ts";
import type { Purge } from "./store/purge.ts";
import type { ReadCache } from "./store/read-cache.ts";
import type { ServiceSchema } from "./store/schema.ts";

/**
 * How the service behaves where the specification leaves it open. The control plane changes some of
 * it.
 */
export interface ServiceSettings extends EditSettings {
  /** Where the specification and the public service differ, which one is followed. */
  dialect: "spec" | "public";
  /** Of equal names any one is found, so that clients do not rely on the first. */
  shuffleNames: boolean;
  /** Lists the ignored parts of a request in a header. */
  strict: boolean;
  /** The origin of every link; the host of the request when undefined. */
  publicUrl: string | undefined;
  /** Origins whose browser links are resolved, in addition to the service's own. */
  canonicalOrigins: readonly string[];
}

/** What every request handler works with. */
export interface ServiceState {
  readonly storage: Storage<ServiceSchema>;
  readonly cache: ReadCache;
  readonly clock: ServiceClock;
  /** What other servers take for the time, whatever the clock was set to. */
  machineNow(): number;
  readonly ids: Ids;
  readonly edits: EditQueue;
  readonly purge: Purge;
  readonly indexes: ColumnIndexes;
  readonly settings: ServiceSettings;
  /** Signs page tokens. */
  readonly pageTokenKey: Buffer;
  /** At least 0, less than 1. */
  random(): number;
  /**
   * SHA-256 of the token that this start of the service handed out. It belongs to the first user
   * and has every right.
   */
  readonly tokenDigest: Buffer;
  introspection: TokenIntrospection | undefined;
  /** Encrypts the secrets of Packs. */
  readonly secrets: RegistrySecrets;
  /** Validates and compares Packs; undefined when the service was started without. */
  readonly packChecks: PackChecks | undefined;
}
