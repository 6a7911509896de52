import type { InvocationError, InvocationLocation } from "../define/context.ts";

/** What the parent asks a loaded Pack to do. */
export type IsolateCall =
  | { kind: "formula"; name: string; args: readonly unknown[] }
  | { kind: "sync"; table: string; args: readonly unknown[] }
  | { kind: "update"; table: string; args: readonly unknown[]; updates: readonly unknown[] }
  | { kind: "permissions"; table: string; args: readonly unknown[]; request: unknown }
  | MetadataCall
  | PropertyOptionsCall
  | { kind: "matchFormats"; text: string };

/** Asks a metadata function, or a metadata formula, that stands somewhere in the definition. */
export interface MetadataCall {
  kind: "metadata";
  /** For messages, such as `"getConnectionName"`. */
  name: string;
  /** Where the function stands, such as `["syncTables", 0, "getName"]`. */
  at: readonly (string | number)[];
  search: string;
  /** The values of the other parameters, by name. */
  values: Readonly<Record<string, unknown>>;
}

export interface PropertyOptionsCall {
  kind: "propertyOptions";
  name: string;
  at: readonly (string | number)[];
  propertyName: string;
  /** Of a dynamic table; the schema of another one stands in its definition, at `schemaAt`. */
  propertySchema?: unknown;
  schemaAt?: readonly (string | number)[] | undefined;
  propertyValues: Readonly<Record<string, unknown>>;
  search: string;
}

/** Which authentication of the Pack: the user's, the Pack's own, or one that an administrator sets up, by name. */
export type AuthenticationSlot = "user" | "system" | `admin:${string}`;

/** The data members of the execution context; the functions are made inside the sandbox. */
export interface ContextData {
  endpoint: string | undefined;
  connection?: { variables: Readonly<Record<string, string>>; callbackParams: Readonly<Record<string, string>> } | undefined;
  invocationLocation: InvocationLocation;
  timezone: string;
  invocationToken: string;
  sync?: SyncData | undefined;
  previousAttemptError?: InvocationError | undefined;
  authenticationName?: string | undefined;
  executionId?: string | undefined;
  /** The versions of rows that `syncStateService` knows, by row id. */
  rowVersions?: Readonly<Record<string, string>> | undefined;
}

/** What the Pack sees as `context.sync`. */
export interface SyncData {
  continuation?: unknown;
  previousCompletion?: unknown;
  schema?: unknown;
  dynamicUrl?: string | undefined;
  parameters?: Readonly<Record<string, unknown>> | undefined;
  executionId?: string | undefined;
  permissionSyncMode?: string | undefined;
}

/** An error of the Pack as data: text that the sandbox wrote, never an object of it. */
export interface SandboxError {
  name: string;
  message: string;
  stack: string | undefined;
  isUserVisible: boolean;
  statusCode: number | undefined;
  /** The request whose failure this is, when the Pack let that failure through. */
  fetchId: number | undefined;
}

/** How a failed request looks to the Pack. */
export interface FetchFailure {
  name: string;
  message: string;
  /** Own members of the error object, such as `statusCode` and `body`. */
  members: Record<string, unknown>;
}

/** Messages into the sandbox. Beside `fetched` may come the text of the body, which then takes the place of `response.body`. */
export type SandboxInput =
  | { k: "call"; run: number; call: IsolateCall; context: ContextData /** What `Date` says. */; nowMs?: number }
  | { k: "fetched"; id: number; response: unknown }
  | { k: "fetchFailed"; id: number; failure: FetchFailure };

/** Messages out of the sandbox, as a JSON array. Their content is untrusted. */
export type SandboxOutput =
  | { k: "loaded"; snapshot: string }
  | { k: "noPack"; exports: string[] }
  | { k: "loadFailed"; error: SandboxError }
  | { k: "log"; level: LogEntry["level"]; message: string }
  | { k: "fetch" | "blob"; run: number; id: number; request: unknown }
  | {
      k: "done";
      run: number;
      value: unknown;
      /** Which members of a property options context were read. */
      used?: string[];
      /** So many rows of a sync, `result` of the value, come as the next thing out of the sandbox, in a text of their own. */
      rows?: number;
    }
  | { k: "failed"; run: number; error: SandboxError }
  | { k: "unsendable"; run: number; path: string; reason: string };

/** The rows of a sync: in tables when they are alike, else as they are, perhaps with tags; or why they cannot be sent. */
export type RowsOutput = { tables: unknown[] } | { rows: unknown } | { problem: { path: string; reason: string } };

/** Messages of the worker itself, beside those that it passes on. */
export type WorkerReport =
  | { k: "syntax"; message: string; line: number | undefined }
  | { k: "dynamicImport" }
  | { k: "outOfMemory" }
  | { k: "broken" };

/** Begins the message that makes the worker begin anew: a new context with the same bundle. Its seed comes behind it. */
export const RENEW = "renew ";
/** The message that makes the worker forget the bundle: a new context, and the next message is a `LoadRequest`. */
export const RESET = "reset";

/** What `worker.ts` receives first. */
export interface LoadRequest {
  code: string;
  fileName: string;
  /** What the Pack's random numbers come from: 32 bytes in hexadecimal. The worker has none of its own; its module loads slowly. */
  seed: string;
}

export interface SandboxLimits {
  /** Most characters of one value that crosses the border. */
  maxValueLength: number;
  /** Most console lines of one run. */
  maxLogEntries: number;
  /** Most characters of one console line. */
  maxLogLength: number;
  /** Most requests of one run. */
  maxFetches: number;
}

/** A console line of the Pack. */
export interface LogEntry {
  level: "trace" | "debug" | "info" | "warn" | "error" | "log";
  message: string;
}
