// What Packs find that import `@codahq/packs-sdk`: the authoring entry, and names that only existing Packs use.

export {
  AttributionNodeType,
  FeatureSet,
  PackCategory,
  type Quota,
  QuotaLimitType,
  type RateLimit,
  type RateLimits,
  SyncInterval,
  type SyncQuota,
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
export { normalizePropertyName as normalizeSchemaKey } from "./define/property-name.ts";
export * from "./index.ts";
