import type { OptionsType, PermissionSyncMode } from "./enumerations.ts";
import type { Fetcher, TemporaryBlobStorage } from "./fetch.ts";
import type {
  ConnectionValues,
  Continuation,
  InvocationError,
  InvocationLocation,
  SyncStateService,
} from "./invocation.ts";
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
import type {
  AttributionNode,
  Identity,
  IndexDefinition,
  ParentDefinition,
  PropertyIdentifier,
} from "./schema-annotations.ts";
import type { MaybePromise, Untyped } from "./untyped.ts";

// Schemas and contexts refer to each other: a schema may list its options with a function, the
// function receives a context, and the context holds the schema of the table.

/** Text from a list of options. */
export interface StringWithOptionsSchema extends BaseStringSchema, PropertyWithOptions<string> {
  /** Shows the text as a choice from a list. */
  readonly codaType: "selectList";
  /** Users may type a value that is not in the list. @default false */
  readonly allowNewValues?: boolean | undefined;
}

/** Text. The value hint decides which other members the schema has. */
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

/** The value hints for a boolean. */
export type BooleanHintTypes = NonNullable<BooleanSchema["codaType"]>;
/** The value hints for a number. */
export type NumberHintTypes = NonNullable<NumberSchema["codaType"]>;
/** The value hints for text. */
export type StringHintTypes = NonNullable<StringSchema["codaType"]>;
/** The value hints for an object. */
export type ObjectHintTypes = "person" | "reference" | "selectList";

/**
 * The options of a select list: a list, a function that returns them, or `OptionsType.Dynamic` for
 * the function of the table.
 */
export type PropertySchemaOptions<Value> =
  | readonly (Value | SimpleAutocompleteOption<Value>)[]
  | PropertyOptionsMetadataFunction<readonly (Value | SimpleAutocompleteOption<Value>)[]>
  | OptionsType;

/** Members of a schema whose values come from a list of options. */
export interface PropertyWithOptions<Value> {
  /** The options. */
  readonly options?: PropertySchemaOptions<Value> | undefined;
  /** Refuses an update if the value is not in the list. @default false */
  readonly requireForUpdates?: boolean | undefined;
}

/** A list. */
export interface ArraySchema<Items extends Schema = Schema> extends PropertyOptions {
  /** Selects the schema of a list. */
  readonly type: "array";
  /** The schema of one element. */
  readonly items: Items;
}

/** The properties of an object, by name. */
export interface ObjectSchemaProperties {
  [name: string]: Schema;
}

/** The schema of an object as you write it. `makeObjectSchema` adds the `type`. */
export interface ObjectSchemaDefinition<
  Properties extends ObjectSchemaProperties = ObjectSchemaProperties,
  Id extends string = string,
  Display extends string = string,
  Unknown extends boolean = boolean,
