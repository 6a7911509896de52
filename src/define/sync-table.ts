import { compileTable } from "./compile/compile-table.ts";
import type {
  ConnectionRequirement,
  DataIndexing,
  PermissionType,
  PrincipalType,
  TableRole,
} from "./enumerations.ts";
import type {
  AnyParameter,
  CommonFormulaDefinition,
  MetadataFormulaDef,
  Parameter,
} from "./formula.ts";
import type { Continuation } from "./invocation.ts";
import type { ParameterValidationResult } from "./metadata.ts";
import type { Arguments } from "./parameter.ts";
import type {
  ExecutionContext,
  ObjectSchema,
  ObjectSchemaDefinition,
  PropertyOptionsMetadataFunction,
  SyncExecutionContext,
  UpdateSyncExecutionContext,
} from "./schema.ts";
import type { SchemaType } from "./schema-type.ts";
import type { MaybePromise, Untyped } from "./untyped.ts";

/**
 * The result of a complete sync. The next sync can start from this point and return only the
 * changed rows.
 */
export interface SyncCompletionMetadata<Checkpoint = Continuation> {
  /**
   * The point at which the next sync starts. The next sync receives this value as
   * `context.sync.previousCompletion.incrementalContinuation`.
   */
  readonly incrementalContinuation: Checkpoint;
  /** Missing or `false`, because the sync returned all rows. */
  readonly hasIncompleteResults?: false | undefined;
}
/**
 * The result of a sync that left out rows, for example because the API does not return more rows.
 */
export interface SyncCompletionMetadataIncomplete {
  /** The result does not contain all rows. */
  readonly hasIncompleteResults: true;
  /** Never set, because the next sync cannot continue from this point. */
  readonly incrementalContinuation?: undefined;
}
/** The result of a sync. */
export type SyncCompletionMetadataResult<Checkpoint = Continuation> =
  | SyncCompletionMetadata<Checkpoint>
  | SyncCompletionMetadataIncomplete;

/** A page of rows. */
export interface SyncFormulaResult<
  Row = { [member: string]: Untyped },
  NextPage = Continuation,
  Checkpoint = NextPage,
> {
  /** The rows of this page, as the schema describes them. */
  readonly result: readonly Row[];
  /** The place where the next page starts. The last page has no continuation. */
  readonly continuation?: NextPage | null | undefined;
  /** The result of the sync. It is ignored if there is a continuation. */
  readonly completion?: SyncCompletionMetadataResult<Checkpoint> | undefined;
  /**
   * The IDs of rows that were deleted since the previous sync. Only incremental syncs return
   * deleted rows.
   */
  readonly deletedRowIds?: readonly string[] | undefined;
  /** @deprecated Accepted for compatibility with existing Packs. */
  readonly permissionsContext?: readonly unknown[] | undefined;
  /** @deprecated Accepted for compatibility with existing Packs: use `deletedRowIds`. */
  readonly deletedItemIds?: readonly string[] | undefined;
}

/** A row that a user edited. */
export interface SyncUpdate<Row = { [member: string]: Untyped }> {
  /** The row before the edit. */
  readonly previousValue: Row;
  /** The row after the edit. */
  readonly newValue: Row;
  /** The names of the edited properties. */
  readonly updatedFields: readonly string[];
}
/** The row after an update, or the error of a failed update. */
export type SyncUpdateSingleResult<Row = { [member: string]: Untyped }> = Row | Error;
/** The outcomes of a batch of updates, in the same order. */
export interface SyncUpdateResult<Row = { [member: string]: Untyped }> {
  /**
   * One entry for each update, in the same order. An entry is the saved row, or an `Error` for the
   * user.
   */
  readonly result: readonly SyncUpdateSingleResult<Row>[];
}

/**
 * A row that a Pack returns. An object whose type is an interface has no index signature, so none is
 * required of it: https://github.com/microsoft/TypeScript/issues/15300.
 */
type ReturnedRow<Row> = string extends keyof Row
  ? object & { [Key in keyof Row as string extends Key ? never : Key]: Row[Key] }
  : Row;

/** The formula that returns the rows of a sync table, page by page. */
export interface SyncFormulaDefinition<
  Params extends readonly AnyParameter[],
  Row,
  NextPage = Continuation,
  Checkpoint = NextPage,
  NextChange = NextPage,
