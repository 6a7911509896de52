import type { PackView } from "../wire/pack.ts";

/** What every view gets. */
export interface ViewProps {
  pack: PackView;
  /** What follows the view in the address: `#/run/ListTasks` has `["ListTasks"]`. */
  parts: readonly string[];
}
