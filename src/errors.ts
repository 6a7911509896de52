/** The details of each error code. A code never changes its meaning or its details. */
export interface PackErrorDetails {
  // Command line and files
  USAGE_INVALID: undefined;
  CODE_UNKNOWN: { code: string };
  INTERRUPTED: undefined;
  INTERNAL: undefined;
  DEMO_STEP_FAILED: undefined;
  TARGET_NOT_EMPTY: { directory: string };
  TEMPLATE_UNKNOWN: { template: string; known: readonly string[] };
  OUTPUT_NOT_WRITABLE: { path: string };
  BUILD_INCOMPLETE: { path: string };
  OUTSIDE_PROJECT: { path: string };
  DESCRIPTION_UNREADABLE: { file: string; reason: string };
  DESCRIPTION_UNSUPPORTED: { file: string; version: string };
  DESCRIPTION_REFERENCE: { reference: string; reason: string };
  AUTHENTICATION_PRESENT: {
    file: string;
    line: number;
    differences: readonly { member: string; present: unknown; discovered: unknown }[];
  };
  DOCS_STALE: { path: string };
  PORT_IN_USE: { port: number; host: string };
  DEV_RUNNING: { url: string };
  DEV_NOT_RUNNING: undefined;
  PROVIDER_NOT_RUNNING: { file: string };
  PROFILE_UNKNOWN: { profile: string; known: readonly string[] };
  PROFILE_CONFLICT: { profiles: readonly string[]; member: string };

  // Building and loading a Pack
  PACK_FILE_UNREADABLE: { file: string };
  PACK_BUILD_FAILED: { problems: readonly BuildProblem[] };
  PACK_NAME_CONFLICT: { name: string; files: readonly string[] };
  /**
   * `thrown` is the class of the error, such as `TypeError`. `thrownAt` is the innermost place,
   * which may be in a package.
   */
  PACK_LOAD_FAILED: {
    thrown?: string | undefined;
    stack: string | undefined;
    thrownAt?: SourcePlace | undefined;
  };
  PACK_EXPORT_MISSING: { exports: readonly string[] };
  PACK_INVALID: { errors: number };

  // Releasing a Pack
  RELEASE_DIRTY: { files: readonly string[] };
  RELEASE_VERSION: { version: string; previous: string | undefined };
  RELEASE_VERSION_PLACE: { version: string };
  RELEASE_BREAKING: { version: string; previous: string; changes: number };
  RELEASE_UNCHANGED: { previous: string };
  RELEASE_DETACHED: { commit: string | undefined };
  RELEASE_COMMIT_FAILED: { files: readonly string[] };
  RELEASE_UNCOMMITTED: { file: string; version: string };
  GIT_FAILED: { folder: string; reason: string };

  // Publishing a Pack
  REGISTRY_TOKEN_MISSING: { registry: string };
  REGISTRY_TOKEN_REFUSED: { registry: string };
  REGISTRY_FORBIDDEN: { operation: string; packId: number | undefined };
  REGISTRY_UNREACHABLE: { registry: string; operation: string };
  REGISTRY_FAILED: { operation: string; status: number };
  REGISTRY_URL_INVALID: { url: string };
  PACK_ID_MISSING: { folder: string };
  PACK_ID_PRESENT: { path: string; packId: number };
  PACK_ID_INVALID: { text: string };
  PACK_ID_FILE_INVALID: { path: string };
  UPLOAD_REFUSED: { problems: readonly string[] };
  UPLOAD_UNSUPPORTED: { members: readonly string[] };
  UPLOAD_TOO_LARGE: { bytes: number; limitBytes: number };
  VERSION_EXISTS: { version: string };
  VERSION_OLDER: { version: string; newest: string };
  VERSION_UNKNOWN: { version: string | undefined; known: readonly string[] };
  INVITATION_UNKNOWN: { invitation: string };
  SOURCE_MISSING: { packId: number; version: string };
  CONFIG_INVALID: { file: string; problems: readonly string[] };

