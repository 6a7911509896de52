import type {
  AttributionNodeType,
  ConnectionRequirement,
  ContentCategorizationType,
  CurrencyFormat,
  DataIndexing,
  DurationUnit,
  EmailDisplayType,
  FormulaPurpose,
  HttpStatusCode,
  ImageCornerStyle,
  ImageOutline,
  ImageShapeStyle,
  IndexingStrategy,
  InvocationErrorType,
  InvocationSource,
  LifecycleBehavior,
  LinkDisplayType,
  NetworkConnection,
  OptionsType,
  ParameterType,
  PermissionSyncMode,
  PermissionsBehavior,
  PermissionType,
  PrecannedDateRange,
  PrincipalType,
  ScaleIconSet,
  TableRole,
  Type,
  UpdateOutcome,
  ValueHintType,
  ValueType,
} from "./enumerations.ts";

// Contexts, metadata formulas, parameters, schemas, formulas and tables refer to each other.

// ---- requests and contexts ------------------------------------------------------------

export declare const ValidFetchMethods: readonly ["GET", "PATCH", "POST", "PUT", "DELETE", "HEAD"];
export type FetchMethodType = (typeof ValidFetchMethods)[number];

/**
 * A `Buffer` or another `Uint8Array`. The `Buffer` of types of Node before TypeScript 5.7 has a
 * `slice` that differs from that of a `Uint8Array`.
 */
interface Bytes
  extends Pick<Uint8Array, "byteLength" | "byteOffset" | "BYTES_PER_ELEMENT" | "length"> {
  readonly [index: number]: number;
}
export interface FetchRequest {
  method: FetchMethodType;
  url: string;
  body?: string | Bytes;
  form?: { [key: string]: string };
  headers?: { [header: string]: string };
  cacheTtlSecs?: number;
  forceCache?: boolean;
  isBinaryResponse?: boolean;
  disableAuthentication?: boolean;
  ignoreRedirects?: boolean;
  chunkResponse?: boolean;
}
export interface ChunkedResponseBody {
  chunks: { url: string; size: number }[];
  totalSize: number;
}
export interface FetchResponse<Body = any> {
  status: number;
  body?: Body;
  headers: { [header: string]: string | string[] | undefined };
}
export interface Fetcher {
  fetch<Body = any>(request: FetchRequest): Promise<FetchResponse<Body>>;
}
export interface TemporaryBlobStorage {
  storeUrl(
    url: string,
    options?: { expiryMs?: number; downloadFilename?: string; contentType?: string },
    fetchOptions?: Pick<FetchRequest, "disableAuthentication" | "headers" | "cacheTtlSecs">,
  ): Promise<string>;
  storeBlob(
    bytes: Bytes,
    contentType: string,
    options?: { expiryMs?: number; downloadFilename?: string },
  ): Promise<string>;
}
export interface SyncStateService {
  getLatestRowVersions(rowIds: string[]): Promise<{ [rowId: string]: string }>;
}

export interface Continuation {
  [key: string]: string | number | { [key: string]: string | number };
}
export interface SyncCompletionMetadata<Checkpoint = Continuation> {
  incrementalContinuation: Checkpoint;
  hasIncompleteResults?: false;
}
export interface SyncCompletionMetadataIncomplete {
  hasIncompleteResults: true;
  incrementalContinuation?: never;
}
export type SyncCompletionMetadataResult<Checkpoint = Continuation> =
  | SyncCompletionMetadata<Checkpoint>
  | SyncCompletionMetadataIncomplete;

export interface SyncBase {
  schema?: ArraySchema;
  dynamicUrl?: string;
  readonly parameters?: MetadataContext;
  executionId?: string;
  permissionSyncMode?: PermissionSyncMode;
}
export interface SyncFull<NextPage = Continuation> extends SyncBase {
  continuation?: NextPage;
  previousCompletion?: never;
}
export interface SyncIncremental<NextPage, Checkpoint> extends SyncBase {
  continuation?: NextPage;
  previousCompletion: SyncCompletionMetadata<Checkpoint>;
}
export type Sync<NextPage = Continuation, Checkpoint = NextPage, NextChange = NextPage> =
  | SyncFull<NextPage>
  | SyncIncremental<NextChange, Checkpoint>;
export interface UpdateSync extends SyncBase {}
/** The sync that permissions are read for. */
export type GetPermissionsSync = Sync;

interface Failure<Kind extends InvocationErrorType> {
  type: Kind;
}
export type HttpStatusInvocationError = Failure<InvocationErrorType.HttpStatusError> & {
  statusCode: HttpStatusCode;
};
export type RateLimitExceededInvocationError = Failure<InvocationErrorType.RateLimitExceeded>;
export type TimeoutInvocationError = Failure<InvocationErrorType.Timeout>;
export type ResponseTooLargeInvocationError = Failure<InvocationErrorType.ResponseTooLarge>;
export type UnknownInvocationError = Failure<InvocationErrorType.Unknown>;
export type InvocationError =
  | HttpStatusInvocationError
  | RateLimitExceededInvocationError
  | TimeoutInvocationError
  | ResponseTooLargeInvocationError
  | UnknownInvocationError;

export interface InvocationLocation {
  source?: InvocationSource;
  protocolAndHost: string;
  docId?: string;
  userId?: string;
}

export interface ExecutionContext {
  readonly fetcher: Fetcher;
  readonly temporaryBlobStorage: TemporaryBlobStorage;
  readonly endpoint?: string;
  readonly invocationLocation: InvocationLocation;
  readonly timezone: string;
  readonly invocationToken: string;
  readonly sync?: Sync<unknown>;
  readonly authenticationName?: string;
  readonly executionId?: string;
  readonly previousAttemptError?: InvocationError;
}
export interface SyncExecutionContext<
  NextPage = Continuation,
  Checkpoint = NextPage,
  NextChange = NextPage,
> extends ExecutionContext {
  readonly sync: Sync<NextPage, Checkpoint, NextChange>;
  readonly syncStateService?: SyncStateService;
}
export interface PropertyOptionsExecutionContext extends SyncExecutionContext {
  readonly propertyName: string;
  readonly propertySchema: Schema & ObjectSchemaProperty;
  readonly propertyValues: { [property: string]: any };
  readonly search: string;
}
export interface UpdateSyncExecutionContext extends ExecutionContext {
  readonly sync: UpdateSync;
}
/** What `executeGetPermissions` receives in addition to its arguments and the rows. */
export interface GetPermissionExecutionContext extends ExecutionContext {
  readonly sync: GetPermissionsSync;
}

// ---- metadata formulas ------------------------------------------------------------

export type MetadataContext = Record<string, any> & { __brand: "MetadataContext" };

export interface MetadataFormulaObjectResultType {
  display: string;
  value: string | number;
  hasChildren?: boolean;
}
export type MetadataFormulaResultType = string | number | MetadataFormulaObjectResultType;
export type LegacyDefaultMetadataReturnType =
  | MetadataFormulaResultType
  | MetadataFormulaResultType[]
  | ArraySchema
  | ObjectSchema<any, any>;

/** A metadata function as a formula. */
export type MetadataFormula<
  Context extends ExecutionContext = ExecutionContext,
  Result extends PackFormulaResult = LegacyDefaultMetadataReturnType,
> = BaseFormula<[ParamDef<Type.string>, ParamDef<Type.string>], Result, Context> & { schema?: any };
/** A metadata formula without its functions. */
export type MetadataFormulaMetadata<
  Context extends ExecutionContext = ExecutionContext,
  Result extends PackFormulaResult = LegacyDefaultMetadataReturnType,
> = Omit<MetadataFormula<Context, Result>, "execute" | "validateParameters">;
export type MetadataFunction<
  Context extends ExecutionContext = ExecutionContext,
  Result = LegacyDefaultMetadataReturnType,
