import type { FailureView } from "./common.ts";

/** The local document service, as far as it changes while somebody looks at it. */
export interface ServiceView {
  /** Undefined while there is none. */
  running: RunningServiceView | undefined;
  access: PackAccessView;
}

export interface RunningServiceView {
  /** Started by this server, and ended with it; else it runs elsewhere on this machine. */
  isOwn: boolean;
  origin: string;
  /** Why it does not answer. What follows is empty then. */
  failure: FailureView | undefined;
  /** Another text when documents may have changed. */
  fingerprint: string;
  /** The present of the service, in milliseconds. */
  nowMs: number;
  isFrozen: boolean;
  /** New edits wait until they are completed by hand. */
  isHeld: boolean;
  /** How long an accepted edit waits: `100 ms`, `immediate`, `realistic`, `3 polls`. */
  latency: string;
  /** Those that wait. */
  pending: EditView[];
  /** The latest that are done, the latest first. */
  done: EditView[];
  isLimited: boolean;
  windows: RateWindowView[];
  faults: FaultView[];
  /** The latest first. */
  requests: ServiceRequestView[];
  /** Names of what a fault can be limited to. */
  operations: string[];
}

export interface EditView {
  requestId: string;
  docId: string;
  /** Such as `update a row`; undefined once it is done. */
  what: string | undefined;
  state: string;
  acceptedAtMs: number;
  /** When it is applied by itself; undefined when it waits for somebody. */
  dueAtMs: number | undefined;
  completedAtMs: number | undefined;
  warning: string | undefined;
}

export interface RateWindowView {
  userId: string;
  group: string;
  recent: number;
  requests: number;
  windowMs: number;
}

export interface FaultView {
  /** Which requests: `every request`, `listRows`. */
  on: string;
  /** What happens to them: `answers 503`. */
  what: string;
  /** How often still, and how likely. */
  often: string;
}

export interface ServiceRequestView {
  requestId: string;
  atMs: number;
  method: string;
  path: string;
  status: number;
  operation: string | undefined;
}

/** How the Pack reaches the service. */
export interface PackAccessView {
  /** Origins of the Pack's domains that lead to the service, or could. */
  routes: RouteView[];
  /** Undefined when no account can be made of the service's token. */
  account: { type: string /** Its name, once it was. */; made: string | undefined } | undefined;
}

export interface RouteView {
  origin: string;
  isOn: boolean;
  /** It was given on the command line, and stays. */
  isFixed: boolean;
}

export interface DocView {
  id: string;
  name: string;
  ownerName: string;
  pages: PageView[];
  tables: TableRefView[];
}

export interface PageView {
  id: string;
  name: string;
  isHidden: boolean;
  /** How deep below the first pages. */
  level: number;
}

export interface TableRefView {
  id: string;
  name: string;
  isView: boolean;
}

/** A table or a view of the service, without its rows. */
export interface ServiceTableView {
  id: string;
  name: string;
  isView: boolean;
  rowCount: number;
  columns: ServiceColumnView[];
}

export interface ServiceColumnView {
  id: string;
  name: string;
  /** Of its format: `text`, `checkbox`, `button`, … */
  type: string;
  isArray: boolean;
  isDisplay: boolean;
  /** What a person can write into it. */
  isEditable: boolean;
  /** Choices of a select; empty for other types. */
  options: string[];
  /** Of a button. */
  label: string | undefined;
}

export interface ServiceRowsView {
  rows: ServiceRowView[];
  /** Of the next page; undefined after the last one. */
  next: string | undefined;
}

export interface ServiceRowView {
  id: string;
  name: string;
  /** In the order of the columns. */
  cells: ServiceCell[];
}

/** As a person reads and writes it; a checkbox is a boolean. */
export type ServiceCell = string | number | boolean;

export interface ServicePageView {
  id: string;
  name: string;
  subtitle: string | undefined;
  lines: { id: string; style: string; level: number; text: string }[];
}
