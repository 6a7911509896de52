export { assertCondition, ensureExists, ensureNonEmptyString, ensureUnreachable } from "./define/assertions.ts";
export type {
  Authentication,
  AWSAccessKeyAuthentication,
  AWSAssumeRoleAuthentication,
  CodaApiBearerTokenAuthentication,
  CustomAuthentication,
  CustomHeaderTokenAuthentication,
  HeaderBearerTokenAuthentication,
  MultiHeaderTokenAuthentication,
  MultiQueryParamTokenAuthentication,
  NoAuthentication,
  QueryParamTokenAuthentication,
  SystemAuthentication,
  WebBasicAuthentication,
} from "./define/authentication.ts";
export { type AutocompleteResult, autocompleteSearchObjects, simpleAutocomplete } from "./define/autocomplete.ts";
export type { ExecutionContext, InvocationLocation } from "./define/context.ts";
export {
  AuthenticationType,
  ConnectionRequirement,
  CurrencyFormat,
  DurationUnit,
  EmailDisplayType,
  HttpStatusCode,
  ImageCornerStyle,
  ImageOutline,
  ImageShapeStyle,
  InvocationErrorType,
  LinkDisplayType,
  OptionsType,
  ParameterType,
  PostSetupType,
  ScaleIconSet,
  TokenExchangeCredentialsLocation,
  Type,
  ValueHintType,
  ValueType,
} from "./define/enumerations.ts";
export { type Fetcher, type FetchMethodType, type FetchRequest, type FetchResponse, ValidFetchMethods } from "./define/fetch.ts";
export {
  type CommonFormulaDefinition,
  type Formula,
  type FormulaDefinition,
  type FormulaExample,
  type FormulaResult,
  makeFormula,
} from "./define/formula.ts";
export type { MetadataContext, MetadataFunction, MetadataResult } from "./define/metadata.ts";
export type {
  BaseAuthentication,
  BaseOAuthAuthentication,
  OAuth2Authentication,
  OAuth2ClientCredentialsAuthentication,
  PostSetup,
  SetEndpoint,
} from "./define/oauth.ts";
export type { PackVersionDefinition } from "./define/pack.ts";
export { newPack, PackDefinitionBuilder } from "./define/pack-builder.ts";
export {
  MissingScopesError,
  ResponseSizeTooLargeError,
  StatusCodeError,
  type StatusCodeErrorResponse,
  UserVisibleError,
} from "./define/pack-errors.ts";
export {
  type Arguments,
  type AutocompleteOption,
  makeParameter,
  type Parameter,
  type ParameterValueMap,
  type ParameterValues,
} from "./define/parameter.ts";
export {
  type ArraySchema,
  type BooleanSchema,
  makeObjectSchema,
  makeSchema,
  type NumberSchema,
  type ObjectSchema,
  type ObjectSchemaDefinition,
  type PropertyOptions,
  type Schema,
  type SchemaType,
  type StringSchema,
} from "./define/schema.ts";
export { getQueryParams, joinUrl, type QueryParams, type QueryValue, withQueryParams } from "./define/urls.ts";
