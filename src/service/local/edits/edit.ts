import type { ContentLine } from "../../../shared/markdown/line.ts";
import type { RowEdit } from "../../contract/models/requests.ts";
import type { CellEdit } from "../../contract/models/responses.ts";
import type { ContentInsertion } from "../content/edit-content.ts";
import type { PublishedVersion } from "../registry/published-version.ts";
import type { PageSource } from "../store/doc-parts.ts";
import type { PublicationSettings } from "../store/publication.ts";

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

/**
 * Runs the action of a Pack for a button. What it throws becomes the warning of the edit.
 * @param released reads the version of a Pack that its users have, from the registry of the service
 */
export type ActionRunner = (
  call: ActionCall,
  released: (packId: number) => Promise<PublishedVersion | undefined>,
) => Promise<unknown>;

export interface PageChanges {
  name?: string | undefined;
  subtitle?: string | undefined;
  iconName?: string | undefined;
  imageUrl?: string | undefined;
  isHidden?: boolean | undefined;
}

/** An accepted edit as it waits in the queue. */
export type Edit =
  | {
      kind: "insert";
      tableId: string;
      rows: readonly { rowId: string; cells: RowEdit["cells"] }[];
      /** Column references; without any, every row is added. */
      keyColumns: readonly string[];
      parse: boolean;
      /** The caller chose the row ids: one that is there already is passed over. */
      once?: boolean | undefined;
    }
  | { kind: "update"; tableId: string; rowId: string; cells: RowEdit["cells"]; parse: boolean }
  | { kind: "delete"; tableId: string; rowIds: readonly string[] }
  | { kind: "push"; tableId: string; rowId: string; columnId: string }
  | {
      kind: "createPage";
      pageId: string;
      page: PageChanges & {
        name: string;
        parentId?: string | undefined;
        source?: PageSource | undefined;
      };
      lines: readonly ContentLine[];
      warning?: string | undefined;
    }
  | {
      kind: "updatePage";
      pageId: string;
      changes: PageChanges;
      content?: ContentInsertion | undefined;
      warning?: string | undefined;
    }
  | { kind: "deletePage"; pageId: string }
  | { kind: "deleteContent"; pageId: string; elementIds: readonly string[]; keepsOneLine: boolean }
  | { kind: "publish"; settings: PublicationSettings }
  /**
   * Work outside of the database: the action of a Pack, or a delivery to an address of this
   * machine.
   */
  | { kind: "action"; call: ActionCall }
  | { kind: "deliver"; url: string; payload: unknown; ruleId: string }
  /**
   * Nothing is left to do: the work was done when the request was accepted, or it could not be
   * done.
   */
  | { kind: "none"; warning?: string | undefined };

/** What is left to do outside of the database. */
export type OutsideWork = Extract<Edit, { kind: "action" | "deliver" }>;
