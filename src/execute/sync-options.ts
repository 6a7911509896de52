import type { FormulaArguments } from "./arguments.ts";
import type { RunOptions } from "./run.ts";

export interface ExecuteSyncTableOptions extends RunOptions {
  table: string;
  args: FormulaArguments;
  /** Which table, when it is dynamic. */
  dynamicUrl?: string | undefined;
  /** The schema of a dynamic table. @default the Pack's `getSchema` is asked */
  schema?: unknown;
  /** The sync ends when it has this many rows; those beyond are left out. @default 1_000 */
  maxRows?: number | undefined;
  /** The sync ends after this many pages. @default 100 */
  maxPages?: number | undefined;
  /** Begins with this page. @default the first one */
  continuation?: unknown;
  /** What the sync before ended with: only what changed since is synced. @default all rows are synced */
  previousCompletion?: unknown;
  /** What `syncStateService.getLatestRowVersions` gives, by row id. */
  rowVersions?: Readonly<Record<string, string>> | undefined;
  /** How the rows are to be read; accepted from older Packs. */
  permissionSyncMode?: string | undefined;
  /**
   * Begins the next page while this one is checked and worked with. A caller who does not take all pages has asked for one too
   * many. Not where requests are recorded, replayed or answered by a test. @default false
   */
  readsAhead?: boolean | undefined;
}