> = (
  context: Context,
  search: string,
  // `any`, because authors destructure it.
  formulaContext?: any,
) => Promise<Result>;
export type MetadataFormulaDef<
  Context extends ExecutionContext = ExecutionContext,
  Result extends PackFormulaResult = LegacyDefaultMetadataReturnType,
> = MetadataFormula<Context, Result> | MetadataFunction<Context, Result>;

export declare function makeMetadataFormula<
  Context extends ExecutionContext,
  Result extends PackFormulaResult = LegacyDefaultMetadataReturnType,
>(
  execute: MetadataFunction<Context, Result>,
  options?: { connectionRequirement?: ConnectionRequirement },
): MetadataFormula<Context, Result>;

/** A function becomes a formula; a formula is returned as it is. */
export declare function wrapMetadataFunction<
  Context extends ExecutionContext,
  Result extends PackFormulaResult = LegacyDefaultMetadataReturnType,
>(
  definition: MetadataFormulaDef<Context, Result> | undefined,
): MetadataFormula<Context, Result> | undefined;

export type PropertyOptionsMetadataResult<Options extends PackFormulaResult[]> =
  | Options
  | { result: Options; cacheTtlSecs?: number };
export type PropertyOptionsMetadataFunction<Options extends PackFormulaResult[]> = (
  context: PropertyOptionsExecutionContext,
) => Promise<PropertyOptionsMetadataResult<Options>> | PropertyOptionsMetadataResult<Options>;
/** The options of a property in a compiled schema. */
export type OptionsReference = string & { __brand: "OptionsRef" };
export type PropertySchemaOptions<Value extends PackFormulaResult> =
  | PropertyOptionsMetadataFunction<Value[]>
  | Value[]
  | OptionsType
  | OptionsReference;
export type PropertyOptionsMetadataFormula<Item extends Schema> = ObjectPackFormula<
  [],
  ArraySchema<Item>
> & {
  execute(
    params: ParamValues<[]>,
    context: PropertyOptionsExecutionContext,
  ): Promise<object> | object;
};
export declare function makePropertyOptionsFormula<Item extends Schema>(definition: {
  execute: PropertyOptionsMetadataFunction<SchemaType<Item>[]>;
  schema: Item;
  name: string;
}): PropertyOptionsMetadataFormula<Item>;

export interface SimpleAutocompleteOption<T extends AutocompleteParameterTypes> {
  display: string;
  value: TypeMap[AutocompleteParameterTypeMapping[T]];
}
type Choice<T extends AutocompleteParameterTypes> =
  | TypeMap[AutocompleteParameterTypeMapping[T]]
  | SimpleAutocompleteOption<T>;
export declare function simpleAutocomplete<T extends AutocompleteParameterTypes>(
  search: string | undefined,
  options: Choice<T>[],
): Promise<MetadataFormulaObjectResultType[]>;
type KeysWith<Item, Value> = {
  [Key in keyof Item]: Item[Key] extends Value ? Key : never;
}[keyof Item];
export declare function autocompleteSearchObjects<Item>(
  search: string,
  objects: Item[],
  displayKey: KeysWith<Item, string>,
  valueKey: KeysWith<Item, string | number>,
): Promise<MetadataFormulaObjectResultType[]>;
/** @deprecated Pass the options to `autocomplete`. */
export declare function makeSimpleAutocompleteMetadataFormula<T extends AutocompleteParameterTypes>(
  options: Choice<T>[],
): MetadataFormula;

// ---- parameters ------------------------------------------------------------

export interface ArrayType<Item extends Type> {
  type: "array";
  items: Item;
  /** The list may have gaps. */
  allowEmpty?: boolean;
}
/** A list that may have gaps. */
export interface SparseArrayType<Item extends Type> extends ArrayType<Item> {
  allowEmpty: true;
}
/** The type of a parameter in a compiled definition. */
export type UnionType = Type | ArrayType<Type>;
/** A type that a parameter can have. */
export type ParamType = Exclude<Type, Type.object>;

interface TextTypes {
  [Type.string]: string;
  [Type.html]: string;
  [Type.image]: string;
  [Type.file]: string;
  [Type.markdown]: string;
  [Type.email]: string;
}
/** The value of each type. */
export interface TypeMap extends TextTypes {
  [Type.number]: number;
  [Type.object]: object;
  [Type.boolean]: boolean;
  [Type.date]: Date;
}

export type PackFormulaValue = TypeMap[ParamType] | PackFormulaValue[];
export type PackFormulaResult = TypeMap[Type] | PackFormulaResult[];

/** The type of a value. */
export type TypeOf<Value extends PackFormulaResult> = Value extends number
  ? Type.number
  : Value extends string
    ? Type.string
    : Value extends boolean
      ? Type.boolean
      : Value extends Date
        ? Type.date
        : Value extends object
          ? Type.object
          : never;

/** What a type of parameter is in a compiled definition. */
export interface ParameterTypeMap {
  [ParameterType.String]: Type.string;
  [ParameterType.StringArray]: ArrayType<Type.string>;
  [ParameterType.SparseStringArray]: SparseArrayType<Type.string>;
  [ParameterType.Number]: Type.number;
  [ParameterType.NumberArray]: ArrayType<Type.number>;
  [ParameterType.SparseNumberArray]: SparseArrayType<Type.number>;
  [ParameterType.Boolean]: Type.boolean;
  [ParameterType.BooleanArray]: ArrayType<Type.boolean>;
  [ParameterType.SparseBooleanArray]: SparseArrayType<Type.boolean>;
  [ParameterType.Date]: Type.date;
  [ParameterType.DateArray]: ArrayType<Type.date>;
  [ParameterType.SparseDateArray]: SparseArrayType<Type.date>;
  [ParameterType.Html]: Type.html;
  [ParameterType.HtmlArray]: ArrayType<Type.html>;
  [ParameterType.SparseHtmlArray]: SparseArrayType<Type.html>;
  [ParameterType.Image]: Type.image;
  [ParameterType.ImageArray]: ArrayType<Type.image>;
  [ParameterType.SparseImageArray]: SparseArrayType<Type.image>;
  [ParameterType.File]: Type.file;
  [ParameterType.FileArray]: ArrayType<Type.file>;
  [ParameterType.SparseFileArray]: SparseArrayType<Type.file>;
  [ParameterType.Markdown]: Type.markdown;
  [ParameterType.MarkdownArray]: ArrayType<Type.markdown>;
  [ParameterType.SparseMarkdownArray]: SparseArrayType<Type.markdown>;
  [ParameterType.Email]: Type.email;
  [ParameterType.EmailArray]: ArrayType<Type.email>;
  [ParameterType.SparseEmailArray]: SparseArrayType<Type.email>;
}

type ValueOf<T extends UnionType> = T extends Type
  ? TypeMap[T]
  : T extends SparseArrayType<infer Item>
    ? (TypeMap[Item] | undefined)[]
    : T extends ArrayType<infer Item>
      ? TypeMap[Item][]
      : never;

export type SuggestedValueType<T extends UnionType> =
  T extends ArrayType<Type.date> ? ValueOf<T> | PrecannedDateRange : ValueOf<T>;

export interface SyncTableRelation {
  tableName: string;
  propertyKey: string;
  inheritPermissions?: boolean;
}
export interface CrawlStrategy {
  parentTable?: SyncTableRelation;
}

