import type { Storage } from "../../../storage/storage.ts";
import type { ServiceClock } from "../clock.ts";
import type { ColumnIndexes } from "../store/column-indexes.ts";
import type { ServiceSchema } from "../store/schema.ts";
import type { OutsideWork } from "./edit.ts";
import type { EditSettings } from "./edit-settings.ts";

export interface BatchOptions {
  storage: Storage<ServiceSchema>;
  indexes: ColumnIndexes;
  clock: ServiceClock;
  settings: EditSettings;
  /** How long a slice of a large edit is, in milliseconds. @default as the engine needs */
  sliceMs?: number | undefined;
  /** Whether no more slices are begun: another start goes on with them. */
  isClosed(): boolean;
  /** What is left to do outside of the database, after the batch. */
  startWork(docId: string, id: string, work: OutsideWork): void;
}

/** Which edits of a document are applied. */
export interface Batch {
  docId: string;
  /** Those that are due now, or in so many milliseconds. */
  aheadMs: number;
  /** How many at most. */
  most: number;
  /** Whether edits that change rows in the same way are applied together. @default true */
  together?: boolean | undefined;
}
