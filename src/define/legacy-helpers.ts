import { isMembers } from "./compile/members.ts";
import { compileMetadata } from "./compile/metadata-formula.ts";
import { ValueHintType } from "./enumerations.ts";

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
  const items = isMembers(schema) && schema["type"] === "array" ? schema["items"] : schema;
  const properties = isMembers(items) && isMembers(items["properties"]) ? items["properties"] : {};
  return names.map((name) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return (isMembers(property) && (property["fromKey"] as string | undefined)) || name;
  });
}
