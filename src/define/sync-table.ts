import type { ConnectionRequirement } from "./enumerations.ts";
import type { CommonFormulaDefinition, MetadataFormulaDef, Parameter } from "./formula.ts";
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
import type { DataIndexing, PermissionType, PrincipalType, TableRole } from "./sync-enumerations.ts";
import type { MaybePromise, Untyped } from "./untyped.ts";

/** The sync is complete: where the next one continues with what changed since. */
export interface SyncCompletionMetadata<Checkpoint = Continuation> {
  readonly incrementalContinuation: Checkpoint;
  readonly hasIncompleteResults?: false | undefined;
}
/** The sync left rows out, for instance because the API does not list more of them. */
export interface SyncCompletionMetadataIncomplete {
  readonly hasIncompleteResults: true;
  readonly incrementalContinuation?: undefined;
}
/** How a sync ended. */
export type SyncCompletionMetadataResult<Checkpoint = Continuation> = SyncCompletionMetadata<Checkpoint> | SyncCompletionMetadataIncomplete;

/** A page of rows. */
export interface SyncFormulaResult<Row = { [member: string]: Untyped }, NextPage = Continuation, Checkpoint = NextPage> {
  readonly result: readonly Row[];
  /** Where the next page begins; left out, or null, on the last one. */
  readonly continuation?: NextPage | null | undefined;
  /** How the sync ended. Ignored while there is a continuation. */
  readonly completion?: SyncCompletionMetadataResult<Checkpoint> | undefined;
  /** The ids of rows that are gone since the sync before; for incremental syncs. */
  readonly deletedRowIds?: readonly string[] | undefined;
  /** Accepted from older Packs. */
  readonly permissionsContext?: readonly unknown[] | undefined;
  /** Accepted from older Packs: `deletedRowIds`. */
  readonly deletedItemIds?: readonly string[] | undefined;
}

/** A row that a user has edited. */
export interface SyncUpdate<Row = { [member: string]: Untyped }> {
  readonly previousValue: Row;
  readonly newValue: Row;
  /** The members that were edited. */
  readonly updatedFields: readonly string[];
}
/** The row as it is after an update, or why the update failed. */
export type SyncUpdateSingleResult<Row = { [member: string]: Untyped }> = Row | Error;
/** The outcome of a batch of updates, in its order. */
export interface SyncUpdateResult<Row = { [member: string]: Untyped }> {
  readonly result: readonly SyncUpdateSingleResult<Row>[];
}

/** The formula of a sync table: it gives the rows, page by page. */
export interface SyncFormulaDefinition<
  Params extends readonly Parameter[],
  Row,
  NextPage = Continuation,
  Checkpoint = NextPage,
  NextChange = NextPage,
> extends Omit<CommonFormulaDefinition<Params>, "name" | "description" | "varargParameters"> {
  /** @default the table's name */
  readonly name?: string | undefined;
  /** @default the table's description */
  readonly description?: string | undefined;
  /** Gives a page of rows, and where the next page begins. */
  execute(
    args: Arguments<Params>,
    context: SyncExecutionContext<NextPage, Checkpoint, NextChange>,
  ): MaybePromise<SyncFormulaResult<Row, NextPage | NextChange, Checkpoint> | undefined>;
  /** Writes rows that users have edited; its presence makes the table editable. */
  executeUpdate?(
    args: Arguments<Params>,
    updates: SyncUpdate<Row>[],
    context: UpdateSyncExecutionContext,
  ): MaybePromise<SyncUpdateResult<Partial<Row>>>;
  /** How many rows one call of `executeUpdate` takes; 1 to 1,000. @default 1 */
  readonly maxUpdateBatchSize?: number | undefined;
  /** `extraOAuthScopes` here replace those of the formula for updates. */
  readonly updateOptions?: { readonly extraOAuthScopes?: readonly string[] | undefined } | undefined;
  /** Says whether the arguments can be used, before a sync begins. */
  readonly validateParameters?: MetadataFormulaDef<ExecutionContext, ParameterValidationResult> | undefined;
  /** Called when `execute` throws, before the error goes on; what it returns is ignored. */
  onError?(error: Error): unknown;
  /** Accepted from older Packs. */
  executeGetPermissions?(
    args: Arguments<Params>,
    request: PermissionsRequest<Row>,
    context: SyncExecutionContext,
  ): MaybePromise<PermissionsResult>;
  /** Accepted from older Packs. */
  readonly maxPermissionBatchSize?: number | undefined;
}