/** A parameter of a formula in its compiled form. */
export interface ParamDef<T extends UnionType> {
  name: string;
  type: T;
  description: string;
  instructions?: string;
  optional?: boolean;
  autocomplete?: MetadataFormula;
  suggestedValue?: SuggestedValueType<T>;
  ingestionSuggestedValue?: SuggestedValueType<T>;
  crawlStrategy?: CrawlStrategy;
  supportsIncrementalSync?: boolean;
  allowedPresetValues?: SuggestedValueType<T>[];
  allowManualInput?: boolean;
  /** @deprecated Use `suggestedValue`. */
  defaultValue?: SuggestedValueType<T>;
  /** @deprecated Use `ingestionSuggestedValue`. */
  fullSyncSuggestedValue?: SuggestedValueType<T>;
}
export interface OptionalParamDef<T extends UnionType> extends ParamDef<T> {
  optional: true;
}
export interface RequiredParamDef<T extends UnionType> extends ParamDef<T> {
  optional?: false;
}
/** The options of a parameter factory. */
export type ParamArgs<T extends UnionType> = Omit<ParamDef<T>, "name" | "type" | "description">;
export type ParamDefs = [] | [ParamDef<UnionType>, ...ParamDef<UnionType>[]];
export type ParamsList = ParamDef<UnionType>[];

/**
 * The values of a list of parameters, in the same order. The values of repeated parameters follow
 * them.
 */
export type ParamValues<Params extends ParamDefs> = {
  [Index in keyof Params]: Params[Index] extends RequiredParamDef<infer T>
    ? ValueOf<T>
    : Params[Index] extends ParamDef<infer T>
      ? ValueOf<T> | undefined
      : never;
} & any[];

export type AutocompleteParameterTypes =
  | ParameterType.Number
  | ParameterType.String
  | ParameterType.StringArray
  | ParameterType.SparseStringArray;
/** The type of the choices of a parameter. */
export interface AutocompleteParameterTypeMapping {
  [ParameterType.Number]: Type.number;
  [ParameterType.String]: Type.string;
  [ParameterType.StringArray]: Type.string;
  [ParameterType.SparseStringArray]: Type.string;
}

export type ParameterOptions<T extends ParameterType> = Omit<
  ParamDef<ParameterTypeMap[T]>,
  "type" | "autocomplete"
> & {
  type: T;
  autocomplete?: T extends AutocompleteParameterTypes
    ?
        | MetadataFormulaDef
        | (TypeMap[AutocompleteParameterTypeMapping[T]] | SimpleAutocompleteOption<T>)[]
    : undefined;
};
export type ParamDefFromOptionsUnion<
  T extends ParameterType,
  Options extends ParameterOptions<T>,
> = Omit<Options, "type" | "autocomplete"> & {
  type: Options extends ParameterOptions<infer Written> ? ParameterTypeMap[Written] : never;
  autocomplete: MetadataFormula;
};

export declare function makeParameter<T extends ParameterType, Options extends ParameterOptions<T>>(
  definition: Options,
): ParamDefFromOptionsUnion<T, Options>;

interface ParameterFactory<T extends UnionType> {
  (
    name: string,
    description: string,
    options: ParamArgs<T> & { optional: true },
  ): OptionalParamDef<T>;
  (name: string, description: string, options?: ParamArgs<T>): RequiredParamDef<T>;
}
/** @deprecated Use `makeParameter`. */
export declare const makeStringParameter: ParameterFactory<Type.string>;
/** @deprecated Use `makeParameter`. */
export declare const makeStringArrayParameter: ParameterFactory<ArrayType<Type.string>>;
/** @deprecated Use `makeParameter`. */
export declare const makeNumericParameter: ParameterFactory<Type.number>;
/** @deprecated Use `makeParameter`. */
export declare const makeNumericArrayParameter: ParameterFactory<ArrayType<Type.number>>;
/** @deprecated Use `makeParameter`. */
export declare const makeBooleanParameter: ParameterFactory<Type.boolean>;
/** @deprecated Use `makeParameter`. */
export declare const makeBooleanArrayParameter: ParameterFactory<ArrayType<Type.boolean>>;
/** @deprecated Use `makeParameter`. */
export declare const makeDateParameter: ParameterFactory<Type.date>;
/** @deprecated Use `makeParameter`. */
export declare const makeDateArrayParameter: ParameterFactory<ArrayType<Type.date>>;
/** @deprecated Use `makeParameter`. */
export declare const makeHtmlParameter: ParameterFactory<Type.html>;
/** @deprecated Use `makeParameter`. */
export declare const makeHtmlArrayParameter: ParameterFactory<ArrayType<Type.html>>;
/** @deprecated Use `makeParameter`. */
export declare const makeImageParameter: ParameterFactory<Type.image>;
/** @deprecated Use `makeParameter`. */
export declare const makeImageArrayParameter: ParameterFactory<ArrayType<Type.image>>;
/** @deprecated Use `makeParameter`. */
export declare const makeFileParameter: ParameterFactory<Type.file>;
/** @deprecated Use `makeParameter`. */
export declare const makeFileArrayParameter: ParameterFactory<ArrayType<Type.file>>;

export interface ParameterValidationDetail {
  message: string;
  parameterName: string;
}
export interface ValidParameterValidationResult {
  isValid: true;
}
export interface InvalidParameterValidationResult {
  isValid: false;
  message: string;
  errors?: ParameterValidationDetail[];
}
export type ParameterValidationResult =
  | InvalidParameterValidationResult
  | ValidParameterValidationResult;

// ---- schemas ------------------------------------------------------------

/** The value hints for text. */
export declare const StringHintValueTypes: readonly StringHintTypes[];
/** The value hints for a number. */
export declare const NumberHintValueTypes: readonly NumberHintTypes[];
/** The value hints for a boolean. */
export declare const BooleanHintValueTypes: readonly BooleanHintTypes[];
/** The value hints for an object. */
export declare const ObjectHintValueTypes: readonly ObjectHintTypes[];
export type BooleanHintTypes = ValueHintType.Toggle;
export type NumberHintTypes =
  | ValueHintType.Date
  | ValueHintType.Time
  | ValueHintType.DateTime
  | ValueHintType.Duration
  | ValueHintType.Percent
  | ValueHintType.Currency
  | ValueHintType.Slider
  | ValueHintType.ProgressBar
  | ValueHintType.Scale;
export type StringHintTypes =
  | SimpleStringHintTypes
  | ValueHintType.Date
  | ValueHintType.Time
  | ValueHintType.DateTime
  | ValueHintType.Duration
  | ValueHintType.Embed
  | ValueHintType.ImageReference
  | ValueHintType.ImageAttachment
  | ValueHintType.SelectList;
/** The value hints for text that need no other members. */
export type SimpleStringHintTypes =
  | ValueHintType.Attachment
  | ValueHintType.Html
  | ValueHintType.Markdown
  | ValueHintType.Url
  | ValueHintType.Email
  | ValueHintType.CodaInternalRichText;
export type ObjectHintTypes =
  | ValueHintType.Person
  | ValueHintType.Reference
  | ValueHintType.SelectList;

interface BaseSchema {
  description?: string;
}
export interface PropertyWithOptions<Value extends PackFormulaResult> {
  options?: PropertySchemaOptions<Value>;
  requireForUpdates?: boolean;
}

export interface BooleanSchema extends BaseSchema {
  type: ValueType.Boolean;
  codaType?: BooleanHintTypes;
}

