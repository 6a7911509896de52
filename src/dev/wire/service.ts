import type { Column, Doc, Page, Row, Table } from "../../service/contract/models/responses.ts";
import type { ControlAnswers } from "../../service/local/control/control-answers.ts";
import type { ReportedError } from "../../shared/reported-error.ts";

/** The local document service, without its documents. */
export interface ServiceView {
  /** Undefined while no service is running. */
  running: RunningServiceView | undefined;
  access: PackAccessView;
}

export interface RunningServiceView extends Pick<ControlAnswers["clock"], "isFrozen"> {
  /** Started by this server; otherwise by another process on this machine. */
  isOwn: boolean;
  origin: string;
  /** Why it does not answer. All lists below are empty then. */
  failure: ReportedError | undefined;
  /** Changes when documents may have changed. */
  fingerprint: string;
  /** The clock of the service, in milliseconds. */
  nowMs: number;
  /** New edits wait until the user completes them. */
  isHeld: boolean;
  /** How long an accepted edit waits: `100 ms`, `immediate`, `realistic`, `3 polls`. */
  latency: string;
  /** Edits that are not applied yet. */
  pending: EditView[];
  /** The latest applied edits, newest first. */
  done: EditView[];
  isLimited: boolean;
  windows: ControlAnswers["rate-limits"]["windows"];
  faults: FaultView[];
  /** Newest first. */
  requests: ControlAnswers["requests"]["items"];
  /** Names of the operations that a fault can be limited to. */
  operations: string[];
}

export type EditView = ControlAnswers["mutations"]["items"][number];

export interface FaultView {
  /** Names it when it is removed. Faults that do the same have the same. */
  key: string;
  /** Which requests: `every request`, `listRows`. */
  on: string;
  /** What happens to them: `answers 503`. */
  what: string;
  /** How many more times, and how likely. */
  often: string;
}

/** How the Pack reaches the service. */
export interface PackAccessView {
  /** Origins of the Pack's domains that are routed to the service, or could be. */
  routes: RouteView[];
  /** Undefined if an account needs more than the service's token. */
  account:
    | { type: string /** Its name, after it was created. */; made: string | undefined }
    | undefined;
}

export interface RouteView {
  origin: string;
  isOn: boolean;
  /** Set on the command line, so the page cannot change it. */
  isFixed: boolean;
}

export interface DocView extends Pick<Doc, "id" | "name" | "ownerName"> {
  pages: PageView[];
  tables: TableRefView[];
}

export interface PageView extends Pick<Page, "id" | "name" | "isHidden"> {
  /** Depth below the top pages, from 0. */
  level: number;
}

export type TableRefView = Pick<Table, "id" | "name" | "tableType">;

/** A table or a view of the service, without its rows. */
export interface ServiceTableView extends TableRefView, Pick<Table, "rowCount"> {
  columns: ServiceColumnView[];
}

export interface ServiceColumnView
  extends Pick<Column, "id" | "name">,
    Pick<Column["format"], "type" | "isArray"> {
  isDisplay: boolean;
  /** Whether the user can edit its cells. */
  isEditable: boolean;
  /** Choices of a select; empty for other types. */
  options: string[];
  /** Label of a button. */
  label: string | undefined;
}

export interface ServiceRowsView {
  rows: ServiceRowView[];
  /** Token of the next page; undefined after the last one. */
  next: string | undefined;
}

export interface ServiceRowView extends Pick<Row, "id" | "name"> {
  /** In the order of the columns. */
  cells: ServiceCell[];
}

/** A cell as the user reads and writes it. A checkbox is a boolean. */
export type ServiceCell = string | number | boolean;

export interface ServicePageView extends Pick<Page, "id" | "name" | "subtitle"> {
  lines: { id: string; style: string; level: number; text: string }[];
}
