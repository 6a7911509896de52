// An older Pack that names types: as a namespace, by name, and from the files that the package published.
import type * as coda from "@codahq/packs-sdk";
import {
  newPack,
  type ParamDefs,
  ParameterType,
  PrecannedDate,
  PrecannedDateRange,
  Type,
  ValueHintType,
  ValueType,
} from "@codahq/packs-sdk";
import { makeParameter } from "@codahq/packs-sdk/dist/api";
import type { ExecutionContext, FetchRequest } from "@codahq/packs-sdk/dist/api_types";
import type { PackVersionMetadata } from "@codahq/packs-sdk/dist/compiled_types";
import { ensureExists } from "@codahq/packs-sdk/dist/helpers/ensure";
import {
  AttributionNodeType,
  ContentCategorizationType,
  LifecycleBehavior,
  PermissionsBehavior,
  type Schema,
  type SchemaType,
} from "@codahq/packs-sdk/dist/schema";
import { EmbeddedContentType } from "@codahq/packs-sdk/dist/types";

const builder = newPack();
export const manifest: coda.BasicPackDefinition = builder;

const parameters: ParamDefs = [
  makeParameter({
    type: ParameterType.DateArray,
    name: "days",
    description: "The days.",
    suggestedValue: PrecannedDateRange.Today,
  }),
];

function send(
  context: ExecutionContext,
  request: FetchRequest,
): Promise<coda.FetchResponse<{ text: string }>> {
  return context.fetcher.fetch(request);
}

const textSchema = { type: ValueType.String } as const;
const text: SchemaType<typeof textSchema> = "text";

builder.formulas.push({
  name: "Text",
  description: "Any text.",
  parameters,
  resultType: Type.string,
  execute: async (_args, context) =>
    ensureExists((await send(context, { method: "GET", url: "https://texts.example/" })).body)
      .text + text,
});
builder.networkDomains.push("texts.example");

const schemas: Schema[] = [
  { type: ValueType.Boolean } satisfies coda.BooleanSchema,
  { type: ValueType.Number } satisfies coda.NumericSchema,
  { type: ValueType.Number, codaType: ValueHintType.Date } satisfies coda.NumericDateSchema,
  { type: ValueType.Number, codaType: ValueHintType.Time } satisfies coda.NumericTimeSchema,
  { type: ValueType.Number, codaType: ValueHintType.DateTime } satisfies coda.NumericDateTimeSchema,
  { type: ValueType.Number, codaType: ValueHintType.Duration } satisfies coda.NumericDurationSchema,
  { type: ValueType.Number, codaType: ValueHintType.Currency } satisfies coda.CurrencySchema,
  { type: ValueType.Number, codaType: ValueHintType.Slider } satisfies coda.SliderSchema,
  { type: ValueType.Number, codaType: ValueHintType.ProgressBar } satisfies coda.ProgressBarSchema,
  { type: ValueType.Number, codaType: ValueHintType.Scale } satisfies coda.ScaleSchema,
  { type: ValueType.String } satisfies coda.SimpleStringSchema,
  { type: ValueType.String, codaType: ValueHintType.Date } satisfies coda.StringDateSchema,
  { type: ValueType.String, codaType: ValueHintType.Time } satisfies coda.StringTimeSchema,
  { type: ValueType.String, codaType: ValueHintType.DateTime } satisfies coda.StringDateTimeSchema,
  { type: ValueType.String, codaType: ValueHintType.Duration } satisfies coda.DurationSchema,
  { type: ValueType.String, codaType: ValueHintType.Email } satisfies coda.EmailSchema,
  { type: ValueType.String, codaType: ValueHintType.Url } satisfies coda.LinkSchema,
  { type: ValueType.String, codaType: ValueHintType.Embed } satisfies coda.StringEmbedSchema,
  { type: ValueType.String, codaType: ValueHintType.ImageReference } satisfies coda.ImageSchema,
  {
    type: ValueType.String,
    codaType: ValueHintType.SelectList,
    options: ["a"],
  } satisfies coda.StringWithOptionsSchema,
  { type: ValueType.Array, items: { type: ValueType.String } } satisfies coda.ArraySchema,
  { type: ValueType.Object, properties: {} } satisfies coda.GenericObjectSchema,
];

const nodes: coda.AttributionNode[] = [
  { type: AttributionNodeType.Text, text: "By" } satisfies coda.TextAttributionNode,
  {
    type: AttributionNodeType.Link,
    anchorText: "us",
    anchorUrl: "https://texts.example",
  } satisfies coda.LinkAttributionNode,
  {
    type: AttributionNodeType.Image,
    imageUrl: "https://texts.example/i",
    anchorUrl: "https://texts.example",
  } satisfies coda.ImageAttributionNode,
];