/** Members that every schema of a number has. */
export interface BaseNumberSchema<Hint extends NumberHintTypes = NumberHintTypes>
  extends BaseSchema {
  type: ValueType.Number;
  /** How the number is shown and edited. */
  codaType?: Hint;
}
export interface NumericSchema extends BaseNumberSchema {
  codaType?: ValueHintType.Percent;
  precision?: number;
  useThousandsSeparator?: boolean;
}
export interface NumericDateSchema extends BaseNumberSchema<ValueHintType.Date> {
  codaType: ValueHintType.Date;
  format?: string;
}
export interface NumericTimeSchema extends BaseNumberSchema<ValueHintType.Time> {
  codaType: ValueHintType.Time;
  format?: string;
}
export interface NumericDateTimeSchema extends BaseNumberSchema<ValueHintType.DateTime> {
  codaType: ValueHintType.DateTime;
  dateFormat?: string;
  timeFormat?: string;
}
export interface NumericDurationSchema extends BaseNumberSchema<ValueHintType.Duration> {
  codaType: ValueHintType.Duration;
  precision?: number;
  maxUnit?: DurationUnit;
}
export interface CurrencySchema extends BaseNumberSchema<ValueHintType.Currency> {
  codaType: ValueHintType.Currency;
  precision?: number;
  currencyCode?: string;
  format?: CurrencyFormat;
}
interface RangeSchema<Hint extends NumberHintTypes> extends BaseNumberSchema<Hint> {
  /** Shows the number as a slider or as a bar. */
  codaType: Hint;
  minimum?: number | string;
  maximum?: number | string;
  step?: number | string;
  showValue?: boolean;
}
export interface SliderSchema extends RangeSchema<ValueHintType.Slider> {}
export interface ProgressBarSchema extends RangeSchema<ValueHintType.ProgressBar> {}
export interface ScaleSchema extends BaseNumberSchema<ValueHintType.Scale> {
  codaType: ValueHintType.Scale;
  maximum?: number;
  icon?: ScaleIconSet;
}
export type NumberSchema =
  | CurrencySchema
  | SliderSchema
  | ProgressBarSchema
  | ScaleSchema
  | NumericSchema
  | NumericDateSchema
  | NumericTimeSchema
  | NumericDateTimeSchema
  | NumericDurationSchema;

/** Members that every schema of text has. */
export interface BaseStringSchema<Hint extends StringHintTypes = StringHintTypes>
  extends BaseSchema {
  type: ValueType.String;
  /** How the text is shown and edited. */
  codaType?: Hint;
}
export interface SimpleStringSchema<Hint extends SimpleStringHintTypes = SimpleStringHintTypes>
  extends BaseStringSchema<Hint> {}
export interface StringDateSchema extends BaseStringSchema<ValueHintType.Date> {
  codaType: ValueHintType.Date;
  format?: string;
}
export interface StringTimeSchema extends BaseStringSchema<ValueHintType.Time> {
  codaType: ValueHintType.Time;
  format?: string;
}
export interface StringDateTimeSchema extends BaseStringSchema<ValueHintType.DateTime> {
  codaType: ValueHintType.DateTime;
  dateFormat?: string;
  timeFormat?: string;
}
export interface DurationSchema extends BaseStringSchema<ValueHintType.Duration> {
  precision?: number;
  maxUnit?: DurationUnit;
}
export interface EmailSchema extends BaseStringSchema<ValueHintType.Email> {
  codaType: ValueHintType.Email;
  display?: EmailDisplayType;
}
export interface LinkSchema extends BaseStringSchema<ValueHintType.Url> {
  codaType: ValueHintType.Url;
  display?: LinkDisplayType;
  force?: boolean;
}
export interface StringEmbedSchema extends BaseStringSchema<ValueHintType.Embed> {
  codaType: ValueHintType.Embed;
  force?: boolean;
}
export interface ImageSchema
  extends BaseStringSchema<ValueHintType.ImageReference | ValueHintType.ImageAttachment> {
  codaType: ValueHintType.ImageReference | ValueHintType.ImageAttachment;
  imageOutline?: ImageOutline;
  imageCornerStyle?: ImageCornerStyle;
  imageShapeStyle?: ImageShapeStyle;
  width?: number | string;
  height?: number | string;
}
export interface CodaInternalRichTextSchema
  extends BaseStringSchema<ValueHintType.CodaInternalRichText> {
  codaType: ValueHintType.CodaInternalRichText;
  /** @deprecated Accepted for compatibility with existing Packs. */
  isCanvas?: boolean;
}
export interface StringWithOptionsSchema
  extends BaseStringSchema<ValueHintType.SelectList>,
    PropertyWithOptions<string | { display: string; value: string }> {
  codaType: ValueHintType.SelectList;
  allowNewValues?: boolean;
}
export type StringSchema =
  | StringDateSchema
  | StringTimeSchema
  | StringDateTimeSchema
  | CodaInternalRichTextSchema
  | DurationSchema
  | EmailSchema
  | ImageSchema
  | LinkSchema
  | StringEmbedSchema
  | SimpleStringSchema
  | StringWithOptionsSchema;

export interface ArraySchema<Items extends Schema = Schema> extends BaseSchema {
  type: ValueType.Array;
  items: Items;
}

/** Members that the schema of a property has. */
export interface ObjectSchemaProperty {
  fromKey?: string;
  displayName?: string;
  required?: boolean;
  mutable?: boolean;
  fixedId?: string;
  /** @deprecated Accepted for compatibility with existing Packs. */
  originalKey?: string;
}
export type ObjectSchemaProperties<Names extends string = never> = {
  [Name in Names | string]: Schema & ObjectSchemaProperty;
};

export interface IdentityDefinition {
  name: string;
  dynamicUrl?: string;
  /** The ID of another Pack that the identity belongs to. @default this Pack */
  packId?: number;
  mergeKey?: string;
  attribution?: AttributionNode[];
}
/** An identity in a compiled schema. */
export interface Identity extends IdentityDefinition {
  packId: number;
}

export interface PropertyIdentifierDetails {
  label?: string;
  placeholder?: string;
  property: string;
}
export declare const PropertyLabelValueTemplate = "{VALUE}";
export type PropertyIdentifier<Name extends string = string> =
  | Name
  | string
  | PropertyIdentifierDetails;
/** The members of an object schema that refer to a property. */
export type ObjectSchemaPathProperties = Pick<
  GenericObjectSchema,
  | "titleProperty"
  | "linkProperty"
  | "imageProperty"
  | "snippetProperty"
  | "subtitleProperties"
  | "createdAtProperty"
  | "createdByProperty"
  | "modifiedAtProperty"
  | "modifiedByProperty"
  | "userEmailProperty"
  | "userIdProperty"
  | "groupIdProperty"
  | "memberGroupIdProperty"
  | "versionProperty"
>;

export type ContextProperties = PropertyIdentifier[];
export type BasicIndexedProperty = PropertyIdentifier;
export type FilterableProperty = PropertyIdentifier;
/** @deprecated Accepted for compatibility with existing Packs. */
export interface DetailedIndexedProperty {
  property: PropertyIdentifier;
  strategy: IndexingStrategy;
}
export type IndexedProperty = BasicIndexedProperty | DetailedIndexedProperty;
interface BaseIndexDefinition {
  authorityNormProperty?: PropertyIdentifier;
  popularityNormProperty?: PropertyIdentifier;
  filterableProperties?: FilterableProperty[];
}
export interface CustomIndexDefinition extends BaseIndexDefinition {
  properties: IndexedProperty[];
  contextProperties?: ContextProperties;
}
interface Categorization<Kind extends ContentCategorizationType> {
  type: Kind;
}
interface EmailCategorization extends Categorization<ContentCategorizationType.Email> {
  toProperty: PropertyIdentifier;
  fromProperty: PropertyIdentifier;
  subjectProperty: PropertyIdentifier;
  htmlBodyProperty: PropertyIdentifier;
  plainTextBodyProperty: PropertyIdentifier;
}
export type ContentCategorization =
  | Categorization<ContentCategorizationType.Messaging>
  | Categorization<ContentCategorizationType.Document>
  | Categorization<ContentCategorizationType.Comment>
  | EmailCategorization;
