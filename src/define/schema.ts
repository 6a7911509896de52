import type { OptionsType } from "./enumerations.ts";
import type { Fetcher, TemporaryBlobStorage } from "./fetch.ts";
import type { ConnectionValues, Continuation, InvocationError, InvocationLocation, SyncStateService } from "./invocation.ts";
import type {
  BaseStringSchema,
  BooleanSchema,
  CodaInternalRichTextSchema,
  DurationSchema,
  EmailSchema,
  ImageSchema,
  LinkSchema,
  NumberSchema,
  PropertyOptions,
  SimpleStringSchema,
  StringDateSchema,
  StringDateTimeSchema,
  StringEmbedSchema,
  StringTimeSchema,
} from "./scalar-schemas.ts";
import type { AttributionNode, Identity, IndexDefinition, ParentDefinition, PropertyIdentifier } from "./schema-annotations.ts";
import type { PermissionSyncMode } from "./sync-enumerations.ts";
import type { MaybePromise, Untyped } from "./untyped.ts";

// Schemas and contexts are one circle of types: a schema may list its options with a function, the function receives a
// context, and the context holds the schema of the table.

/** Text that is chosen from a list. */
export interface StringWithOptionsSchema extends BaseStringSchema, PropertyWithOptions<string> {
  readonly codaType: "selectList";
  /** Users may type a value that is not in the list. @default false */
  readonly allowNewValues?: boolean | undefined;
}

/** A text; the value hint decides what else the schema says. */
export type StringSchema =
  | SimpleStringSchema
  | StringDateSchema
  | StringTimeSchema
  | StringDateTimeSchema
  | DurationSchema
  | EmailSchema
  | LinkSchema
  | StringEmbedSchema
  | ImageSchema
  | StringWithOptionsSchema
  | CodaInternalRichTextSchema;

/** The value hints of a boolean. */
export type BooleanHintTypes = NonNullable<BooleanSchema["codaType"]>;
/** The value hints of a number. */
export type NumberHintTypes = NonNullable<NumberSchema["codaType"]>;
/** The value hints of a text. */
export type StringHintTypes = NonNullable<StringSchema["codaType"]>;
/** The value hints of an object. */
export type ObjectHintTypes = "person" | "reference" | "selectList";

/** The values of a select list: a list, a function that lists them, or `OptionsType.Dynamic` for the table's own function. */
export type PropertySchemaOptions<Value> =
  | readonly (Value | { readonly display: string; readonly value: Value })[]
  | PropertyOptionsMetadataFunction<readonly (Value | { readonly display: string; readonly value: Value })[]>
  | OptionsType;

/** A schema whose values are chosen from a list. */
export interface PropertyWithOptions<Value> {
  /** What can be chosen. */
  readonly options?: PropertySchemaOptions<Value> | undefined;
  /** An update is refused when the value is not in the list. @default false */
  readonly requireForUpdates?: boolean | undefined;
}

/** A list. */
export interface ArraySchema<Items extends Schema = Schema> extends PropertyOptions {
  readonly type: "array";
  /** The schema of one element. */
  readonly items: Items;
}

/** The properties of an object, by name. */
export interface ObjectSchemaProperties {
  [name: string]: Schema;
}

/** An object as its author writes it; `makeObjectSchema` adds the `type`. */
export interface ObjectSchemaDefinition<
  Properties extends ObjectSchemaProperties = ObjectSchemaProperties,
  Id extends string = string,
  Display extends string = string,
  Unknown extends boolean = boolean,
