import type { KnownDoc } from "./versions.ts";

/**
 * What is kept changes with this: users, tokens and the workspace with everything that the service
 * holds; tables, columns, pages and permissions with the structure of their document; sizes with
 * its snapshot.
 */
export type Kept = "service" | { structureOf: string } | { snapshotOf: string };

/** Keeps what was read until it may have changed. */
export interface ReadCache {
  read<Value>(key: string, of: Kept, load: () => Promise<Value>): Promise<Value>;
  /** A document as this request sees it, also one that was deleted. */
  readDoc(docId: string): Promise<KnownDoc | undefined>;
  /** The cache of one request, most often for one document. */
  ofRequest(docId?: string | undefined): ReadCache;
  /** What is read from now on is not older than this moment. */
  refresh(): void;
}
