import type { RowEdit } from "../contract/wire.ts";

/** An accepted edit as it waits in the queue. */
export type Edit =
  | {
      kind: "insert";
      tableId: string;
      rows: readonly { rowId: string; cells: RowEdit["cells"] }[];
      /** Column references; without any, every row is added. */
      keyColumns: readonly string[];
      parse: boolean;
    }
  | { kind: "update"; tableId: string; rowId: string; cells: RowEdit["cells"]; parse: boolean }
  | { kind: "delete"; tableId: string; rowIds: readonly string[] }
  | { kind: "push"; tableId: string; rowId: string; columnId: string }
  /** Nothing is left to do: the work was done when the request was accepted. */
  | { kind: "none" };
