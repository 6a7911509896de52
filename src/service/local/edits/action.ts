import type { CellEdit } from "../../contract/models/responses.ts";

/** A formula of a Pack that a button runs. */
export interface ActionCall {
  /** How the seed calls the Pack; undefined when it names none. */
  pack: string | undefined;
  formula: string;
  /** Values in the order of the formula's parameters; the cells of the row are filled in. */
  args: readonly CellEdit[];
  docId: string;
  tableId: string;
  rowId: string;
}

/** Runs the action of a Pack for a button. What it throws becomes the warning of the edit. */
export type ActionRunner = (call: ActionCall) => Promise<unknown>;