export interface CategorizationIndexDefinition extends BaseIndexDefinition {
  contentCategorization: ContentCategorization;
}
export type IndexDefinition = CustomIndexDefinition | CategorizationIndexDefinition;
export interface ParentDefinition {
  parentIdProperty: PropertyIdentifier;
  permissions?: PermissionsBehavior;
  lifecycle?: LifecycleBehavior;
}

export interface ObjectSchemaDefinition<
  Name extends string = string,
  Featured extends string = string,
> extends BaseSchema,
    PropertyWithOptions<{}> {
  type: ValueType.Object;
  properties: ObjectSchemaProperties<Name | Featured>;
  idProperty?: Name;
  displayProperty?: Name;
  featuredProperties?: Featured[];
  codaType?: ObjectHintTypes;
  identity?: IdentityDefinition;
  attribution?: AttributionNode[];
  includeUnknownProperties?: boolean;
  titleProperty?: PropertyIdentifier<Name>;
  linkProperty?: PropertyIdentifier<Name>;
  subtitleProperties?: PropertyIdentifier<Name>[];
  snippetProperty?: PropertyIdentifier<Name>;
  imageProperty?: PropertyIdentifier<Name>;
  createdAtProperty?: PropertyIdentifier<Name>;
  createdByProperty?: PropertyIdentifier<Name>;
  modifiedAtProperty?: PropertyIdentifier<Name>;
  modifiedByProperty?: PropertyIdentifier<Name>;
  userEmailProperty?: PropertyIdentifier<Name>;
  userIdProperty?: PropertyIdentifier<Name>;
  groupIdProperty?: PropertyIdentifier<Name>;
  memberGroupIdProperty?: PropertyIdentifier<Name>;
  versionProperty?: PropertyIdentifier<Name>;
  index?: IndexDefinition;
  parent?: ParentDefinition;
  /** @deprecated Use `idProperty`. */
  id?: Name;
  /** @deprecated Use `displayProperty`. */
  primary?: Name;
  /** @deprecated Use `featuredProperties`. */
  featured?: Featured[];
}
export interface ObjectSchema<Name extends string = string, Featured extends string = string>
  extends ObjectSchemaDefinition<Name, Featured> {
  identity?: Identity;
  /** @internal Set by the document service. */
  __packId?: number;
}
export type GenericObjectSchema = ObjectSchema<string, string>;

export interface TextAttributionNode {
  type: AttributionNodeType.Text;
  text: string;
}
export interface LinkAttributionNode {
  type: AttributionNodeType.Link;
  anchorUrl: string;
  anchorText: string;
}
export interface ImageAttributionNode {
  type: AttributionNodeType.Image;
  anchorUrl: string;
  imageUrl: string;
}
export type AttributionNode = TextAttributionNode | LinkAttributionNode | ImageAttributionNode;

export type Schema =
  | BooleanSchema
  | NumberSchema
  | StringSchema
  | ArraySchema
  | GenericObjectSchema;

type AnyProperties = ObjectSchemaProperties<any>;
// A `fromKey` in a schema is often known as `string` only: TypeScript 4.9 has no `const` type
// parameters. Such a member may have any name.
type AnyName<Key> = Key extends string ? (string extends Key ? true : never) : never;
type MemberName<
  Properties extends AnyProperties,
  Name extends keyof Properties,
> = Properties[Name]["fromKey"] extends string
  ? string extends Properties[Name]["fromKey"]
    ? never
    : Properties[Name]["fromKey"]
  : Name;
type OtherMembers<Properties extends AnyProperties> = [
  { [Name in keyof Properties]: AnyName<Properties[Name]["fromKey"]> }[keyof Properties],
] extends [never]
  ? unknown
  : { [member: string]: any };
type Members<Properties extends AnyProperties> = {
  -readonly [Name in keyof Properties as MemberName<Properties, Name>]: SchemaType<
    Properties[Name]
  >;
};
type RequiredNames<Properties extends AnyProperties> = {
  [Name in keyof Properties]: Properties[Name] extends { required: true } ? Name : never;
}[keyof Properties];
// Not `Omit`, which gives `any` an index signature that no interface has.
type OptionalProperties<Properties extends AnyProperties> = {
  [Name in keyof Properties as Exclude<Name, RequiredNames<Properties>>]: Properties[Name];
};
type ObjectType<Definition extends ObjectSchemaDefinition<any, any>> = Members<
  Pick<Definition["properties"], RequiredNames<Definition["properties"]>>
> &
  Partial<Members<OptionalProperties<Definition["properties"]>>> &
  OtherMembers<Definition["properties"]>;
/** The type of the values that an object schema describes. */
export type ObjectSchemaDefinitionType<
  Name extends string,
  Featured extends string,
  Definition extends ObjectSchemaDefinition<Name, Featured>,
> = ObjectType<Definition>;
interface ValuesByHint {
  [ValueHintType.Date]: Date | string | number;
}
// A lookup, because it gives `any` for a schema of type `any`.
type TextValue<Hint> = Hint extends keyof ValuesByHint ? ValuesByHint[Hint] : string;
export type SchemaType<S extends Schema> = S extends BooleanSchema
  ? boolean
  : S extends NumberSchema
    ? number
    : S extends StringSchema
      ? TextValue<S["codaType"]>
      : S extends ArraySchema
        ? SchemaType<S["items"]>[]
        : S extends GenericObjectSchema
          ? ObjectType<S>
          : never;

export type InferrableTypes =
  | boolean
  | number
  | string
  | object
  | boolean[]
  | number[]
  | string[]
  | object[];
export declare function generateSchema(example: InferrableTypes): Schema;
export declare function makeAttributionNode<Node extends AttributionNode>(node: Node): Node;
export declare function makeSchema<S extends Schema>(schema: S): S;

type WrittenObjectSchema<Name extends string, Featured extends string> = Omit<
  ObjectSchemaDefinition<Name, Featured>,
  "type"
> &
  ObjectSchemaProperty;
type OnlyKeysOf<Written, Known> = Written & Record<Exclude<keyof Written, keyof Known>, never>;
export declare function makeObjectSchema<
  Name extends string,
  Featured extends string,
  Definition extends WrittenObjectSchema<Name, Featured>,
>(
  definition: OnlyKeysOf<
    Definition,
    WrittenObjectSchema<Name, Featured> & { type?: ValueType.Object }
  >,
): Definition & { identity?: Identity; type: ValueType.Object };
export declare function makeReferenceSchemaFromObjectSchema(
  schema: ObjectSchemaDefinition<string, string> & ObjectSchemaProperty,
  identityName?: string,
): GenericObjectSchema & ObjectSchemaProperty;
export declare function withIdentity(
  schema: GenericObjectSchema,
  identityName: string,
): GenericObjectSchema;
export declare function getEffectivePropertyKeysFromSchema(schema: Schema): string[] | undefined;
/** The name that a property has in a compiled schema. */
export declare function normalizeSchemaKey(key: string): string;
/** A copy of a schema in which the properties have the names of a compiled schema. */
export declare function normalizeSchema<S extends Schema>(schema: S): S;
/** A copy of an object schema in which the properties have the names of a compiled schema. */
export declare function normalizeObjectSchema(schema: GenericObjectSchema): GenericObjectSchema;
/** The names that the Pack's requests use for names of a compiled schema. */
export declare function untransformKeys(keys: string[], schema: Schema | undefined): string[];

// ---- formulas ------------------------------------------------------------

/** @deprecated Use `connectionRequirement`. */
export interface Network {
  readonly hasSideEffect?: boolean;
  readonly requiresConnection?: boolean;
  readonly connection?: NetworkConnection;
}