  // Running a formula
  FORMULA_UNKNOWN: { name: string; known: readonly string[] };
  TABLE_UNKNOWN: { name: string; known: readonly string[] };
  TARGET_INVALID: { target: string };
  MCP_SERVER_MISSING: undefined;
  MCP_TOOL_UNKNOWN: { name: string; known: readonly string[] };
  MCP_SERVER_FAILED: { status: number | undefined; code: number | undefined };
  METADATA_MISSING: { name: string };
  SYNC_REPEATS: { page: number };
  ARGUMENT_COUNT: { expected: string; received: number };
  ARGUMENT_TYPE: { parameter: string; expected: string };
  /**
   * `thrown` is the class of the error, such as `TypeError`. It is undefined if the Pack threw
   * something that is not an error, such as a text.
   */
  FORMULA_FAILED: { name: string; thrown: string | undefined; stack: string | undefined };
  FORMULA_USER_ERROR: { thrown: string | undefined };
  RESULT_INVALID: { path: string };
  RUN_TIMEOUT: { limitMs: number };
  RUN_OUT_OF_MEMORY: { limitMb: number };
  RUN_CRASHED: undefined;

  // Requests of a formula
  FETCH_HOST_REFUSED: { host: string; allowed: readonly string[] };
  FETCH_URL_INVALID: { url: string };
  FETCH_FAILED: { host: string };
  FETCH_TIMEOUT: { host: string; limitMs: number };
  FETCH_TOO_LARGE: { host: string; limitBytes: number };
  FETCH_TOO_MANY_REDIRECTS: { host: string };
  FETCH_UNMASKED: { host: string };
  FETCH_STATUS: { status: number; thrown?: string | undefined };
  FETCH_UNMOCKED: { method: string; url: string };
  CASSETTE_INVALID: { path: string; reason: string };
  CASSETTE_UNMATCHED: { path: string; method: string; url: string };
  CASSETTE_UNUSED: { path: string; requests: readonly string[] };
  BLOB_REFUSED: { reason: string };

  // URL policy
  URL_NOT_ALLOWED: { url: string; reason: string };
  ENDPOINT_INVALID: { reason: string };
  ENDPOINT_OUTSIDE_DOMAIN: { host: string; allowed: readonly string[] };
  ENDPOINT_MISSING: { key: string | undefined };
  ROUTE_INVALID: { route: string };

  // OAuth
  OAUTH_NOT_CONFIGURED: undefined;
  OAUTH_CLIENT_MISSING: undefined;
  OAUTH_KEY_INVALID: { reason: string };
  OAUTH_CERTIFICATE_INVALID: { reason: string };
  OAUTH_PARAMETER_RESERVED: { name: string };
  OAUTH_URL_MISSING: { member: string };
  CONNECTION_VARIABLE_MISSING: { names: readonly string[] };
  CONNECTION_VARIABLE_INVALID: { name: string; reason: string };
  OAUTH_REGISTRATION_FAILED: { reason: string };
  FLOW_RECORD_MISSING: undefined;
  POST_SETUP_CHOICE: { step: string; options: readonly string[] };
  OAUTH_STATE_MISMATCH: undefined;
  OAUTH_CALLBACK_INVALID: { reason: string };
  OAUTH_ISSUER_MISMATCH: { expected: string; received: string };
  OAUTH_DENIED: { error: string; description: string | undefined };
  OAUTH_TOKEN_REJECTED: { status: number; error: string; description: string | undefined };
  /** `tokenPath` leads to a member of the response that looks like the access token. */
  OAUTH_TOKEN_RESPONSE_INVALID: {
    status: number;
    reason: string;
    tokenPath?: string | undefined;
  };
  OAUTH_TOKEN_UNAVAILABLE: {
    status: number | undefined;
    retryAfterSeconds: number | undefined;
    /** Such as ECONNREFUSED, when no server answered. */
    systemCode?: string | undefined;
  };
  OAUTH_TOKEN_TIMEOUT: { host: string; limitMs: number };
  OAUTH_DISCOVERY_FAILED: { issuer: string };
  OAUTH_RESOURCE_INVALID: { resource: string; reason: string };
  OAUTH_REVOCATION_FAILED: { status: number | undefined };
  OAUTH_CONNECT_TIMEOUT: { limitMs: number };
  OAUTH_BROWSER_NOT_OPENED: undefined;
  OAUTH_HEADLESS_REFUSED: { reason: string };
  OAUTH_HEADLESS_ENDED: { status: number; text: string | undefined };

