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
  /** Allows users to type a value that is not in the list. @default false */
  readonly allowNewValues?: boolean | undefined;
}

/** The schema of a string. The other properties depend on the value hint. */
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
 * The options of a select list: a list, or a function that returns a list. To use the
 * `propertyOptions` function of the table, set `OptionsType.Dynamic`.
 */
export type PropertySchemaOptions<Value> =
  | readonly (Value | SimpleAutocompleteOption<Value>)[]
  | PropertyOptionsMetadataFunction<readonly (Value | SimpleAutocompleteOption<Value>)[]>
  | OptionsType;

/** Properties of a schema that has a list of options. */
export interface PropertyWithOptions<Value> {
  /** The options. */
  readonly options?: PropertySchemaOptions<Value> | undefined;
  /** Rejects an update if the value is not in the list. @default false */
  readonly requireForUpdates?: boolean | undefined;
}

/** A list. */
export interface ArraySchema<Items extends Schema = Schema> extends PropertyOptions {
  /** Set to `ValueType.Array` to define a list. */
  readonly type: "array";
  /** The schema of one element. */
  readonly items: Items;
}

/** The properties of an object, by name. */
export interface ObjectSchemaProperties {
  [name: string]: Schema;
}

/** The definition of an object schema. `makeObjectSchema` adds the `type`. */
export interface ObjectSchemaDefinition<
  Properties extends ObjectSchemaProperties = ObjectSchemaProperties,
  Id extends string = string,
  Display extends string = string,
  Unknown extends boolean = boolean,
> extends PropertyOptions,
    PropertyWithOptions<object> {
  /** Always `object`. `makeObjectSchema` sets this property. */
  type?: "object" | undefined;
  /** A value hint: the kind of object, such as a person or a reference. */
  codaType?: ObjectHintTypes | undefined;
  /** The properties, each with its schema. */
  properties: Properties;
  /** The property that identifies a row. */
  idProperty?: Id | undefined;
  /** The property that is shown as the name of a row. */
  displayProperty?: Display | undefined;
  /** The properties that users see first. */
  featuredProperties?: readonly string[] | undefined;
  /**
   * Keeps and shows all fields of the object, including fields that are not in `properties`.
   * @default false
   */
  includeUnknownProperties?: Unknown | undefined;
  /** The kind of object. In a sync table, `identityName` sets the identity. */
  identity?: Identity | undefined;
  /** Shows users the source of the data. */
  attribution?: readonly AttributionNode[] | undefined;
  /** The title of the card. @default `displayProperty` */
  titleProperty?: PropertyIdentifier | undefined;
  /** The link of the card: a Url property. */
  linkProperty?: PropertyIdentifier | undefined;
  /** The lines below the title. @default `featuredProperties` */
  subtitleProperties?: readonly PropertyIdentifier[] | undefined;
  /** The text of the card. */
  snippetProperty?: PropertyIdentifier | undefined;
  /** The image of the card. */
  imageProperty?: PropertyIdentifier | undefined;
  /** The property that contains the time when the object was created. */
  createdAtProperty?: PropertyIdentifier | undefined;
  /** The property that contains the person who created the object. */
  createdByProperty?: PropertyIdentifier | undefined;
  /** The property that contains the time when the object was last changed. */
  modifiedAtProperty?: PropertyIdentifier | undefined;
  /** The property that contains the person who last changed the object. */
  modifiedByProperty?: PropertyIdentifier | undefined;
  /** In a table of users, the property that contains the email address. */
  userEmailProperty?: PropertyIdentifier | undefined;
  /** The search settings for the rows. */
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
  /** Set to `ValueType.Object` to define an object. */
  type: "object";
  /** The properties that users see first. */
  featuredProperties?: string[] | undefined;
}
/** Any object schema. */
export type GenericObjectSchema = ObjectSchema;

/** Describes a value and its display. */
export type Schema = BooleanSchema | NumberSchema | StringSchema | ArraySchema | ObjectSchema;

/** A choice: the text that users see, and a value. */
export interface SimpleAutocompleteOption<Value = string | number> {
  /** The text that users see. */
  readonly display: string;
  /** The value that the parameter or the property gets. */
  readonly value: Value;
}

/** A choice that a metadata function returns. */
export interface MetadataFormulaObjectResultType extends SimpleAutocompleteOption {
  /**
   * Allows users to open the choice. When a user opens it, the function is called again with the
   * choice's value as `search`.
   */
  readonly hasChildren?: boolean | undefined;
}
/** One choice: a string, a number, or an object with a value and a display text. */
export type MetadataFormulaResultType = string | number | MetadataFormulaObjectResultType;