> extends PropertyOptions,
    PropertyWithOptions<object> {
  /** Always `object`. `makeObjectSchema` sets it. */
  type?: "object" | undefined;
  /** A value hint, such as for a person or a reference. */
  codaType?: ObjectHintTypes | undefined;
  /** The properties, each with its schema. */
  properties: Properties;
  /** The property that identifies a row. */
  idProperty?: Id | undefined;
  /** The property that is shown as the name of a row. */
  displayProperty?: Display | undefined;
  /** Properties that users see first. */
  featuredProperties?: readonly string[] | undefined;
  /** Also keeps and shows values of the object that are not in `properties`. @default false */
  includeUnknownProperties?: Unknown | undefined;
  /** The kind of object. A sync table sets it from its `identityName`. */
  identity?: Identity | undefined;
  /** Where the data comes from. Users see it. */
  attribution?: readonly AttributionNode[] | undefined;
  /** Title of the card. @default displayProperty */
  titleProperty?: PropertyIdentifier | undefined;
  /** The link of the card: a Url property. */
  linkProperty?: PropertyIdentifier | undefined;
  /** Lines below the title. @default featuredProperties */
  subtitleProperties?: readonly PropertyIdentifier[] | undefined;
  /** Text of the card. */
  snippetProperty?: PropertyIdentifier | undefined;
  /** Image of the card. */
  imageProperty?: PropertyIdentifier | undefined;
  /** The property that says when the object was created. */
  createdAtProperty?: PropertyIdentifier | undefined;
  /** The property that says who created the object. */
  createdByProperty?: PropertyIdentifier | undefined;
  /** The property that says when the object was last changed. */
  modifiedAtProperty?: PropertyIdentifier | undefined;
  /** The property that says who last changed the object. */
  modifiedByProperty?: PropertyIdentifier | undefined;
  /** For a table of users: the property that contains the e-mail address. */
  userEmailProperty?: PropertyIdentifier | undefined;
  /** How search indexes the rows. */
  index?: IndexDefinition | undefined;
  /** @deprecated Accepted for compatibility with existing Packs: use `idProperty`. */
  id?: string | undefined;
  /** @deprecated Accepted for compatibility with existing Packs: use `displayProperty`. */
  primary?: string | undefined;
  /** @deprecated Accepted for compatibility with existing Packs: use `featuredProperties`. */
  featured?: readonly string[] | undefined;
  /** @deprecated Accepted for compatibility with existing Packs. */
  userIdProperty?: PropertyIdentifier | undefined;
  /** @deprecated Accepted for compatibility with existing Packs. */
  groupIdProperty?: PropertyIdentifier | undefined;
  /** @deprecated Accepted for compatibility with existing Packs. */
  memberGroupIdProperty?: PropertyIdentifier | undefined;
  /** @deprecated Accepted for compatibility with existing Packs. */
  versionProperty?: PropertyIdentifier | undefined;
  /** @deprecated Accepted for compatibility with existing Packs. */
  parent?: ParentDefinition | undefined;
  /** @internal Accepted for compatibility with existing Packs. */
  __packId?: number | undefined;
}

/** An object with named properties. */
export interface ObjectSchema<
  Properties extends ObjectSchemaProperties = ObjectSchemaProperties,
  Id extends string = string,
  Display extends string = string,
  Unknown extends boolean = boolean,
> extends ObjectSchemaDefinition<Properties, Id, Display, Unknown> {
  /** Selects the schema of an object. */
  type: "object";
  /** Properties that users see first. */
  featuredProperties?: string[] | undefined;
}
/** Any object schema. */
export type GenericObjectSchema = ObjectSchema;

/** Describes a value and how it is shown. */
export type Schema = BooleanSchema | NumberSchema | StringSchema | ArraySchema | ObjectSchema;

/** A choice: the text that users see, and its value. */
export interface SimpleAutocompleteOption<Value = string | number> {
  /** The text that users see. */
  readonly display: string;
  /** The value that the parameter or the property gets. */
  readonly value: Value;
}

/** A choice that a metadata function returns. */
export interface MetadataFormulaObjectResultType extends SimpleAutocompleteOption {
  /** Users can open it: the function is then called again with its value as `search`. */
  readonly hasChildren?: boolean | undefined;
}
/** One choice: a text, a number, or a value with a different text to show. */
export type MetadataFormulaResultType = string | number | MetadataFormulaObjectResultType;

/** The options of a property, or the options and how long they may be reused. */
export type PropertyOptionsMetadataResult<Options extends readonly unknown[]> =
  | Options
  | {
      /** The options. */
      readonly result: Options;
      /** How long the options may be reused, in seconds. @default about 300 */
      readonly cacheTtlSecs?: number | undefined;
    };

/** Lists the values that a property can have. */
export type PropertyOptionsMetadataFunction<
  Options extends readonly unknown[] = readonly MetadataFormulaResultType[],
> = (
  context: PropertyOptionsExecutionContext,
) => MaybePromise<PropertyOptionsMetadataResult<Options> | undefined>;