  // Accounts
  AUTHENTICATION_UNSUPPORTED: { type: string };
  CREDENTIAL_MISSING: { names: readonly string[] };
  CREDENTIAL_INVALID: { name: string; reason: string };
  ACCOUNT_MISSING: { account: string };
  ACCOUNT_SCOPES: { account: string; slot: string; missing: readonly string[] };
  ACCOUNT_LOGIN: {
    account: string;
    slot: string;
    acrValues: string | undefined;
    maxAgeSeconds: number | undefined;
  };
  ACCOUNT_RECONNECT: { account: string; error: string };
  ACCOUNT_HOSTS_CHANGED: { account: string; hosts: readonly string[] };
  ACCOUNT_BUSY: { account: string };
  VAULT_CORRUPT: { path: string };
  VAULT_KEY_INVALID: { path: string };
  KEYCHAIN_UNAVAILABLE: { keychain: string; reason: string };
  VAULT_PERMISSIONS: { path: string; mode: string };

  // Storage
  DATABASE_UNREADABLE: { url: string };
  DATABASE_UNSUPPORTED: { url: string };
  DATABASE_NEWER: { url: string };
  DATABASE_BUSY: undefined;
  DATABASE_FULL: { url: string };
  DATABASE_UNREACHABLE: { url: string };

  // Local document service
  SEED_INVALID: { file: string; problems: readonly string[] };
  IMPORT_FAILED: { operation: string; status: number };
  TABLE_TYPES_STALE: { path: string };
  SERVICE_FAILED: { operation: string; status: number };
}

/**
 * A problem that esbuild reports, with its place in the author's source. Lines and columns start at
 * 1.
 */
export interface BuildProblem {
  message: string;
  /** The code of the issue that reports this problem. @default "PACK_BUILD_FAILED" */
  code?: string | undefined;
  /** What to do about it. @default derived from the message */
  hint?: string | undefined;
  file: string | undefined;
  line: number | undefined;
  column: number | undefined;
}

export type PackErrorCode = keyof PackErrorDetails;

/** The kind of failure. The command line maps each class to one exit code. */
export type ExitClass =
  | "problem"
  | "usage"
  | "breaking"
  | "build"
  | "network"
  | "authentication"
  | "interrupted";

