export { assertCondition, ensureExists, ensureNonEmptyString, ensureUnreachable } from "./define/assertions.ts";
export type {
  Authentication,
  AWSAccessKeyAuthentication,
  AWSAssumeRoleAuthentication,
  CodaApiBearerTokenAuthentication,
  CustomAuthentication,
  CustomAuthParameter,
  CustomHeader,
  CustomHeaderTokenAuthentication,
  GoogleDomainWideDelegationAuthentication,
  GoogleServiceAccountAuthentication,
  HeaderBearerTokenAuthentication,
  MultiHeaderTokenAuthentication,
  MultiQueryParamTokenAuthentication,
  NoAuthentication,
  QueryParamTokenAuthentication,
  SystemAuthentication,
  VariousAuthentication,
  WebBasicAuthentication,
} from "./define/authentication.ts";
export type { ExecutionContext, InvocationLocation } from "./define/context.ts";
export {
  AuthenticationType,
  ConnectionRequirement,
  HttpStatusCode,
  ParameterType,
  Type,
  ValueHintType,
  ValueType,
} from "./define/enumerations.ts";
export {
  MissingScopesError,
  ResponseSizeTooLargeError,
  StatusCodeError,
  type StatusCodeErrorResponse,
  UserVisibleError,
} from "./define/errors.ts";
export { type Fetcher, type FetchMethodType, type FetchRequest, type FetchResponse, ValidFetchMethods } from "./define/fetch.ts";
export {
  type Formula,
  type FormulaDefinition,
  type FormulaExample,
  type FormulaOptions,
  type FormulaResult,
  makeFormula,
} from "./define/formula.ts";
export type { MetadataContext, MetadataFunction, MetadataResult } from "./define/metadata.ts";
export {
  type BaseAuthentication,
  type OAuth2Authentication,
  type OAuth2ClientCredentialsAuthentication,
  type PostSetup,
  PostSetupType,
  type SetEndpoint,
  TokenExchangeCredentialsLocation,
} from "./define/oauth.ts";
export type { BasicPackDefinition, Format, PackVersionDefinition } from "./define/pack.ts";
export { newPack, PackDefinitionBuilder, type UserAuthentication } from "./define/pack-builder.ts";
export {
  type Arguments,
  type CrawlStrategy,
  makeParameter,
  type Parameter,
  type ParameterOption,
  type ParameterValueMap,
  type ParameterValues,
} from "./define/parameter.ts";
export {
  type ArraySchema,
  type AttributionNode,
  type BooleanSchema,
  type CurrencySchema,
  type DurationSchema,
  type EmailSchema,
  type ImageSchema,
  type LinkSchema,
  makeObjectSchema,
  makeSchema,
  type NumberSchema,
  type NumericDateSchema,
  type NumericDateTimeSchema,
  type NumericDurationSchema,
  type NumericSchema,
  type NumericTimeSchema,
  type ObjectSchema,
  type ObjectSchemaDefinition,
  type ObjectSchemaProperties,
  type ProgressBarSchema,
  type PropertyIdentifier,
  type PropertyOptions,
  type PropertyWithOptions,
  type ScaleSchema,
  type Schema,
  type SimpleStringSchema,
  type SliderSchema,
  type StringDateSchema,
  type StringDateTimeSchema,
  type StringEmbedSchema,
  type StringSchema,
  type StringTimeSchema,
  type StringWithOptionsSchema,
} from "./define/schema.ts";
export {
  CurrencyFormat,
  DurationUnit,
  EmailDisplayType,
  ImageCornerStyle,
  ImageOutline,
  ImageShapeStyle,
  LinkDisplayType,
  ScaleIconSet,
} from "./define/schema-enumerations.ts";
export type { SchemaType } from "./define/schema-type.ts";
export { getQueryParams, joinUrl, withQueryParams } from "./define/urls.ts";