> extends Omit<CommonFormulaDefinition<Params>, "name" | "description" | "varargParameters"> {
  /** The name of the formula. @default the name of the table */
  readonly name?: string | undefined;
  /** A description of the formula. @default the description of the table */
  readonly description?: string | undefined;
  /** Returns a page of rows, and a continuation for the next page. */
  execute(
    args: Arguments<Params>,
    context: SyncExecutionContext<NextPage, Checkpoint, NextChange>,
  ): MaybePromise<
    SyncFormulaResult<ReturnedRow<Row>, NextPage | NextChange, Checkpoint> | undefined
  >;
  /** Saves the rows that users have edited. Without this function, users cannot edit the table. */
  executeUpdate?(
    args: Arguments<Params>,
    updates: SyncUpdate<Row>[],
    context: UpdateSyncExecutionContext,
  ): MaybePromise<SyncUpdateResult<Partial<ReturnedRow<Row>>>>;
  /** The maximum number of rows in one call of `executeUpdate`, from 1 to 1,000. @default 1 */
  readonly maxUpdateBatchSize?: number | undefined;
  /** The options of updates. For updates, `extraOAuthScopes` replaces the scopes of the formula. */
  readonly updateOptions?:
    | {
        /** The scopes that updates need. They replace the scopes of the formula. */
        readonly extraOAuthScopes?: readonly string[] | undefined;
      }
    | undefined;
  /** Checks the arguments before a sync starts. */
  readonly validateParameters?:
    | MetadataFormulaDef<ExecutionContext, ParameterValidationResult>
    | undefined;
  /** A function that runs if `execute` throws. Its return value is ignored. */
  onError?(error: Error): unknown;
  /** @deprecated Accepted for compatibility with existing Packs. */
  executeGetPermissions?(
    args: Arguments<Params>,
    request: PermissionsRequest<Row>,
    context: SyncExecutionContext,
  ): MaybePromise<PermissionsResult>;
  /** @deprecated Accepted for compatibility with existing Packs. */
  readonly maxPermissionBatchSize?: number | undefined;
}

/** The settings for columns that depend on the user's account. */
export interface DynamicOptions {
  /** Returns the schema for the user's account. */
  readonly getSchema?: MetadataFormulaDef<SyncExecutionContext> | undefined;
  /** The name of a row, such as `"Task"`. */
  readonly entityName?: string | undefined;
  /** Automatically adds columns for new schema properties. @default true */
  readonly defaultAddDynamicColumns?: boolean | undefined;
  /** Lists the options of the properties that have `options: OptionsType.Dynamic`. */
  readonly propertyOptions?: PropertyOptionsMetadataFunction | undefined;
}

/** The search settings for the rows of a table. */
export interface IndexingOptions {
  /** Sets whether search finds the rows. Users can change this setting. */
  readonly default?: DataIndexing | undefined;
}

interface BaseTableOptions {
  /**
   * The name of the table: a letter, then letters, digits or `_`. The name must be unique in the
   * Pack. At most 50 characters.
   */
  readonly name: string;
  /** A description of the table. At most 1,000 characters. */
  readonly description?: string | undefined;
  /**
   * The description that language models see instead of `description`. At most 20,000 characters.
   */
  readonly instructions?: string | undefined;
  /**
   * The name for the kind of row. References to a row use this name. The name must be unique in the
   * Pack.
   */
  readonly identityName: string;
  /**
   * Sets whether the table needs an account.
   * @default `required` if the Pack has user authentication, otherwise `none`
   */
  readonly connectionRequirement?: ConnectionRequirement | undefined;
  /** The search settings for the rows. */
  readonly indexing?: IndexingOptions | undefined;
  /** @deprecated Accepted for compatibility with existing Packs. */
  readonly role?: TableRole | undefined;
}

/** The definition of a sync table. */
export interface SyncTableOptions<
  Params extends readonly AnyParameter[] = readonly Parameter[],
  Definition extends ObjectSchemaDefinition = ObjectSchemaDefinition,
  NextPage = Continuation,
  Checkpoint = NextPage,
  NextChange = NextPage,
> extends BaseTableOptions {
  /** The name that users see. @default `name` */
  readonly displayName?: string | undefined;
  /** The schema of a row: an object with an ID and a display property. */
  readonly schema: Definition;
  /** Returns the rows. */
  readonly formula: SyncFormulaDefinition<
    Params,
    SchemaType<Definition>,
    NextPage,
    Checkpoint,
    NextChange
  >;
  /** The settings for columns that depend on the user's account. */
  readonly dynamicOptions?: DynamicOptions | undefined;
}