/** Every other type is named once, as an author annotates with it. */
interface Named {
  basic: coda.BasicPackDefinition;
  older: coda.PackDefinition;
  id: coda.PackId;
  prompt: coda.SuggestedPrompt;
  format: coda.Format;
  server: coda.MCPServer;
  formula: coda.Formula;
  common: coda.CommonPackFormulaDef<ParamDefs>;
  packFormula: coda.PackFormulaDef<ParamDefs, string>;
  base: coda.BaseFormula<ParamDefs, string>;
  baseDef: coda.BaseFormulaDef<ParamDefs, string>;
  options: coda.FormulaOptions<ParamDefs, coda.StringFormulaDef<ParamDefs>>;
  definition: coda.FormulaDefinitionOptions<ParamDefs, ValueType.String, Schema>;
  typed: coda.TypedPackFormula;
  string: coda.StringFormulaDef<ParamDefs>;
  numeric: coda.NumericFormulaDef<ParamDefs>;
  boolean: coda.BooleanFormulaDef<ParamDefs>;
  array: coda.ArrayFormulaDef<ParamDefs>;
  object: coda.ObjectFormulaDef<ParamDefs>;
  stringPack: coda.StringPackFormula<ParamDefs>;
  numericPack: coda.NumericPackFormula<ParamDefs>;
  booleanPack: coda.BooleanPackFormula<ParamDefs>;
  objectPack: coda.ObjectPackFormula<ParamDefs, Schema>;
  value: coda.PackFormulaValue;
  result: coda.PackFormulaResult;
  objectArray: coda.ObjectArrayFormulaDef<ParamDefs, Schema>;
  empty: coda.EmptyFormulaDef<ParamDefs>;
  request: coda.RequestHandlerTemplate;
  response: coda.ResponseHandlerTemplate<Schema>;
  network: coda.Network;
  formulaMetadata: coda.PackFormulaMetadata;
  parameter: coda.ParamDef<Type.string>;
  optional: coda.OptionalParamDef<Type.string>;
  required: coda.RequiredParamDef<Type.string>;
  values: coda.ParamValues<ParamDefs>;
  list: coda.ParamsList;
  parameterOptions: coda.ParameterOptions<ParameterType.String>;
  fromOptions: coda.ParamDefFromOptionsUnion<
    ParameterType.String,
    coda.ParameterOptions<ParameterType.String>
  >;
  suggested: coda.SuggestedValueType<Type.string>;
  crawl: coda.CrawlStrategy;
  relation: coda.SyncTableRelation;
  arrayType: coda.ArrayType<Type.string>;
  metadataContext: coda.MetadataContext;
  metadata: coda.MetadataFormula;
  metadataDef: coda.MetadataFormulaDef;
  metadataFunction: coda.MetadataFunction;
  metadataResult: coda.MetadataFormulaResultType;
  metadataObject: coda.MetadataFormulaObjectResultType;
  metadataDefault: coda.LegacyDefaultMetadataReturnType;
  step: coda.SetEndpoint;
  setup: coda.PostSetup;
  choice: coda.SimpleAutocompleteOption<ParameterType.String>;
  optionsFunction: coda.PropertyOptionsMetadataFunction<string[]>;
  optionsResult: coda.PropertyOptionsMetadataResult<string[]>;
  optionsContext: coda.PropertyOptionsExecutionContext;
  optionsFormula: coda.PropertyOptionsMetadataFormula<Schema>;
  detail: coda.ParameterValidationDetail;
  validation: coda.ParameterValidationResult;
  valid: coda.ValidParameterValidationResult;
  invalid: coda.InvalidParameterValidationResult;
  table: coda.SyncTable;
  tableDef: coda.SyncTableDef;
  tableOptions: coda.SyncTableOptions;
  dynamicDef: coda.DynamicSyncTableDef;
  dynamicTableOptions: coda.DynamicSyncTableOptions;
  dynamicOptions: coda.DynamicOptions;
  syncFormula: coda.SyncFormula;
  syncFormulaDef: coda.SyncFormulaDef;
  syncResult: coda.SyncFormulaResult;
  continuation: coda.Continuation;
  sync: coda.Sync;
  syncBase: coda.SyncBase;
  full: coda.SyncFull;
  incremental: coda.SyncIncremental<coda.Continuation, coda.Continuation>;
  updateSync: coda.UpdateSync;
  update: coda.SyncUpdate;
  updateResult: coda.SyncUpdateResult;
  updateSingle: coda.SyncUpdateSingleResult;
  completion: coda.SyncCompletionMetadata;
  incomplete: coda.SyncCompletionMetadataIncomplete;
  completionResult: coda.SyncCompletionMetadataResult;
  anyTable: coda.GenericSyncTable;
  anyDynamic: coda.GenericDynamicSyncTable;
  anyFormula: coda.GenericSyncFormula;
  anyResult: coda.GenericSyncFormulaResult;
  anyUpdate: coda.GenericSyncUpdate;
  anyUpdateResult: coda.GenericSyncUpdateResult;
  anySingle: coda.GenericSyncUpdateSingleResult;
  passthrough: coda.SyncPassthroughData;
  marshaled: [
    coda.GenericSyncUpdateResultMarshaled,
    coda.GenericSyncUpdateSingleResultMarshaled,
    coda.SyncUpdateResultMarshaled,
    coda.SyncUpdateSingleResultMarshaled,
    coda.SyncUpdateSingleResultMarshaledError,
    coda.SyncUpdateSingleResultMarshaledSuccess,
  ];
  syncContext: coda.SyncExecutionContext;
  updateContext: coda.UpdateSyncExecutionContext;
  location: coda.InvocationLocation;
  fetcher: coda.Fetcher;
  method: coda.FetchMethodType;
  blobs: coda.TemporaryBlobStorage;
  errorResponse: coda.StatusCodeErrorResponse;
  previous: coda.InvocationError;
  previousMembers: [
    coda.HttpStatusInvocationError,
    coda.RateLimitExceededInvocationError,
    coda.TimeoutInvocationError,
    coda.ResponseTooLargeInvocationError,
    coda.UnknownInvocationError,
  ];
  chunks: coda.ChunkedResponseBody;
  states: coda.SyncStateService;
  numberSchema: coda.NumberSchema;
  stringSchema: coda.StringSchema;
  objectSchema: coda.ObjectSchema;
  objectDefinition: coda.ObjectSchemaDefinition;
  properties: coda.ObjectSchemaProperties;
  property: coda.ObjectSchemaProperty;
  propertyOptions: coda.PropertySchemaOptions<string>;
  withOptions: coda.PropertyWithOptions<string>;
  identifier: coda.PropertyIdentifier;
  identifierDetails: coda.PropertyIdentifierDetails;
  identity: coda.Identity;
  identityDefinition: coda.IdentityDefinition;
  index: coda.IndexDefinition;
  customIndex: coda.CustomIndexDefinition;
  indexed: coda.IndexedProperty;
  basicIndexed: coda.BasicIndexedProperty;
  contextProperties: coda.ContextProperties;
  filterable: coda.FilterableProperty;
  hints: [coda.StringHintTypes, coda.NumberHintTypes, coda.BooleanHintTypes, coda.ObjectHintTypes];
  inferrable: coda.InferrableTypes;
  skill: coda.Skill;
  model: coda.SkillModelConfiguration;
  tool: coda.Tool;
  tools: [
    coda.PackTool,
    coda.KnowledgeTool,
    coda.ScreenAnnotationTool,
    coda.ContactResolutionTool,
    coda.WebSearchTool,
    coda.MCPTool,
    coda.CodaDocsAndTablesTool,
    coda.MailAndCalendarTool,
    coda.EmbeddedContentTool,
  ];
  source: coda.KnowledgeToolSource;
  packSource: coda.PackKnowledgeToolSource;
  annotation: coda.ScreenAnnotation;
  rewrite: coda.RewriteScreenAnnotation;
  embedded: [
    coda.EmbeddedContent,
    coda.CopyableBlockEmbeddedContent,
    coda.CarouselViewEmbeddedContent,
    coda.TabViewEmbeddedContent,
  ];
  partial: coda.PartialSkillDef;
  entrypoints: coda.SkillEntrypoints;
  entrypoint: coda.SkillEntrypointConfig;
  version: PackVersionMetadata;
  metadataOfPack: coda.PackMetadata;
  tableMetadata: coda.PackSyncTable;
  formatMetadata: coda.PackFormatMetadata;
  skillMetadata: coda.SkillMetadata;
}

export const used: Partial<Named>[] = [{ id: 1, method: "GET", suggested: "text" }];
export const rest: unknown[] = [
  PrecannedDate.Today,
  schemas,
  nodes,
  ContentCategorizationType.Email,
  LifecycleBehavior.Inherit,
  PermissionsBehavior.Inherit,
  EmbeddedContentType.TabView,
];