/** How a table that the Pack defines may have columns of its own for each user. */
export interface DynamicOptions {
  /** Gives the schema for the user's account. */
  readonly getSchema?: MetadataFormulaDef<SyncExecutionContext> | undefined;
  /** What a row is called, such as `"Task"`. */
  readonly entityName?: string | undefined;
  /** New properties become columns by themselves. @default true */
  readonly defaultAddDynamicColumns?: boolean | undefined;
  /** Lists what the properties with `options: OptionsType.Dynamic` may hold. */
  readonly propertyOptions?: PropertyOptionsMetadataFunction | undefined;
}

/** Whether the rows of a table are found by search. */
export interface IndexingOptions {
  readonly default?: DataIndexing | undefined;
}

interface BaseTableOptions {
  /** A letter, then letters, digits or `_`; unique within the Pack. At most 50 characters. */
  readonly name: string;
  /** What the table holds; at most 1,000 characters. */
  readonly description?: string | undefined;
  /** Replaces the description for language models. At most 20,000 characters. */
  readonly instructions?: string | undefined;
  /** Name of the kind of row, which references to it name; unique within the Pack. */
  readonly identityName: string;
  /** @default `required` when the Pack has user authentication, else `none` */
  readonly connectionRequirement?: ConnectionRequirement | undefined;
  /** Whether the rows are found by search. */
  readonly indexing?: IndexingOptions | undefined;
  /** Accepted from older Packs. */
  readonly role?: TableRole | undefined;
}

/** A sync table as its author writes it. */
export interface SyncTableOptions<
  Params extends readonly Parameter[] = readonly Parameter[],
  Definition extends ObjectSchemaDefinition = ObjectSchemaDefinition,
  NextPage = Continuation,
  Checkpoint = NextPage,
  NextChange = NextPage,
> extends BaseTableOptions {
  /** Name that users see. @default name */
  readonly displayName?: string | undefined;
  /** What a row looks like: an object with an id and a display property. */
  readonly schema: Definition;
  /** Gives the rows. */
  readonly formula: SyncFormulaDefinition<Params, SchemaType<Definition>, NextPage, Checkpoint, NextChange>;
  /** Columns that depend on the user's account. */
  readonly dynamicOptions?: DynamicOptions | undefined;
}

/** A table of which there is one for each thing that the user can choose, as its author writes it. */
export interface DynamicSyncTableOptions<
  Params extends readonly Parameter[] = readonly Parameter[],
  NextPage = Continuation,
  Checkpoint = NextPage,
  NextChange = NextPage,
> extends BaseTableOptions,
    Omit<DynamicOptions, "getSchema"> {
  /** Gives the name of the chosen table. */
  readonly getName: MetadataFormulaDef<SyncExecutionContext>;
  /** Gives the schema of the chosen table. */
  readonly getSchema: MetadataFormulaDef<SyncExecutionContext>;
  /** Gives the page where a person can see the chosen table. */
  readonly getDisplayUrl: MetadataFormulaDef<SyncExecutionContext>;
  /** Lists the tables; `search` is the value of the entry that was opened. */
  readonly listDynamicUrls?: MetadataFormulaDef<SyncExecutionContext> | undefined;
  /** Finds tables by what the user typed. */
  readonly searchDynamicUrls?: MetadataFormulaDef<SyncExecutionContext> | undefined;
  /** Gives the rows. */
  readonly formula: SyncFormulaDefinition<Params, { [member: string]: Untyped }, NextPage, Checkpoint, NextChange>;
  /** The schema until `getSchema` was called. @default one text property, `id` */
  readonly placeholderSchema?: ObjectSchemaDefinition | undefined;
}

/** The formula of a sync table as the Pack's definition holds it. */
export interface SyncFormula extends CommonFormulaDefinition, Omit<SyncFormulaDefinition<readonly Parameter[], never>, SyncMembers> {
  readonly name: string;
  readonly description: string;
  readonly isSyncFormula: true;
  execute(args: readonly unknown[], context: SyncExecutionContext): Promise<SyncFormulaResult>;
  executeUpdate?(args: readonly unknown[], updates: SyncUpdate[], context: UpdateSyncExecutionContext): MaybePromise<SyncUpdateResult>;
  executeGetPermissions?(
    args: readonly unknown[],
    request: PermissionsRequest,
    context: SyncExecutionContext,
  ): MaybePromise<PermissionsResult>;
}
type SyncMembers = keyof CommonFormulaDefinition | "execute" | "executeUpdate" | "executeGetPermissions" | "onError";