/**
 * The definition of a dynamic sync table. The Pack lists the available tables, and users choose
 * which tables to add.
 */
export interface DynamicSyncTableOptions<
  Params extends readonly AnyParameter[] = readonly Parameter[],
  NextPage = Continuation,
  Checkpoint = NextPage,
  NextChange = NextPage,
> extends BaseTableOptions,
    Omit<DynamicOptions, "getSchema"> {
  /** Returns the name of the chosen table. */
  readonly getName: MetadataFormulaDef<SyncExecutionContext>;
  /** Returns the schema of the chosen table. */
  readonly getSchema: MetadataFormulaDef<SyncExecutionContext>;
  /** Returns the URL of a page that shows the chosen table. */
  readonly getDisplayUrl: MetadataFormulaDef<SyncExecutionContext>;
  /**
   * Returns the tables that the user can choose. `search` is the value of the entry that the user
   * opened.
   */
  readonly listDynamicUrls?: MetadataFormulaDef<SyncExecutionContext> | undefined;
  /** Finds tables for the text that the user typed. */
  readonly searchDynamicUrls?: MetadataFormulaDef<SyncExecutionContext> | undefined;
  /** Returns the rows. */
  readonly formula: SyncFormulaDefinition<
    Params,
    { [member: string]: Untyped },
    NextPage,
    Checkpoint,
    NextChange
  >;
  /**
   * The schema of the table before `getSchema` is called for the first time. @default one text
   * property, `id`
   */
  readonly placeholderSchema?: ObjectSchemaDefinition | undefined;
}

/** The formula of a sync table in the definition of a Pack. */
export interface SyncFormula
  extends CommonFormulaDefinition,
    Omit<SyncFormulaDefinition<readonly Parameter[], never>, SyncMembers> {
  /** The name of the formula. */
  readonly name: string;
  /** A description of the formula. */
  readonly description: string;
  /** Always true. */
  readonly isSyncFormula: true;
  /** Returns a page of rows. */
  execute(args: readonly unknown[], context: SyncExecutionContext): Promise<SyncFormulaResult>;
  /** Saves the rows that users have edited. */
  executeUpdate?(
    args: readonly unknown[],
    updates: SyncUpdate[],
    context: UpdateSyncExecutionContext,
  ): MaybePromise<SyncUpdateResult>;
  /** @deprecated Accepted for compatibility with existing Packs. */
  executeGetPermissions?(
    args: readonly unknown[],
    request: PermissionsRequest,
    context: SyncExecutionContext,
  ): MaybePromise<PermissionsResult>;
}
type SyncMembers =
  | keyof CommonFormulaDefinition
  | "execute"
  | "executeUpdate"
  | "executeGetPermissions"
  | "onError";

/** A sync table in the definition of a Pack. */
export interface SyncTable
  extends Omit<SyncTableOptions, "formula" | "dynamicOptions" | "schema">,
    DynamicOptions {
  /** The schema of a row. */
  readonly schema: ObjectSchema;
  /** The formula of the table. */
  readonly getter: SyncFormula;
  /** True for a dynamic table. */
  readonly isDynamic?: boolean | undefined;
  /** Returns the name of the chosen table. Only dynamic tables have this function. */
  readonly getName?: MetadataFormulaDef<SyncExecutionContext> | undefined;
  /**
   * Returns the URL of a page that shows the chosen table. Only dynamic tables have this function.
   */
  readonly getDisplayUrl?: MetadataFormulaDef<SyncExecutionContext> | undefined;
  /** Returns the tables that the user can choose. Only dynamic tables have this function. */
  readonly listDynamicUrls?: MetadataFormulaDef<SyncExecutionContext> | undefined;
  /** Finds tables for the text that the user typed. Only dynamic tables have this function. */
  readonly searchDynamicUrls?: MetadataFormulaDef<SyncExecutionContext> | undefined;
}

