// What `@codahq/packs-sdk/dist/development` has.
// biome-ignore lint/suspicious/noTsIgnore: only a project without sinon's types has the error; it gets `any`
/** @ts-ignore */
import type { SinonStub } from "sinon";
import type {
  Continuation,
  ExecutionContext,
  FetchRequest,
  FetchResponse,
  GenericExecuteGetPermissionsRequest,
  GenericSyncFormulaResult,
  GenericSyncUpdate,
  GenericSyncUpdateResult,
  GetPermissionsResult,
  LegacyDefaultMetadataReturnType,
  MetadataContext,
  MetadataFormula,
  PackFormulaResult,
  ParamDefs,
  ParamValues,
  Sync,
  SyncExecutionContext,
  SyncStateService,
  TemporaryBlobStorage,
  UpdateSyncExecutionContext,
} from "./definition.ts";
import type { BasicPackDefinition } from "./pack.ts";

/** How arguments and results are checked. */
export interface ExecuteOptions {
  /** @default true */
  validateParams?: boolean;
  /** @default true */
  validateResult?: boolean;
  /**
   * Results have the names of the compiled definition (`DueDate`); `false` keeps the names that the
   * Pack returned. @default true
   */
  useDeprecatedResultNormalization?: boolean;
}
/** Options for a context with real requests. */
export interface ContextOptions {
  useRealFetcher?: boolean;
  manifestPath?: string;
}

type Values = ParamValues<ParamDefs>;

/** Runs a formula of a definition in this process. */
export declare function executeFormulaFromPackDef<
  Result extends PackFormulaResult | GenericSyncFormulaResult = any,
>(
  pack: BasicPackDefinition,
  name: string,
  params: Values,
  context?: ExecutionContext,
  options?: ExecuteOptions,
  contextOptions?: ContextOptions,
): Promise<Result>;
/** Runs a formula or a sync table of a bundle in the sandbox. */
export declare function executeFormulaOrSyncWithVM<
  Result extends PackFormulaResult | GenericSyncFormulaResult = any,
>(options: {
  formulaName: string;
  params: Values;
  bundlePath: string;
  executionContext?: ExecutionContext;
}): Promise<Result>;
/** Syncs all pages of a table. */
export declare function executeSyncFormula(
  pack: BasicPackDefinition,
  table: string,
  params: Values,
  context?: SyncExecutionContext,
  options?: ExecuteOptions,
  contextOptions?: ContextOptions,
): Promise<GenericSyncFormulaResult>;
/** Syncs all pages of a table, and returns the rows. */
export declare function executeSyncFormulaFromPackDef(
  pack: BasicPackDefinition,
  table: string,
  params: Values,
  context?: SyncExecutionContext,
  options?: ExecuteOptions,
  contextOptions?: ContextOptions,
): Promise<any[]>;
/** Syncs one page of a table. */
export declare function executeSyncFormulaFromPackDefSingleIteration(
  pack: BasicPackDefinition,
  table: string,
  params: Values,
  context?: SyncExecutionContext,
  options?: ExecuteOptions,
  contextOptions?: ContextOptions,
): Promise<GenericSyncFormulaResult>;
/** Runs `executeGetPermissions` of a table. */
export declare function executeGetPermissionsFormulaFromPackDef(
  pack: BasicPackDefinition,
  table: string,
  params: Values,
  request: GenericExecuteGetPermissionsRequest,
  context?: SyncExecutionContext,
  options?: ExecuteOptions,
  contextOptions?: ContextOptions,
): Promise<GetPermissionsResult>;
/** Writes edited rows with `executeUpdate` of a table. */
export declare function executeUpdateFormulaFromPackDef(
  pack: BasicPackDefinition,
  table: string,
  params: Values,
  context: UpdateSyncExecutionContext,
  updates: GenericSyncUpdate[],
  options?: ExecuteOptions,
  contextOptions?: ContextOptions,
): Promise<GenericSyncUpdateResult>;
/** Runs a metadata formula of a definition. */
export declare function executeMetadataFormula(
  formula: MetadataFormula,
  params?: { search?: string; formulaContext?: MetadataContext },
  context?: ExecutionContext,
): Promise<LegacyDefaultMetadataReturnType>;
/**
 * Creates a context that sends its requests, with the account that `auth connect` stored for the
 * Pack.
 */
export declare function newRealFetcherExecutionContext(
  pack: BasicPackDefinition,
  manifestPath: string,
): ExecutionContext;
/** The same for a sync table. */
export declare function newRealFetcherSyncExecutionContext(
  pack: BasicPackDefinition,
  manifestPath: string,
): SyncExecutionContext;

type StubOf<Fn extends (...args: any[]) => any> = Fn extends (...args: infer Args) => infer Result
  ? SinonStub<Args, Result>
  : never;
/** A context whose functions are stubs of sinon. */
export interface MockExecutionContext extends ExecutionContext {
  // Suites also answer with a response that is not a promise.
  fetcher: { fetch: SinonStub<[request: FetchRequest], any> };
  temporaryBlobStorage: {
    storeUrl: StubOf<TemporaryBlobStorage["storeUrl"]>;
    storeBlob: StubOf<TemporaryBlobStorage["storeBlob"]>;
  };
}
/** The same for a sync table. */
export interface MockSyncExecutionContext<
  NextPage = Continuation,
  Checkpoint = NextPage,
  NextChange = NextPage,
> extends MockExecutionContext {
  sync: Sync<NextPage, Checkpoint, NextChange>;
  syncStateService: { getLatestRowVersions: StubOf<SyncStateService["getLatestRowVersions"]> };
}
export type SyncExecutionContextAsMock<Context extends SyncExecutionContext> =
  Context extends SyncExecutionContext<infer NextPage, infer Checkpoint, infer NextChange>
    ? MockSyncExecutionContext<NextPage, Checkpoint, NextChange>
    : never;
export declare function newMockExecutionContext(
  overrides?: Partial<MockExecutionContext>,
): MockExecutionContext;
export declare function newMockSyncExecutionContext<Context extends SyncExecutionContext<any>>(
  overrides?: Partial<Context>,
): SyncExecutionContextAsMock<Context>;
/** Makes the response of a request, for `context.fetcher.fetch.resolves(…)`. */
export declare function newJsonFetchResponse<Body>(
  body: Body,
  status?: number,
  headers?: { [header: string]: string | string[] | undefined },
): FetchResponse<Body>;

/** The arguments of a test do not match the parameters. */
export declare class ParameterException extends Error {}
/** The result of a formula does not match its schema. */
export declare class ResultValidationException extends Error {
  readonly errors: { message: string; path: string }[];
}
