import type { HttpStatusCode, InvocationErrorType } from "./enumerations.ts";
import type { Fetcher, TemporaryBlobStorage } from "./fetch.ts";
import type { ArraySchema, ObjectSchema, Schema } from "./schema.ts";
import type { InvocationSource, PermissionSyncMode } from "./sync-enumerations.ts";
import type { Untyped } from "./untyped.ts";

/** Where the formula was called from. */
export interface InvocationLocation {
  /** Protocol and host of the document service, without a trailing slash. */
  protocolAndHost: string;
  source?: InvocationSource | undefined;
  /** Accepted from older Packs. */
  docId?: string | undefined;
  /** Accepted from older Packs. */
  userId?: number | undefined;
}

interface BaseInvocationError<Kind extends InvocationErrorType> {
  readonly type: Kind;
}
/** The attempt before ended with a status of 400 or above. */
export interface HttpStatusInvocationError extends BaseInvocationError<"HttpStatusError"> {
  readonly statusCode: HttpStatusCode | number;
}
/** The attempt before was held back by a rate limit. */
export type RateLimitExceededInvocationError = BaseInvocationError<"RateLimitExceeded">;
/** The attempt before took too long. */
export type TimeoutInvocationError = BaseInvocationError<"Timeout">;
/** The attempt before got more bytes than the platform allows. */
export type ResponseTooLargeInvocationError = BaseInvocationError<"ResponseTooLarge">;
/** The attempt before failed for another reason. */
export type UnknownInvocationError = BaseInvocationError<"Unknown">;
/** Why the attempt before this one failed; `type` decides the members. */
export type InvocationError =
  | HttpStatusInvocationError
  | RateLimitExceededInvocationError
  | TimeoutInvocationError
  | ResponseTooLargeInvocationError
  | UnknownInvocationError;

/** The non-secret answers that the user gave when the account was connected (connection variables and callback parameters). */
export interface ConnectionValues {
  readonly variables: Readonly<Record<string, string>>;
  readonly callbackParams: Readonly<Record<string, string>>;
}

/** What a formula receives beside its arguments. It never holds a credential (rule 43). */
export interface ExecutionContext {
  /** Sends requests to the Pack's network domains, with the account's credentials. */
  readonly fetcher: Fetcher;
  /** Keeps images and files for a short time under a URL. */
  readonly temporaryBlobStorage: TemporaryBlobStorage;
  /** The account's endpoint: an https origin with an optional path and no trailing slash. Absent when the account has none. */
  readonly endpoint?: string | undefined;
  /** What the account's connection variables and callback parameters hold, secrets left out. */
  readonly connection?: ConnectionValues | undefined;
  readonly invocationLocation: InvocationLocation;
  /** IANA time zone of the document, such as `"Europe/Berlin"`. */
  readonly timezone: string;
  /** A random token that is unique to this invocation. */
  readonly invocationToken: string;
  /** Present while a table is synced, and while the functions of a dynamic table are asked. */
  readonly sync?: (SyncBase & { readonly continuation?: Untyped }) | undefined;
  /** Why the attempt before this one failed; absent on the first. */
  readonly previousAttemptError?: InvocationError | undefined;
  /** Accepted from older Packs. */
  readonly authenticationName?: string | undefined;
  /** Accepted from older Packs. */
  readonly executionId?: string | undefined;
}

/** Where the next page begins: whatever the formula returned as `continuation` for the page before. */
export interface Continuation {
  [name: string]: string | number | { [name: string]: string | number };
}

/** What every sync knows. */
export interface SyncBase {
  /** The schema of a dynamic table, as `getSchema` gave it. */
  readonly schema?: ArraySchema<ObjectSchema> | ObjectSchema | undefined;
  /** The table that was chosen, when it is dynamic. */
  readonly dynamicUrl?: string | undefined;
  /** The arguments of the sync by the names of their parameters. */
  readonly parameters?: Readonly<Record<string, Untyped>> | undefined;
  /** Accepted from older Packs. */
  readonly executionId?: string | undefined;
  /** Accepted from older Packs. */
  readonly permissionSyncMode?: PermissionSyncMode | undefined;
}

/** A sync of all rows. */
export interface SyncFull<NextPage = Continuation> extends SyncBase {
  /** Absent on the first page. */
  readonly continuation?: NextPage | undefined;
  readonly previousCompletion?: undefined;
}

/** A sync of what changed since the sync before. */
export interface SyncIncremental<NextPage, Checkpoint> extends SyncBase {
  /** Absent on the first page. */
  readonly continuation?: NextPage | undefined;
  /** What the sync before returned as its completion. */
  readonly previousCompletion: { readonly incrementalContinuation: Checkpoint };
}

/** A running sync. @template NextPage of a full sync @template Checkpoint of the sync before @template NextChange of an incremental sync */
export type Sync<NextPage = Continuation, Checkpoint = NextPage, NextChange = NextPage> =
  | SyncFull<NextPage>
  | SyncIncremental<NextChange, Checkpoint>;

/** The sync to which updates belong. */
export type UpdateSync = SyncBase;

/** Accepted from older Packs. */
export interface SyncStateService {
  getLatestRowVersions(rowIds: string[]): Promise<Record<string, string | undefined>>;
}

/** What the formula of a sync table receives beside its arguments. */
export interface SyncExecutionContext<NextPage = Continuation, Checkpoint = NextPage, NextChange = NextPage> extends ExecutionContext {
  readonly sync: Sync<NextPage, Checkpoint, NextChange>;
  /** Accepted from older Packs. */
  readonly syncStateService?: SyncStateService | undefined;
}

/** What `executeUpdate` receives beside its arguments and the updates. */
export interface UpdateSyncExecutionContext extends ExecutionContext {
  readonly sync: UpdateSync;
}

/** What a function that lists the options of a property receives. */
export interface PropertyOptionsExecutionContext extends SyncExecutionContext {
  /** The property, as the schema names it. */
  readonly propertyName: string;
  readonly propertySchema: Schema;
  /** The values of the row, by property. What is read of them decides how long the options are reused. */
  readonly propertyValues: Readonly<Record<string, Untyped>>;
  /** What the user typed. */
  readonly search: string;
}