/** What a formula receives in addition to its arguments. It never contains a credential. */
export interface ExecutionContext {
  /** Sends requests to the Pack's network domains, with the account's credentials. */
  readonly fetcher: Fetcher;
  /** Stores images and files under a temporary URL. */
  readonly temporaryBlobStorage: TemporaryBlobStorage;
  /**
   * The account's endpoint: an https origin with an optional path and no trailing slash. Absent
   * when the account has none.
   */
  readonly endpoint?: string | undefined;
  /** The account's connection variables and callback parameters, without secrets. */
  readonly connection?: ConnectionValues | undefined;
  /** What called the formula, and where. */
  readonly invocationLocation: InvocationLocation;
  /** IANA time zone of the document, such as `"Europe/Berlin"`. */
  readonly timezone: string;
  /** A random token that is unique to this invocation. */
  readonly invocationToken: string;
  /** Present while a table is synced, and when a function of a dynamic table is called. */
  readonly sync?:
    | (SyncBase & {
        /** Where this page begins. Absent on the first page. */
        readonly continuation?: Untyped;
      })
    | undefined;
  /** Why the previous attempt failed. Absent on the first attempt. */
  readonly previousAttemptError?: InvocationError | undefined;
  /** @deprecated Accepted for compatibility with existing Packs. */
  readonly authenticationName?: string | undefined;
  /** @deprecated Accepted for compatibility with existing Packs. */
  readonly executionId?: string | undefined;
}

/** Members that every sync has. */
export interface SyncBase {
  /** The schema of a dynamic table, as `getSchema` returned it. */
  readonly schema?: ArraySchema<ObjectSchema> | ObjectSchema | undefined;
  /** The URL of the table that the user chose, when the table is dynamic. */
  readonly dynamicUrl?: string | undefined;
  /** The arguments of the sync, by parameter name. */
  readonly parameters?: Readonly<Record<string, Untyped>> | undefined;
  /** @deprecated Accepted for compatibility with existing Packs. */
  readonly executionId?: string | undefined;
  /** @deprecated Accepted for compatibility with existing Packs. */
  readonly permissionSyncMode?: PermissionSyncMode | undefined;
}

/** A sync of all rows. */
export interface SyncFull<NextPage = Continuation> extends SyncBase {
  /** Absent on the first page. */
  readonly continuation?: NextPage | undefined;
  /** Never set in a full sync. */
  readonly previousCompletion?: undefined;
}

/** A sync of what changed since the previous sync. */
export interface SyncIncremental<NextPage, Checkpoint> extends SyncBase {
  /** Absent on the first page. */
  readonly continuation?: NextPage | undefined;
  /** What the previous sync returned as its completion. */
  readonly previousCompletion: {
    /** Where this sync begins. */
    readonly incrementalContinuation: Checkpoint;
  };
}

/**
 * A running sync. @template NextPage of a full sync @template Checkpoint of the previous sync
 * @template NextChange of an incremental sync
 */
export type Sync<NextPage = Continuation, Checkpoint = NextPage, NextChange = NextPage> =
  | SyncFull<NextPage>
  | SyncIncremental<NextChange, Checkpoint>;

/** The sync that updates belong to. */
export type UpdateSync = SyncBase;

/** What the formula of a sync table receives in addition to its arguments. */
export interface SyncExecutionContext<
  NextPage = Continuation,
  Checkpoint = NextPage,
  NextChange = NextPage,
> extends ExecutionContext {
  /**
   * The running sync: its page, its schema and, in an incremental sync, where the previous one
   * ended.
   */
  readonly sync: Sync<NextPage, Checkpoint, NextChange>;
  /** @deprecated Accepted for compatibility with existing Packs. */
  readonly syncStateService?: SyncStateService | undefined;
}

/** What `executeUpdate` receives in addition to its arguments and the updates. */
export interface UpdateSyncExecutionContext extends ExecutionContext {
  /** The sync of the table that is updated. */
  readonly sync: UpdateSync;
}

/** What a function that lists the options of a property receives. */
export interface PropertyOptionsExecutionContext extends SyncExecutionContext {
  /** The name of the property in the schema. */
  readonly propertyName: string;
  /** The schema of the property. */
  readonly propertySchema: Schema;
  /**
   * The values of the row, by property. The options are reused while the values that you read stay
   * the same.
   */
  readonly propertyValues: Readonly<Record<string, Untyped>>;
  /** What the user typed. */
  readonly search: string;
}