/**
 * Creates a sync table for `newPack({ syncTables: […] })`. `pack.addSyncTable` accepts the same
 * options.
 * @example
 * ```ts
 * const Task = makeObjectSchema({
 *   properties: { id: { type: ValueType.String }, title: { type: ValueType.String } },
 *   idProperty: "id",
 *   displayProperty: "title",
 * });
 * const tasks = makeSyncTable({
 *   name: "Tasks",
 *   identityName: "Task",
 *   schema: Task,
 *   formula: {
 *     name: "SyncTasks",
 *     description: "Gets the tasks, page by page.",
 *     parameters: [],
 *     execute: async (args, context) => {
 *       const page = Number(context.sync.continuation?.page ?? 1);
 *       const url = withQueryParams("https://api.example.com/tasks", { page });
 *       const { body } = await context.fetcher.fetch<{ id: string; title: string }[]>({
 *         method: "GET",
 *         url,
 *       });
 *       const tasks = body ?? [];
 *       return { result: tasks, continuation: tasks.length > 0 ? { page: page + 1 } : undefined };
 *     },
 *   },
 * });
 * ```
 */
export function makeSyncTable<
  const Params extends readonly AnyParameter[],
  const Definition extends ObjectSchemaDefinition,
  NextPage = Continuation,
  Checkpoint = NextPage,
  NextChange = NextPage,
>(options: SyncTableOptions<Params, Definition, NextPage, Checkpoint, NextChange>): SyncTable {
  return compileTable(options) as SyncTable;
}

/**
 * Creates a dynamic sync table for `newPack({ syncTables: […] })`. `pack.addDynamicSyncTable`
 * accepts the same options.
 * @example
 * ```ts
 * const sheets = makeDynamicSyncTable({
 *   name: "Sheets",
 *   identityName: "Sheet",
 *   listDynamicUrls: async (context) => {
 *     const { body } = await context.fetcher.fetch<{ name: string; url: string }[]>({
 *       method: "GET",
 *       url: "https://api.example.com/sheets",
 *     });
 *     return (body ?? []).map(({ name, url }) => ({ display: name, value: url }));
 *   },
 *   getName: async (context) => `Sheet ${context.sync.dynamicUrl}`,
 *   getDisplayUrl: async (context) => context.sync.dynamicUrl ?? "",
 *   getSchema: async () =>
 *     makeObjectSchema({
 *       properties: { id: { type: ValueType.String }, title: { type: ValueType.String } },
 *       idProperty: "id",
 *       displayProperty: "title",
 *     }),
 *   formula: {
 *     name: "SyncSheet",
 *     description: "Gets the rows of a sheet.",
 *     parameters: [],
 *     execute: async (args, context) => {
 *       const { body } = await context.fetcher.fetch({
 *         method: "GET",
 *         url: `${context.sync.dynamicUrl}/rows`,
 *       });
 *       return { result: body as { id: string; title: string }[] };
 *     },
 *   },
 * });
 * ```
 */
export function makeDynamicSyncTable<
  const Params extends readonly AnyParameter[],
  NextPage = Continuation,
  Checkpoint = NextPage,
  NextChange = NextPage,
>(options: DynamicSyncTableOptions<Params, NextPage, Checkpoint, NextChange>): SyncTable {
  return compileTable({ ...options, isDynamic: true }) as SyncTable;
}

/** @deprecated Accepted for compatibility with existing Packs. */
export type Principal =
  | { readonly type: PrincipalType.User; readonly userId: string | number }
  | { readonly type: PrincipalType.Group; readonly groupId: string | number }
  | { readonly type: PrincipalType.Domain; readonly domain: string }
  | { readonly type: PrincipalType.Anyone | PrincipalType.AllUsers };

/** @deprecated Accepted for compatibility with existing Packs. */
export interface ItemReference {
  readonly id: string;
  readonly syncTableName: string;
  readonly identityName: string;
  readonly dynamicUrl?: string | undefined;
}

/** @deprecated Accepted for compatibility with existing Packs. */
export type Permission =
  | { readonly permissionType?: PermissionType.Direct | undefined; readonly principal: Principal }
  | { readonly permissionType: PermissionType.Delegated; readonly item: ItemReference };

/** @deprecated Accepted for compatibility with existing Packs. */
export interface RowAccessDefinition {
  readonly rowId: string | number;
  readonly permissions: readonly Permission[];
}

/** @deprecated Accepted for compatibility with existing Packs. */
export interface PermissionsRequest<Row = { [member: string]: Untyped }> {
  readonly rows: readonly { readonly row: Row }[];
  readonly permissionsContext?: readonly Untyped[] | undefined;
}

/** @deprecated Accepted for compatibility with existing Packs. */
export interface PermissionsResult {
  readonly rowAccessDefinitions: readonly RowAccessDefinition[];
  readonly continuation?: Untyped;
}
