import type { InvocationError, InvocationLocation } from "../define/invocation.ts";
import type { LogEntry } from "./log-entry.ts";

/** A call of a loaded Pack. */
export type IsolateCall =
  | { kind: "formula"; name: string; args: readonly unknown[] }
  | { kind: "sync"; table: string; args: readonly unknown[] }
  | { kind: "update"; table: string; args: readonly unknown[]; updates: readonly unknown[] }
  | { kind: "permissions"; table: string; args: readonly unknown[]; request: unknown }
  | MetadataCall
  | PropertyOptionsCall
  | { kind: "matchFormats"; text: string };

/** Calls a metadata formula, which may be anywhere in the definition. */
export interface MetadataCall {
  kind: "metadata";
  /** For messages, such as `"getConnectionName"`. */
  name: string;
  /** Path of the function, such as `["syncTables", 0, "getName"]`. */
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
  /** Of a dynamic table. The schema of another table is in its definition, at `schemaAt`. */
  propertySchema?: unknown;
  schemaAt?: readonly (string | number)[] | undefined;
  propertyValues: Readonly<Record<string, unknown>>;
  search: string;
}

/** The data members of the execution context. Its functions are created inside the sandbox. */
export interface ContextData {
  endpoint: string | undefined;
  connection?:
    | {
        variables: Readonly<Record<string, string>>;
        callbackParams: Readonly<Record<string, string>>;
      }
    | undefined;
  invocationLocation: InvocationLocation;
  timezone: string;
  invocationToken: string;
  sync?: SyncData | undefined;
  previousAttemptError?: InvocationError | undefined;
  authenticationName?: string | undefined;
  executionId?: string | undefined;
  /** The result of `syncStateService.getLatestRowVersions`, by row id. */
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

/** An error of the Pack as data: text that the sandbox wrote, never one of its objects. */
export interface SandboxError {
  /** The class of the error; undefined if the Pack threw something else, such as a text. */
  name: string | undefined;
  message: string;
  stack: string | undefined;
  isUserVisible: boolean;
  /** Whether it is a `StatusCodeError` or of a class that extends it. */
  isFailedRequest: boolean;
  statusCode: number | undefined;
  /** The failed request, when the Pack did not catch its error. */
  fetchId: number | undefined;
}

/** A failed request as the Pack sees it. */
export interface FetchFailure {
  name: string;
  message: string;
  /** Own members of the error object, such as `statusCode` and `body`. */
  members: Record<string, unknown>;
}

/** What the sandbox makes of the bytes of a body. JSON, XML and text are UTF-8. */
export type BodyForm = "json" | "xml" | "text" | "bytes";

/** The body of a response, as its server sent it. */
export interface RawBody {
  form: BodyForm;
  bytes: Uint8Array;
}

/**
 * Messages into the sandbox. With a `body`, the bytes of the body follow the message. They replace
 * `response.body`, or the members of a failure that show the body.
 */
export type SandboxInput =
  | {
      k: "call";
      run: number;
      call: IsolateCall;
      context: ContextData /** The time that `Date` shows. */;
      nowMs?: number;
    }
  | { k: "fetched"; id: number; response: unknown; body?: BodyForm }
  | { k: "fetchFailed"; id: number; failure: FetchFailure; body?: BodyForm };

/** A loaded Pack as two snapshots: what its author wrote, and what the service loads. */
export interface PackSnapshots {
  written: string;
  compiled: string;
}

/** Messages out of the sandbox, as a JSON array. Their content is untrusted. */
export type SandboxOutput =
  | ({ k: "loaded" } & PackSnapshots)
  | { k: "noPack"; exports: string[] }
  | { k: "loadFailed"; error: SandboxError }
  | { k: "log"; level: LogEntry["level"]; message: string }
  | { k: "fetch" | "blob"; run: number; id: number; request: unknown }
  | {
      k: "done";
      run: number;
      value: unknown;
      /** Members of the context that a property options function read. */
      used?: string[];
      /**
       * Number of rows of a sync. The rows, `result` of the value, are the next text out of the
       * sandbox.
       */
      rows?: number;
    }
  | { k: "failed"; run: number; error: SandboxError }
  | { k: "unsendable"; run: number; path: string; reason: string };

/** The rows of a sync, or why they cannot be sent. */
export type RowsOutput = { rows: unknown } | { problem: { path: string; reason: string } };

/** Messages of the process itself, in addition to those of the sandbox. */
export type ProcessReport =
  | { k: "syntax"; message: string; line: number | undefined }
  | { k: "dynamicImport" }
  | { k: "outOfMemory" }
  | { k: "broken" };

/**
 * Prefix of the message that makes the process load the same bundle into a new context. The new
 * seed follows it.
 */
export const RENEW = "renew ";
/**
 * The message that makes the process drop the bundle: a new context, and the next message is a
 * `LoadRequest`.
 */
export const RESET = "reset";

/** The first message of a Pack. */
export interface LoadRequest {
  code: string;
  fileName: string;
  /** Seed of the Pack's random numbers: 32 bytes in hexadecimal. */
  seed: string;
  /**
   * Text of a script that makes URL and URLSearchParams, for a bundle that mentions one of them.
   */
  urls: string | undefined;
}

/** Limit of characters of one value that enters or leaves the sandbox. */
export const MAX_VALUE_LENGTH = 25 * 1024 * 1024;

/** Limit of requests of one run. */
export const MAX_REQUESTS = 10_000;
/** Limit of console lines of one run; another one says that there were more. */
export const MAX_CONSOLE_LINES = 1000;
/** Limit of characters of a console line, without the mark that it was cut. */
export const MAX_CONSOLE_LINE = 10_000;
/** Limit of characters of the message of a `StatusCodeError`, without the mark that it was cut. */
export const MAX_STATUS_MESSAGE = 2_000;
/** Limits of characters of what the Pack throws. */
export const MAX_ERROR_NAME = 200;
export const MAX_ERROR_MESSAGE = 10_000;
export const MAX_ERROR_STACK = 20_000;