> extends PropertyOptions,
    PropertyWithOptions<object> {
  type?: "object" | undefined;
  codaType?: ObjectHintTypes | undefined;
  properties: Properties;
  /** Property that identifies a row. */
  idProperty?: Id | undefined;
  /** Property that names a row. */
  displayProperty?: Display | undefined;
  /** Properties that users see first. */
  featuredProperties?: readonly string[] | undefined;
  /** Members that no property names are kept and shown. @default false */
  includeUnknownProperties?: Unknown | undefined;
  /** What kind of thing it is; a sync table sets it from its `identityName`. */
  identity?: Identity | undefined;
  /** Where the data comes from, for users to see. */
  attribution?: readonly AttributionNode[] | undefined;
  /** Title of the card. @default displayProperty */
  titleProperty?: PropertyIdentifier | undefined;
  /** Where the card leads: a Url property. */
  linkProperty?: PropertyIdentifier | undefined;
  /** Lines below the title. @default featuredProperties */
  subtitleProperties?: readonly PropertyIdentifier[] | undefined;
  /** Text of the card. */
  snippetProperty?: PropertyIdentifier | undefined;
  /** Image of the card. */
  imageProperty?: PropertyIdentifier | undefined;
  createdAtProperty?: PropertyIdentifier | undefined;
  createdByProperty?: PropertyIdentifier | undefined;
  modifiedAtProperty?: PropertyIdentifier | undefined;
  modifiedByProperty?: PropertyIdentifier | undefined;
  /** For a table of users: the property with their e-mail address. */
  userEmailProperty?: PropertyIdentifier | undefined;
  /** What search knows of the rows. */
  index?: IndexDefinition | undefined;
  /** Accepted from older Packs: `idProperty`. */
  id?: string | undefined;
  /** Accepted from older Packs: `displayProperty`. */
  primary?: string | undefined;
  /** Accepted from older Packs: `featuredProperties`. */
  featured?: readonly string[] | undefined;
  /** Accepted from older Packs. */
  userIdProperty?: PropertyIdentifier | undefined;
  /** Accepted from older Packs. */
  groupIdProperty?: PropertyIdentifier | undefined;
  /** Accepted from older Packs. */
  memberGroupIdProperty?: PropertyIdentifier | undefined;
  /** Accepted from older Packs. */
  versionProperty?: PropertyIdentifier | undefined;
  /** Accepted from older Packs. */
  parent?: ParentDefinition | undefined;
  /** Accepted from older Packs. */
  __packId?: number | undefined;
}

/** An object with named properties. */
export interface ObjectSchema<
  Properties extends ObjectSchemaProperties = ObjectSchemaProperties,
  Id extends string = string,
  Display extends string = string,
  Unknown extends boolean = boolean,
> extends ObjectSchemaDefinition<Properties, Id, Display, Unknown> {
  type: "object";
  /** Properties that users see first. */
  featuredProperties?: string[] | undefined;
}
/** Any object schema. */
export type GenericObjectSchema = ObjectSchema;

/** What a value looks like, and how it is shown. */
export type Schema = BooleanSchema | NumberSchema | StringSchema | ArraySchema | ObjectSchema;

/** A choice with the text that users see. */
export interface SimpleAutocompleteOption<Value = string | number> {
  readonly display: string;
  readonly value: Value;
}

/** An entry of a list that a metadata function returns. */
export interface MetadataFormulaObjectResultType extends SimpleAutocompleteOption {
  /** It can be opened: the function is called again with its value. */
  readonly hasChildren?: boolean | undefined;
}
/** One choice: a text or number that shows itself, or with a text of its own. */
export type MetadataFormulaResultType = string | number | MetadataFormulaObjectResultType;

/** What a list of property options is: the options, or the options and how long they hold. */
export type PropertyOptionsMetadataResult<Options extends readonly unknown[]> =
  | Options
  | {
      readonly result: Options;
      /** In seconds. @default about 300 */
      readonly cacheTtlSecs?: number | undefined;
    };

/** Lists what a property may hold. */
export type PropertyOptionsMetadataFunction<Options extends readonly unknown[] = readonly MetadataFormulaResultType[]> = (
  context: PropertyOptionsExecutionContext,
) => MaybePromise<PropertyOptionsMetadataResult<Options> | undefined>;

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