export interface CommonPackFormulaDef<Params extends ParamDefs> {
  readonly name: string;
  readonly description: string;
  readonly instructions?: string;
  readonly parameters: Params;
  readonly varargParameters?: ParamDefs;
  readonly examples?: { params: (PackFormulaValue | undefined)[]; result: PackFormulaResult }[];
  readonly isAction?: boolean;
  readonly connectionRequirement?: ConnectionRequirement;
  readonly network?: Network;
  readonly cacheTtlSecs?: number;
  readonly isExperimental?: boolean;
  readonly isSystem?: boolean;
  readonly purpose?: FormulaPurpose;
  readonly extraOAuthScopes?: string[];
  readonly allowedAuthenticationNames?: string[];
  /** Checks the arguments before a sync begins. Only for the formula of a sync table. */
  validateParameters?: MetadataFormula<ExecutionContext, ParameterValidationResult>;
}
export interface PackFormulaDef<
  Params extends ParamDefs,
  Result extends PackFormulaResult,
  Context extends ExecutionContext = ExecutionContext,
> extends CommonPackFormulaDef<Params> {
  execute(params: ParamValues<Params>, context: Context): Promise<Result> | Result;
}
/** What happens when the formula fails. */
export interface OnErrorFormulaOptions {
  onError?(error: Error): any;
}
export interface BaseFormulaDef<
  Params extends ParamDefs,
  Result extends string | number | boolean | object,
> extends PackFormulaDef<Params, Result>,
    OnErrorFormulaOptions {}

export type BaseFormula<
  Params extends ParamDefs,
  Result extends PackFormulaResult,
  Context extends ExecutionContext = ExecutionContext,
> = PackFormulaDef<Params, Result, Context> & { resultType: TypeOf<Result> };
export type NumericPackFormula<Params extends ParamDefs> = BaseFormula<Params, number> & {
  schema?: NumberSchema;
};
export type BooleanPackFormula<Params extends ParamDefs> = BaseFormula<Params, boolean> & {
  schema?: BooleanSchema;
};
export type StringPackFormula<Params extends ParamDefs> = BaseFormula<
  Params,
  SchemaType<StringSchema>
> & { schema?: StringSchema };
export type ObjectPackFormula<Params extends ParamDefs, S extends Schema> = Omit<
  BaseFormula<Params, SchemaType<S>>,
  "execute"
> & {
  schema?: S;
  execute(params: ParamValues<Params>, context: ExecutionContext): Promise<object> | object;
};
export type Formula<
  Params extends ParamDefs = ParamDefs,
  Result extends ValueType = ValueType,
  S extends Schema = Schema,
> = Result extends ValueType.String
  ? StringPackFormula<Params>
  : Result extends ValueType.Number
    ? NumericPackFormula<Params>
    : Result extends ValueType.Boolean
      ? BooleanPackFormula<Params>
      : Result extends ValueType.Array
        ? ObjectPackFormula<Params, ArraySchema<S>>
        : ObjectPackFormula<Params, S>;
export type TypedPackFormula = Formula | GenericSyncFormula;
/** A formula that returns an object, in its compiled form. */
export type TypedObjectPackFormula = ObjectPackFormula<ParamDefs, Schema>;
type WithoutFunctions<F, Names extends PropertyKey> = Omit<F, Names> & {
  validateParameters?: MetadataFormulaMetadata<ExecutionContext, ParameterValidationResult>;
};
export type PackFormulaMetadata = WithoutFunctions<
  TypedPackFormula,
  "execute" | "executeUpdate" | "executeGetPermissions" | "validateParameters"
>;
/** @deprecated Accepted for compatibility with existing Packs. */
export type ObjectPackFormulaMetadata = WithoutFunctions<
  TypedObjectPackFormula,
  "execute" | "validateParameters"
>;

type Execute<Params extends ParamDefs, Result> = {
  execute(params: ParamValues<Params>, context: ExecutionContext): Promise<Result> | Result;
};
export type StringFormulaDef<Params extends ParamDefs> = BaseFormulaDef<Params, string> &
  Execute<Params, string> & { resultType: ValueType.String };
export type NumericFormulaDef<Params extends ParamDefs> = BaseFormulaDef<Params, number> &
  Execute<Params, number> & { resultType: ValueType.Number };
export type BooleanFormulaDef<Params extends ParamDefs> = BaseFormulaDef<Params, boolean> &
  Execute<Params, boolean> & { resultType: ValueType.Boolean };
export type ArrayFormulaDef<
  Params extends ParamDefs = ParamDefs,
  Items extends Schema = Schema,
> = BaseFormulaDef<Params, SchemaType<ArraySchema<Items>>> & {
  resultType: ValueType.Array;
  items: Items;
};
export type ObjectFormulaDef<
  Params extends ParamDefs = ParamDefs,
  S extends Schema = Schema,
> = BaseFormulaDef<Params, SchemaType<S>> & {
  resultType: ValueType.Object;
  schema: S;
};
/** A definition whose `validateParameters` may be a plain function. */
export type FormulaOptions<
  Params extends ParamDefs,
  Definition extends CommonPackFormulaDef<Params>,
> = Omit<Definition, "validateParameters"> & {
  /** Checks the arguments before a sync begins. Only for the formula of a sync table. */
  validateParameters?: MetadataFormulaDef<ExecutionContext, ParameterValidationResult>;
};
export type FormulaDefinitionOptions<
  Params extends ParamDefs,
  Result extends ValueType,
  S extends Schema,
> = Result extends ValueType.String
  ? FormulaOptions<Params, StringFormulaDef<Params>> &
      ({ schema?: StringSchema } | { codaType?: StringHintTypes })
  : Result extends ValueType.Number
    ? FormulaOptions<Params, NumericFormulaDef<Params>> &
        ({ schema?: NumberSchema } | { codaType?: NumberHintTypes })
    : Result extends ValueType.Boolean
      ? FormulaOptions<Params, BooleanFormulaDef<Params>>
      : Result extends ValueType.Array
        ? FormulaOptions<Params, ArrayFormulaDef<Params, S>>
        : FormulaOptions<Params, ObjectFormulaDef<Params, S>>;
export declare function makeFormula<
  Params extends ParamDefs,
  Result extends ValueType,
  S extends Schema = Schema,
>(definition: FormulaDefinitionOptions<Params, Result, S>): Formula<Params, Result, S>;

export interface RequestHandlerTemplate {
  url: string;
  method: FetchMethodType;
  headers?: { [header: string]: string };
  nameMapping?: { [parameterName: string]: string };
  transforms?: { [name: string]: (value: any) => any };
  queryParams?: string[];
  bodyTemplate?: object;
  bodyParams?: string[];
}
export interface ResponseHandlerTemplate<S extends Schema> extends OnErrorFormulaOptions {
  schema?: S;
  projectKey?: string;
}
export interface ObjectArrayFormulaDef<Params extends ParamDefs, S extends Schema>
  extends Omit<PackFormulaDef<Params, SchemaType<S>>, "execute"> {
  request: RequestHandlerTemplate;
  response: ResponseHandlerTemplate<S>;
}
export interface EmptyFormulaDef<Params extends ParamDefs>
  extends Omit<PackFormulaDef<Params, string>, "execute"> {
  request: RequestHandlerTemplate;
}
type TemplateFormula<
  Params extends ParamDefs,
  Definition extends CommonPackFormulaDef<Params>,
  Result,
> = Omit<FormulaOptions<Params, Definition>, "request" | "response" | "validateParameters"> & {
  execute: (params: ParamValues<Params>, context: ExecutionContext) => Promise<Result>;
  validateParameters: MetadataFormula<ExecutionContext, ParameterValidationResult> | undefined;
};
export declare function makeTranslateObjectFormula<Params extends ParamDefs, S extends Schema>(
  definition: FormulaOptions<Params, ObjectArrayFormulaDef<Params, S>>,
): TemplateFormula<Params, ObjectArrayFormulaDef<Params, S>, SchemaType<S>> & {
  resultType: Type.object;
  schema: S | undefined;
};
export declare function makeEmptyFormula<Params extends ParamDefs>(
  definition: FormulaOptions<Params, EmptyFormulaDef<Params>>,
): TemplateFormula<Params, EmptyFormulaDef<Params>, string> & { resultType: Type.string };