const EXIT_CLASSES: { readonly [Code in PackErrorCode]: ExitClass } = {
  USAGE_INVALID: "usage",
  CODE_UNKNOWN: "usage",
  INTERRUPTED: "interrupted",
  INTERNAL: "problem",
  DEMO_STEP_FAILED: "problem",
  TARGET_NOT_EMPTY: "usage",
  TEMPLATE_UNKNOWN: "usage",
  OUTPUT_NOT_WRITABLE: "build",
  BUILD_INCOMPLETE: "build",
  OUTSIDE_PROJECT: "usage",
  DESCRIPTION_UNREADABLE: "usage",
  DESCRIPTION_UNSUPPORTED: "usage",
  DESCRIPTION_REFERENCE: "usage",
  AUTHENTICATION_PRESENT: "usage",
  DOCS_STALE: "problem",
  PORT_IN_USE: "network",
  DEV_RUNNING: "problem",
  DEV_NOT_RUNNING: "problem",
  PROVIDER_NOT_RUNNING: "problem",
  PROFILE_UNKNOWN: "usage",
  PROFILE_CONFLICT: "usage",
  PACK_FILE_UNREADABLE: "usage",
  PACK_BUILD_FAILED: "build",
  PACK_NAME_CONFLICT: "build",
  PACK_LOAD_FAILED: "problem",
  PACK_EXPORT_MISSING: "problem",
  PACK_INVALID: "problem",
  RELEASE_DIRTY: "problem",
  RELEASE_VERSION: "usage",
  RELEASE_VERSION_PLACE: "problem",
  RELEASE_BREAKING: "breaking",
  RELEASE_UNCHANGED: "problem",
  RELEASE_DETACHED: "problem",
  RELEASE_COMMIT_FAILED: "problem",
  RELEASE_UNCOMMITTED: "problem",
  GIT_FAILED: "problem",
  REGISTRY_TOKEN_MISSING: "authentication",
  REGISTRY_TOKEN_REFUSED: "authentication",
  REGISTRY_FORBIDDEN: "authentication",
  REGISTRY_UNREACHABLE: "network",
  REGISTRY_FAILED: "network",
  REGISTRY_URL_INVALID: "usage",
  PACK_ID_MISSING: "usage",
  PACK_ID_PRESENT: "usage",
  PACK_ID_INVALID: "usage",
  PACK_ID_FILE_INVALID: "usage",
  UPLOAD_REFUSED: "problem",
  UPLOAD_UNSUPPORTED: "problem",
  UPLOAD_TOO_LARGE: "problem",
  VERSION_EXISTS: "problem",
  VERSION_OLDER: "usage",
  VERSION_UNKNOWN: "usage",
  INVITATION_UNKNOWN: "usage",
  SOURCE_MISSING: "problem",
  CONFIG_INVALID: "usage",
  FORMULA_UNKNOWN: "usage",
  TABLE_UNKNOWN: "usage",
  TARGET_INVALID: "usage",
  MCP_SERVER_MISSING: "usage",
  MCP_TOOL_UNKNOWN: "usage",
  MCP_SERVER_FAILED: "network",
  METADATA_MISSING: "usage",
  SYNC_REPEATS: "problem",
  ARGUMENT_COUNT: "usage",
  ARGUMENT_TYPE: "usage",
  FORMULA_FAILED: "problem",
  FORMULA_USER_ERROR: "problem",
  RESULT_INVALID: "problem",
  RUN_TIMEOUT: "problem",
  RUN_OUT_OF_MEMORY: "problem",
  RUN_CRASHED: "problem",
  FETCH_HOST_REFUSED: "problem",
  FETCH_URL_INVALID: "problem",
  FETCH_FAILED: "network",
  FETCH_TIMEOUT: "network",
  FETCH_TOO_LARGE: "network",
  FETCH_TOO_MANY_REDIRECTS: "network",
  FETCH_UNMASKED: "problem",
  FETCH_STATUS: "network",
  FETCH_UNMOCKED: "problem",
  CASSETTE_INVALID: "usage",
  CASSETTE_UNMATCHED: "problem",
  CASSETTE_UNUSED: "problem",
  BLOB_REFUSED: "problem",
  URL_NOT_ALLOWED: "problem",
  ENDPOINT_INVALID: "usage",
  ENDPOINT_OUTSIDE_DOMAIN: "problem",
  ENDPOINT_MISSING: "authentication",
  ROUTE_INVALID: "usage",
  OAUTH_NOT_CONFIGURED: "usage",
  OAUTH_CLIENT_MISSING: "authentication",
  OAUTH_KEY_INVALID: "authentication",
  OAUTH_CERTIFICATE_INVALID: "authentication",
  OAUTH_PARAMETER_RESERVED: "problem",
  OAUTH_URL_MISSING: "problem",
  CONNECTION_VARIABLE_MISSING: "usage",
  CONNECTION_VARIABLE_INVALID: "usage",
  OAUTH_REGISTRATION_FAILED: "authentication",
  FLOW_RECORD_MISSING: "usage",
  POST_SETUP_CHOICE: "usage",
  OAUTH_STATE_MISMATCH: "authentication",
  OAUTH_CALLBACK_INVALID: "authentication",
  OAUTH_ISSUER_MISMATCH: "authentication",
  OAUTH_DENIED: "authentication",
  OAUTH_TOKEN_REJECTED: "authentication",
  OAUTH_TOKEN_RESPONSE_INVALID: "authentication",
  OAUTH_TOKEN_UNAVAILABLE: "network",
  OAUTH_TOKEN_TIMEOUT: "network",
  OAUTH_DISCOVERY_FAILED: "network",
  OAUTH_RESOURCE_INVALID: "network",
  OAUTH_REVOCATION_FAILED: "network",
  OAUTH_CONNECT_TIMEOUT: "authentication",
  OAUTH_BROWSER_NOT_OPENED: "authentication",
  OAUTH_HEADLESS_REFUSED: "usage",
  OAUTH_HEADLESS_ENDED: "authentication",
  AUTHENTICATION_UNSUPPORTED: "usage",
  CREDENTIAL_MISSING: "authentication",
  CREDENTIAL_INVALID: "usage",
  ACCOUNT_MISSING: "authentication",
  ACCOUNT_SCOPES: "authentication",
  ACCOUNT_LOGIN: "authentication",
  ACCOUNT_RECONNECT: "authentication",
  ACCOUNT_HOSTS_CHANGED: "authentication",
  ACCOUNT_BUSY: "authentication",
  VAULT_CORRUPT: "authentication",
  VAULT_KEY_INVALID: "authentication",
  KEYCHAIN_UNAVAILABLE: "authentication",
  VAULT_PERMISSIONS: "authentication",
  DATABASE_UNREADABLE: "problem",
  DATABASE_UNSUPPORTED: "usage",
  DATABASE_NEWER: "problem",
  DATABASE_BUSY: "problem",
  DATABASE_FULL: "problem",
  DATABASE_UNREACHABLE: "network",
  IMPORT_FAILED: "network",
  TABLE_TYPES_STALE: "problem",
  SERVICE_FAILED: "network",
  SEED_INVALID: "usage",
};

