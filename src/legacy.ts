// What Packs find that import `@codahq/packs-sdk`: the authoring entry, and names that only
// existing Packs use.

export {
  AttributionNodeType,
  FeatureSet,
  PackCategory,
  QuotaLimitType,
  SyncInterval,
  Type,
} from "./define/legacy-enumerations.ts";
export {
  isUserVisibleError,
  makeBooleanArrayParameter,
  makeBooleanParameter,
  makeDateArrayParameter,
  makeDateParameter,
  makeFileArrayParameter,
  makeFileParameter,
  makeHtmlArrayParameter,
  makeHtmlParameter,
  makeImageArrayParameter,
  makeImageParameter,
  makeNumericArrayParameter,
  makeNumericFormula,
  makeNumericParameter,
  makeObjectFormula,
  makeStringArrayParameter,
  makeStringFormula,
  makeStringParameter,
  makeSyncTableLegacy,
  makeUserVisibleError,
} from "./define/legacy-factories.ts";
export {
  BooleanHintValueTypes,
  NumberHintValueTypes,
  normalizeObjectSchema,
  normalizeSchema,
  normalizeSchemaKey,
  ObjectHintValueTypes,
  type Quota,
  type RateLimit,
  type RateLimits,
  StringHintValueTypes,
  type SyncQuota,
  untransformKeys,
  wrapMetadataFunction,
} from "./define/legacy-helpers.ts";
export * from "./index.ts";