/** @deprecated Accepted for compatibility with existing Packs. */
export interface StringFormulaDefLegacy<Params extends ParamDefs>
  extends CommonPackFormulaDef<Params>,
    Execute<Params, string> {
  response?: { schema: StringSchema };
}
/** @deprecated Accepted for compatibility with existing Packs. */
export interface ObjectResultFormulaDef<Params extends ParamDefs, S extends Schema>
  extends PackFormulaDef<Params, object | object[]> {
  execute(params: ParamValues<Params>, context: ExecutionContext): Promise<object> | object;
  response?: ResponseHandlerTemplate<S>;
}
/** @deprecated Use `makeFormula`. */
export declare function makeNumericFormula<Params extends ParamDefs>(
  definition: FormulaOptions<Params, PackFormulaDef<Params, number>>,
): NumericPackFormula<Params>;
/** @deprecated Use `makeFormula`. */
export declare function makeStringFormula<Params extends ParamDefs>(
  definition: FormulaOptions<Params, StringFormulaDefLegacy<Params>>,
): StringPackFormula<Params>;
/** @deprecated Use `makeFormula`. */
export declare function makeObjectFormula<Params extends ParamDefs, S extends Schema>(
  definition: FormulaOptions<Params, ObjectResultFormulaDef<Params, S>>,
): ObjectPackFormula<Params, S>;

// ---- sync tables ------------------------------------------------------------

export type SyncPassthroughData = Record<string, any>;
type AnySync = SyncExecutionContext<any, any>;

export interface SyncFormulaResult<
  K extends string = any,
  L extends string = any,
  S extends ObjectSchemaDefinition<K, L> = any,
  Context extends SyncExecutionContext<any> = SyncExecutionContext,
  Passed extends SyncPassthroughData = SyncPassthroughData,
> {
  result: ObjectSchemaDefinitionType<K, L, S>[];
  permissionsContext?: Passed[];
  continuation?: Context["sync"]["continuation"];
  completion?: SyncCompletionMetadataResult<
    NonNullable<Context["sync"]["previousCompletion"]>["incrementalContinuation"]
  >;
  deletedRowIds?: string[];
  /** @deprecated Use `deletedRowIds`. */
  deletedItemIds?: string[];
}
export type GenericSyncFormulaResult = SyncFormulaResult<any, any, any, any>;

export interface SyncUpdate<
  K extends string = any,
  L extends string = any,
  S extends ObjectSchemaDefinition<K, L> = any,
> {
  previousValue: ObjectSchemaDefinitionType<K, L, S>;
  newValue: ObjectSchemaDefinitionType<K, L, S>;
  updatedFields: string[];
}
export type GenericSyncUpdate = SyncUpdate<any, any, any>;
export type SyncUpdateSingleResult<
  K extends string = any,
  L extends string = any,
  S extends ObjectSchemaDefinition<K, L> = any,
> = ObjectSchemaDefinitionType<K, L, S> | Error;
export type GenericSyncUpdateSingleResult = SyncUpdateSingleResult<any, any, any>;
export interface SyncUpdateResult<
  K extends string = any,
  L extends string = any,
  S extends ObjectSchemaDefinition<K, L> = any,
> {
  result: SyncUpdateSingleResult<K, L, S>[];
}
export type GenericSyncUpdateResult = SyncUpdateResult<any, any, any>;

export interface SyncUpdateSingleResultMarshaledSuccess<
  K extends string = any,
  L extends string = any,
  S extends ObjectSchemaDefinition<K, L> = any,
> {
  outcome: UpdateOutcome.Success;
  finalValue: ObjectSchemaDefinitionType<K, L, S>;
}
export interface SyncUpdateSingleResultMarshaledError {
  outcome: UpdateOutcome.Error;
  error: Error;
}
export type SyncUpdateSingleResultMarshaled<
  K extends string = any,
  L extends string = any,
  S extends ObjectSchemaDefinition<K, L> = any,
> = SyncUpdateSingleResultMarshaledSuccess<K, L, S> | SyncUpdateSingleResultMarshaledError;
export type GenericSyncUpdateSingleResultMarshaled = SyncUpdateSingleResultMarshaled<any, any, any>;
export interface SyncUpdateResultMarshaled<
  K extends string = any,
  L extends string = any,
  S extends ObjectSchemaDefinition<K, L> = any,
> {
  result: SyncUpdateSingleResultMarshaled<K, L, S>[];
}
export type GenericSyncUpdateResultMarshaled = SyncUpdateResultMarshaled<any, any, any>;

/** @deprecated Accepted for compatibility with existing Packs. */
export interface UserPrincipal {
  type: PrincipalType.User;
  userId: string | number;
}
/** @deprecated Accepted for compatibility with existing Packs. */
export interface GroupPrincipal {
  type: PrincipalType.Group;
  groupId: string | number;
}
/** @deprecated Accepted for compatibility with existing Packs. */
export interface DomainPrincipal {
  type: PrincipalType.Domain;
  domain: string;
}
/** @deprecated Accepted for compatibility with existing Packs. */
export interface AnyonePrincipal {
  type: PrincipalType.Anyone;
}
/** @deprecated Accepted for compatibility with existing Packs. */
export interface AllUsersPrincipal {
  type: PrincipalType.AllUsers;
}
export interface ItemReference {
  id: string | number;
  syncTableName: string;
  identityName: string;
  dynamicUrl?: string;
}
/** @deprecated Accepted for compatibility with existing Packs. */
export interface DirectPermission {
  permissionType?: PermissionType.Direct;
  principal: UserPrincipal | GroupPrincipal | AnyonePrincipal | DomainPrincipal | AllUsersPrincipal;
}
/** @deprecated Accepted for compatibility with existing Packs. */
export interface DelegatedPermission {
  permissionType: PermissionType.Delegated;
  item: ItemReference;
}
export type Permission = DirectPermission | DelegatedPermission;
export interface RowAccessDefinition {
  permissions: Permission[];
  rowId: string | number;
}
/** @deprecated Accepted for compatibility with existing Packs. */
export interface GetPermissionsResult {
  rowAccessDefinitions: RowAccessDefinition[];
  continuation?: Continuation;
}
/** @deprecated Accepted for compatibility with existing Packs. */
export interface ExecuteGetPermissionsRequestRow<
  K extends string = any,
  L extends string = any,
  S extends ObjectSchemaDefinition<K, L> = any,
> {
  row: ObjectSchemaDefinitionType<K, L, S>;
}
/** @deprecated Accepted for compatibility with existing Packs. */
export interface ExecuteGetPermissionsRequest<
  K extends string = any,
  L extends string = any,
  S extends ObjectSchemaDefinition<K, L> = any,
  Passed extends SyncPassthroughData = SyncPassthroughData,
> {
  rows: ExecuteGetPermissionsRequestRow<K, L, S>[];
  permissionsContext?: Passed[];
}
/** @deprecated Accepted for compatibility with existing Packs. */
export type GenericExecuteGetPermissionsRequest = ExecuteGetPermissionsRequest<any, any, any, any>;

/** The formula of a sync table. It returns the rows page by page. */
export interface SyncFormulaDef<
  K extends string = any,
  L extends string = any,
  Params extends ParamDefs = ParamDefs,
  S extends ObjectSchemaDefinition<K, L> = any,
  Context extends AnySync = SyncExecutionContext,
  Passed extends SyncPassthroughData = SyncPassthroughData,