/** Every error code. Documentation and tests cover all of them. */
export const PACK_ERROR_CODES = Object.keys(EXIT_CLASSES) as PackErrorCode[];

/** Returns the kind of failure of an error code. */
export function getExitClass(code: PackErrorCode): ExitClass {
  return EXIT_CLASSES[code];
}

export interface PackErrorOptions<Code extends PackErrorCode> {
  details: PackErrorDetails[Code];
  /** What to do next, as a sentence. */
  hint?: string | undefined;
  /** The section of the standard that was violated, such as "RFC 6749 §5.2". */
  rule?: string | undefined;
  /** The place in the author's source that caused the failure. */
  place?: SourcePlace | undefined;
  cause?: unknown;
}

/** A place in the author's source. Lines and columns start at 1. */
export interface SourcePlace {
  file: string;
  line: number;
  column: number;
}

/**
 * An error that a user can see. `message` says what happened, and `hint` says what to do about it.
 * `message`, `hint` and `details` never
 * contain a secret, a token or an authorization code.
 */
export class PackError<Code extends PackErrorCode = PackErrorCode> extends Error {
  override readonly name = "PackError";
  readonly code: Code;
  readonly details: PackErrorDetails[Code];
  readonly hint: string | undefined;
  readonly rule: string | undefined;
  readonly place: SourcePlace | undefined;

  constructor(code: Code, message: string, options: PackErrorOptions<Code>) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details;
    this.hint = options.hint;
    this.rule = options.rule;
    this.place = options.place;
  }
}

/** A command, a flag or a request that cannot be used as it was written. */
export function usageError(message: string, hint: string): PackError<"USAGE_INVALID"> {
  return new PackError("USAGE_INVALID", message, { details: undefined, hint });
}

/** Every `PackError` as a union: `switch (error.code)` narrows `error.details`. */
export type AnyPackError = { [Code in PackErrorCode]: PackError<Code> }[PackErrorCode];

/**
 * Checks whether a value is a `PackError`. It also accepts one from another copy of this package.
 * @param code accept only this code
 */
export function isPackError<Code extends PackErrorCode = PackErrorCode>(
  error: unknown,
  code?: Code,
): error is Extract<AnyPackError, { code: Code }> {
  if (!(error instanceof Error) || error.name !== "PackError" || !("code" in error)) return false;
  return code === undefined || error.code === code;
}