/** The options of a property, and the number of seconds to cache them. */
export type PropertyOptionsMetadataResult<Options extends readonly unknown[]> =
  | Options
  | {
      /** The options. */
      readonly result: Options;
      /** The time for which the options are cached, in seconds. @default about 300 */
      readonly cacheTtlSecs?: number | undefined;
    };

/** Lists the values that a property can have. */
export type PropertyOptionsMetadataFunction<
  Options extends readonly unknown[] = readonly MetadataFormulaResultType[],
> = (
  context: PropertyOptionsExecutionContext,
) => MaybePromise<PropertyOptionsMetadataResult<Options> | undefined>;

/**
 * The context of a formula: the second argument of `execute`. The context never contains
 * credentials.
 */
export interface ExecutionContext {
  /**
   * Sends requests with the credentials of the account. Requests can go only to the network domains
   * of the Pack.
   */
  readonly fetcher: Fetcher;
  /** Stores images and files under a temporary URL. */
  readonly temporaryBlobStorage: TemporaryBlobStorage;
  /**
   * The endpoint of the account: an https origin and an optional path, without a slash at the end.
   * If the account has no endpoint, this property is not set.
   */
  readonly endpoint?: string | undefined;
  /** The connection variables and callback parameters of the account, without secrets. */
  readonly connection?: ConnectionValues | undefined;
  /** The place from which the formula was called. */
  readonly invocationLocation: InvocationLocation;
  /** The IANA time zone of the document, such as `"Europe/Berlin"`. */
  readonly timezone: string;
  /** A random token that is unique to this invocation. */
  readonly invocationToken: string;
  /**
   * The running sync. This property is set only for sync tables and the functions of dynamic
   * tables.
   */
  readonly sync?:
    | (SyncBase & {
        /**
         * The continuation that the previous page returned. For the first page, this property is
         * not set.
         */
        readonly continuation?: Untyped;
      })
    | undefined;
  /** The error of the previous attempt. In the first attempt, this property is not set. */
  readonly previousAttemptError?: InvocationError | undefined;
  /** @deprecated Accepted for compatibility with existing Packs. */
  readonly authenticationName?: string | undefined;
  /** @deprecated Accepted for compatibility with existing Packs. */
  readonly executionId?: string | undefined;
}

/** Members that every sync has. */
export interface SyncBase {
  /** The schema that `getSchema` returned for a dynamic table. */
  readonly schema?: ArraySchema<ObjectSchema> | ObjectSchema | undefined;
  /** The URL of the dynamic table that the user chose. */
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
  /**
   * The continuation that the previous page returned. For the first page, this property is not set.
   */
  readonly continuation?: NextPage | undefined;
  /** Never set in a full sync. */
  readonly previousCompletion?: undefined;
}

/** A sync of the rows that have changed since the previous sync. */
export interface SyncIncremental<NextPage, Checkpoint> extends SyncBase {
  /**
   * The continuation that the previous page returned. For the first page, this property is not set.
   */
  readonly continuation?: NextPage | undefined;
  /** The completion that the previous sync returned. */
  readonly previousCompletion: {
    /** The point at which this sync starts. */
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

/** The sync of the table that users edited. */
export type UpdateSync = SyncBase;

/** The context of the formula of a sync table: the second argument of `execute`. */
export interface SyncExecutionContext<
  NextPage = Continuation,
  Checkpoint = NextPage,
  NextChange = NextPage,
> extends ExecutionContext {
  /**
   * The running sync. It contains the continuation and the schema. In an incremental sync, it also
   * contains the completion of the previous sync.
   */
  readonly sync: Sync<NextPage, Checkpoint, NextChange>;
  /** @deprecated Accepted for compatibility with existing Packs. */
  readonly syncStateService?: SyncStateService | undefined;
}

/** The context of an update: the third argument of `executeUpdate`. */
export interface UpdateSyncExecutionContext extends ExecutionContext {
  /** The sync of the table that users edited. */
  readonly sync: UpdateSync;
}

/** The context of a function that lists the options of a property. */
export interface PropertyOptionsExecutionContext extends SyncExecutionContext {
  /** The name of the property in the schema. */
  readonly propertyName: string;
  /** The schema of the property. */
  readonly propertySchema: Schema;
  /**
   * The values of the row, by property name. If your function reads a value that later changes,
   * the cached options are discarded.
   */
  readonly propertyValues: Readonly<Record<string, Untyped>>;
  /** The text that the user typed. */
  readonly search: string;
}