> extends CommonPackFormulaDef<Params>,
    OnErrorFormulaOptions {
  execute<Returned extends Context>(
    params: ParamValues<Params>,
    context: Context,
  ): Promise<SyncFormulaResult<K, L, S, Returned, Passed>>;
  executeUpdate?(
    params: ParamValues<Params>,
    updates: SyncUpdate<K, L, S>[],
    context: UpdateSyncExecutionContext,
  ): Promise<SyncUpdateResult<K, L, S>>;
  executeGetPermissions?(
    params: ParamValues<Params>,
    request: ExecuteGetPermissionsRequest<K, L, S, Passed>,
    context: GetPermissionExecutionContext,
  ): Promise<GetPermissionsResult>;
  maxUpdateBatchSize?: number;
  maxPermissionBatchSize?: number;
  updateOptions?: Pick<CommonPackFormulaDef<Params>, "extraOAuthScopes">;
  validateParameters?: MetadataFormula<SyncExecutionContext, ParameterValidationResult>;
}
export type SyncFormula<
  K extends string = any,
  L extends string = any,
  Params extends ParamDefs = ParamDefs,
  S extends ObjectSchema<K, L> = any,
  Context extends AnySync = SyncExecutionContext,
  Passed extends SyncPassthroughData = SyncPassthroughData,
> = SyncFormulaDef<K, L, Params, S, Context, Passed> & {
  /** The type of the result: a list of rows. */
  resultType: TypeOf<SchemaType<S>>;
  isSyncFormula: true;
  /** The schema of the rows. */
  schema?: ArraySchema;
  /** Users can edit the rows. */
  supportsUpdates?: boolean;
  /** @deprecated Accepted for compatibility with existing Packs. */
  supportsGetPermissions?: boolean;
};
export type GenericSyncFormula = SyncFormula<
  any,
  any,
  ParamDefs,
  any,
  SyncExecutionContext,
  SyncPassthroughData
>;

interface TableIndexing {
  default: DataIndexing;
}
export interface SyncTableDef<
  K extends string = any,
  L extends string = any,
  Params extends ParamDefs = ParamDefs,
  S extends ObjectSchema<K, L> = any,
  Context extends AnySync = SyncExecutionContext,
  Passed extends SyncPassthroughData = SyncPassthroughData,
> {
  name: string;
  displayName?: string;
  description?: string;
  instructions?: string;
  schema: S;
  identityName: string;
  getter: SyncFormula<K, L, Params, S, Context, Passed>;
  getSchema?: MetadataFormula;
  entityName?: string;
  defaultAddDynamicColumns?: boolean;
  /** The functions that list the options of properties, by name. The builder sets it. */
  namedPropertyOptions?: { [name: string]: PropertyOptionsMetadataFormula<any> };
  role?: TableRole;
  indexing?: TableIndexing;
}
export interface DynamicSyncTableDef<
  K extends string = any,
  L extends string = any,
  Params extends ParamDefs = ParamDefs,
  S extends ObjectSchema<K, L> = any,
  Context extends AnySync = SyncExecutionContext,
  Passed extends SyncPassthroughData = SyncPassthroughData,
> extends SyncTableDef<K, L, Params, S, Context, Passed> {
  isDynamic: true;
  getSchema: MetadataFormula<Context>;
  getName: MetadataFormula<Context>;
  getDisplayUrl: MetadataFormula<Context>;
  listDynamicUrls?: MetadataFormula;
  searchDynamicUrls?: MetadataFormula;
  propertyOptions?: PropertyOptionsMetadataFormula<any>;
}
export type GenericSyncTable = SyncTableDef<
  any,
  any,
  ParamDefs,
  any,
  SyncExecutionContext,
  SyncPassthroughData
>;
export type GenericDynamicSyncTable = DynamicSyncTableDef<
  any,
  any,
  ParamDefs,
  any,
  SyncExecutionContext,
  SyncPassthroughData
>;
export type SyncTable = GenericSyncTable | GenericDynamicSyncTable;

export interface DynamicOptions {
  getSchema?: MetadataFormulaDef;
  entityName?: string;
  defaultAddDynamicColumns?: boolean;
  propertyOptions?: PropertyOptionsMetadataFunction<any>;
}
interface BaseTableOptions<
  K extends string,
  L extends string,
  Params extends ParamDefs,
  S extends ObjectSchemaDefinition<K, L>,
  Context extends AnySync,
  Passed extends SyncPassthroughData,
> {
  name: string;
  description?: string;
  identityName: string;
  formula: FormulaOptions<Params, SyncFormulaDef<K, L, Params, S, Context, Passed>>;
  connectionRequirement?: ConnectionRequirement;
  indexing?: TableIndexing;
}
export interface SyncTableOptions<
  K extends string = any,
  L extends string = any,
  Params extends ParamDefs = ParamDefs,
  S extends ObjectSchemaDefinition<K, L> = any,
  Context extends AnySync = SyncExecutionContext,
  Passed extends SyncPassthroughData = SyncPassthroughData,
> extends BaseTableOptions<K, L, Params, S, Context, Passed> {
  displayName?: string;
  instructions?: string;
  schema: S;
  dynamicOptions?: DynamicOptions;
  role?: TableRole;
}
export interface DynamicSyncTableOptions<
  K extends string = any,
  L extends string = any,
  Params extends ParamDefs = ParamDefs,
  S extends ObjectSchemaDefinition<K, L> = any,
  Context extends AnySync = SyncExecutionContext,
  Passed extends SyncPassthroughData = SyncPassthroughData,
> extends BaseTableOptions<K, L, Params, S, Context, Passed>,
    Omit<DynamicOptions, "getSchema"> {
  getName: MetadataFormulaDef<Context>;
  getSchema: MetadataFormulaDef<Context>;
  getDisplayUrl: MetadataFormulaDef<Context>;
  listDynamicUrls?: MetadataFormulaDef;
  searchDynamicUrls?: MetadataFormulaDef;
  placeholderSchema?: S;
}

export declare function makeSyncTable<
  K extends string,
  L extends string,
  Params extends ParamDefs,
  Written extends ObjectSchemaDefinition<K, L>,
  S extends Written & { identity?: Identity },
  Context extends AnySync,
  Passed extends SyncPassthroughData,
>(
  options: SyncTableOptions<K, L, Params, Written, Context, Passed>,
): SyncTableDef<K, L, Params, S, Context, Passed>;
/** @deprecated Use `makeSyncTable`. */
export declare function makeSyncTableLegacy<
  K extends string,
  L extends string,
  Params extends ParamDefs,
  S extends ObjectSchema<K, L>,
  Context extends AnySync,
  Passed extends SyncPassthroughData,
>(
  name: string,
  schema: S,
  formula: FormulaOptions<Params, SyncFormulaDef<K, L, Params, S, Context, Passed>>,
  connectionRequirement?: ConnectionRequirement,
  dynamicOptions?: { getSchema?: MetadataFormula; entityName?: string },
  displayName?: string,
): SyncTableDef<K, L, Params, S, Context, Passed>;
export declare function makeDynamicSyncTable<
  K extends string,
  L extends string,
  Params extends ParamDefs,
  S extends ObjectSchemaDefinition<K, L>,
  Context extends AnySync,
  Passed extends SyncPassthroughData,
>(
  options: Omit<DynamicSyncTableOptions<K, L, Params, S, Context, Passed>, "formula"> & {
    /** The name that users see. @default name */
    displayName?: string;
    formula: FormulaOptions<Params, SyncFormulaDef<K, L, Params, any, Context, Passed>>;
  },
): DynamicSyncTableDef<K, L, Params, any, Context, Passed>;
