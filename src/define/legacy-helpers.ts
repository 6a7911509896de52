import { findItem, isRecord, readProperties } from "./compile/members.ts";
import { compileMetadata } from "./compile/metadata-formula.ts";
import { ValueHintType } from "./enumerations.ts";
import type { QuotaLimitType, SyncInterval } from "./legacy-enumerations.ts";

// Names that existing Packs and their tests import from published files of `@codahq/packs-sdk`,
// such as `dist/schema`.

export {
  normalizeSchema,
  normalizeSchema as normalizeObjectSchema,
} from "./compile/normalize-schema.ts";
export { normalizePropertyName as normalizeSchemaKey } from "./property-name.ts";

/** Accepted for compatibility with existing Packs. The value hints of a string. */
export const StringHintValueTypes = [
  ValueHintType.Attachment,
  ValueHintType.Date,
  ValueHintType.Time,
  ValueHintType.DateTime,
  ValueHintType.Duration,
  ValueHintType.Email,
  ValueHintType.Embed,
  ValueHintType.Html,
  ValueHintType.ImageReference,
  ValueHintType.ImageAttachment,
  ValueHintType.Markdown,
  ValueHintType.Url,
  ValueHintType.CodaInternalRichText,
  ValueHintType.SelectList,
] as const;

/** Accepted for compatibility with existing Packs. The value hints of a number. */
export const NumberHintValueTypes = [
  ValueHintType.Date,
  ValueHintType.Time,
  ValueHintType.DateTime,
  ValueHintType.Duration,
  ValueHintType.Percent,
  ValueHintType.Currency,
  ValueHintType.Slider,
  ValueHintType.ProgressBar,
  ValueHintType.Scale,
] as const;

/** Accepted for compatibility with existing Packs. The value hints of a boolean. */
export const BooleanHintValueTypes = [ValueHintType.Toggle] as const;

/** Accepted for compatibility with existing Packs. The value hints of an object. */
export const ObjectHintValueTypes = [
  ValueHintType.Person,
  ValueHintType.Reference,
  ValueHintType.SelectList,
] as const;

/**
 * Accepted for compatibility with existing Packs. A function becomes a metadata formula; a formula
 * is returned as it is.
 */
export function wrapMetadataFunction(run: unknown): unknown {
  return compileMetadata(run);
}

/**
 * Accepted for compatibility with existing Packs. Gives names of a compiled schema the names that
 * the Pack's requests use. A name
 * without another is returned as it is.
 * @param schema a compiled schema of an object, or of an array of them
 */
export function untransformKeys(names: readonly string[], schema: unknown): string[] {
  const properties = readProperties(findItem(schema));
  return names.map((name) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return (isRecord(property) && (property["fromKey"] as string | undefined)) || name;
  });
}

/**
 * @deprecated Accepted for compatibility with existing Packs. How often tables may sync, and how
 * many rows they may have.
 */
export interface SyncQuota {
  maximumInterval?: SyncInterval | undefined;
  maximumRowCount?: number | undefined;
}

/** @deprecated Accepted for compatibility with existing Packs. What a plan allows. */
export interface Quota {
  monthlyLimits?: Partial<Record<QuotaLimitType, number>> | undefined;
  maximumSyncInterval?: SyncInterval | undefined;
  sync?: SyncQuota | undefined;
}

/**
 * @deprecated Accepted for compatibility with existing Packs. A number of operations in a number of
 * seconds.
 */
export interface RateLimit {
  operationsPerInterval: number;
  intervalSeconds: number;
}

/**
 * @deprecated Accepted for compatibility with existing Packs. The limits of all calls, and of the
 * calls of one connection.
 */
export interface RateLimits {
  overall?: RateLimit | undefined;
  perConnection?: RateLimit | undefined;
}