/** A sync table as the Pack's definition holds it. */
export interface SyncTable extends Omit<SyncTableOptions, "formula" | "dynamicOptions" | "schema">, DynamicOptions {
  readonly schema: ObjectSchema;
  /** The author's `formula`. */
  readonly getter: SyncFormula;
  readonly isDynamic?: boolean | undefined;
  readonly getName?: MetadataFormulaDef<SyncExecutionContext> | undefined;
  readonly getDisplayUrl?: MetadataFormulaDef<SyncExecutionContext> | undefined;
  readonly listDynamicUrls?: MetadataFormulaDef<SyncExecutionContext> | undefined;
  readonly searchDynamicUrls?: MetadataFormulaDef<SyncExecutionContext> | undefined;
}

/**
 * Makes a sync table for `newPack({ syncTables: […] })`. `pack.addSyncTable` takes the same options.
 */
export function makeSyncTable<
  const Params extends readonly Parameter[],
  const Definition extends ObjectSchemaDefinition,
  NextPage = Continuation,
  Checkpoint = NextPage,
  NextChange = NextPage,
>(options: SyncTableOptions<Params, Definition, NextPage, Checkpoint, NextChange>): SyncTable {
  return tableOf(options as unknown as AnyTableOptions);
}

/**
 * Makes a dynamic sync table for `newPack({ syncTables: […] })`. `pack.addDynamicSyncTable` takes the same options.
 */
export function makeDynamicSyncTable<
  const Params extends readonly Parameter[],
  NextPage = Continuation,
  Checkpoint = NextPage,
  NextChange = NextPage,
>(options: DynamicSyncTableOptions<Params, NextPage, Checkpoint, NextChange>): SyncTable {
  return tableOf(asStatic(options as unknown as DynamicSyncTableOptions));
}

/** Options of a table, whatever its rows are. */
export interface AnyTableOptions extends BaseTableOptions {
  formula: SyncFormulaDefinition<readonly Parameter[], { [member: string]: Untyped }>;
  schema: ObjectSchemaDefinition;
  dynamicOptions?: (DynamicOptions & { isDynamic?: boolean }) | undefined;
}

// Every Pack carries what follows. The bundler keeps the name of each function, which costs an arrow less.

/** The options of a table as they are for a dynamic one. */
export const asStatic = ({ placeholderSchema, ...table }: DynamicSyncTableOptions): AnyTableOptions =>
  ({
    ...table,
    schema: placeholderSchema ?? { properties: { id: { type: "string" } }, idProperty: "id", displayProperty: "id" },
    dynamicOptions: { isDynamic: true },
  }) as unknown as AnyTableOptions;

/** Makes a table of its options. What is wrong with them is told by validation, all of it and with its place. */
export const tableOf = ({ formula, dynamicOptions, ...table }: AnyTableOptions): SyncTable => {
  const { name, description = "", identityName, schema } = table;
  // Without types, an author may forget the formula or the schema.
  const { onError, execute, ...rest } = formula ?? {};
  // A schema without an identity has the table's.
  const identity = schema?.identity ?? (identityName && { name: identityName });
  return {
    defaultAddDynamicColumns: true,
    ...table,
    ...dynamicOptions,
    schema: (schema && { ...schema, type: "object", ...(identity && { identity }) }) as ObjectSchema,
    getter: formula && {
      ...rest,
      name: formula.name ?? name,
      description: formula.description ?? description,
      cacheTtlSecs: 0,
      isSyncFormula: true,
      async execute(args, context) {
        try {
          return (await execute(args as never, context)) ?? { result: [] };
        } catch (error) {
          await onError?.(error as Error);
          throw error;
        }
      },
    },
  };
};

/** Accepted from older Packs. */
export type Principal =
  | { readonly type: PrincipalType.User; readonly userId: string | number }
  | { readonly type: PrincipalType.Group; readonly groupId: string | number }
  | { readonly type: PrincipalType.Domain; readonly domain: string }
  | { readonly type: PrincipalType.Anyone | PrincipalType.AllUsers };

/** Accepted from older Packs. */
export interface ItemReference {
  readonly id: string;
  readonly syncTableName: string;
  readonly identityName: string;
  readonly dynamicUrl?: string | undefined;
}

/** Accepted from older Packs. */
export type Permission =
  | { readonly permissionType?: PermissionType.Direct | undefined; readonly principal: Principal }
  | { readonly permissionType: PermissionType.Delegated; readonly item: ItemReference };

/** Accepted from older Packs. */
export interface RowAccessDefinition {
  readonly rowId: string | number;
  readonly permissions: readonly Permission[];
}

/** Accepted from older Packs. */
export interface PermissionsRequest<Row = { [member: string]: Untyped }> {
  readonly rows: readonly { readonly row: Row }[];
  readonly permissionsContext?: readonly Untyped[] | undefined;
}

/** Accepted from older Packs. */
export interface PermissionsResult {
  readonly rowAccessDefinitions: readonly RowAccessDefinition[];
  readonly continuation?: Untyped;
}
