import * as z from "zod";
import { ContentCategorizationType, IndexingStrategy } from "../define/enumerations.ts";
import type { CategorizationIndexDefinition, CustomIndexDefinition } from "../define/schema.ts";
import { ANY_PROPERTY, FILTERABLE, INDEXED, MAIL_PART, NORM } from "./property-kinds.ts";
import { checkIdentifier, checkIdentifiers, checkRequiredIdentifier } from "./property-rules.ts";
import type { Path, Report } from "./report.ts";
import { anything, checkShape, isMembers, kindOf, listOf, type Members, type ShapeOf, text } from "./shape.ts";

const MAX_FILTERABLE_PROPERTIES = 5;
const MAIL_PROPERTIES = ["toProperty", "fromProperty", "subjectProperty", "htmlBodyProperty", "plainTextBodyProperty"] as const;

const baseShape = {
  contextProperties: anything,
  filterableProperties: anything,
  authorityNormProperty: anything,
  popularityNormProperty: anything,
};
const customShape = z.strictObject({ ...baseShape, properties: z.array(z.unknown()) } satisfies ShapeOf<CustomIndexDefinition>);
const categorizationShape = z.strictObject({
  ...baseShape,
  contentCategorization: z.custom(isMembers, "an object"),
} satisfies ShapeOf<CategorizationIndexDefinition>);
const mailShape = z.strictObject({
  type: text,
  toProperty: anything,
  fromProperty: anything,
  subjectProperty: anything,
  htmlBodyProperty: anything,
  plainTextBodyProperty: anything,
} satisfies Record<(typeof MAIL_PROPERTIES)[number] | "type", z.ZodType>);
const categoryShape = z.strictObject({ type: z.enum(ContentCategorizationType) });
const indexedShape = z.strictObject({ property: anything, strategy: z.enum(IndexingStrategy) });

/** Rules 96 to 108: what search knows of an object. */
export function checkIndex(index: unknown, properties: Members, path: Path, report: Report): void {
  if (index === undefined) return;
  if (!isMembers(index)) {
    report("MEMBER_TYPE", path, `index must be an object, not ${kindOf(index)}.`, "Write { properties: [ … ] }.");
    return;
  }
  const isCategorization = index["contentCategorization"] !== undefined;
  checkShape(isCategorization ? categorizationShape : customShape, index, path, { unknownKey: "KEY_UNKNOWN" }, report);
  if (isCategorization) checkCategorization(index["contentCategorization"], properties, [...path, "contentCategorization"], report);
  else checkIndexed(index["properties"], properties, [...path, "properties"], report);
  checkContext(index["contextProperties"], properties, [...path, "contextProperties"], report);
  checkFilters(index["filterableProperties"], properties, [...path, "filterableProperties"], report);
  for (const member of ["authorityNormProperty", "popularityNormProperty"]) {
    checkIdentifier(index[member], NORM, properties, [...path, member], report);
  }
}

/** Rules 101 and 102. An entry may have a strategy beside its property. */
function checkIndexed(value: unknown, properties: Members, path: Path, report: Report): void {
  if (!Array.isArray(value)) return;
  if (value.length === 0) report("SCHEMA_INDEX_EMPTY", path, "The index names no property.", "Name the text that is searched.");
  value.forEach((item: unknown, position) => {
    const at = [...path, position];
    if (isMembers(item) && item["strategy"] !== undefined) {
      checkShape(indexedShape, item, at, { unknownKey: "KEY_UNKNOWN" }, report);
      checkRequiredIdentifier(item["property"], INDEXED, properties, [...at, "property"], report);
    } else checkRequiredIdentifier(item, INDEXED, properties, at, report);
  });
}

/** Rules 96 to 100 and 108. */
function checkCategorization(value: unknown, properties: Members, path: Path, report: Report): void {
  if (!isMembers(value)) return;
  const isMail = value["type"] === ContentCategorizationType.Email;
  checkShape(isMail ? mailShape : categoryShape, value, path, { unknownKey: "KEY_UNKNOWN" }, report);
  if (!isMail) return;
  for (const member of MAIL_PROPERTIES) checkRequiredIdentifier(value[member], MAIL_PART, properties, [...path, member], report);
}

/** Rule 103. */
function checkContext(value: unknown, properties: Members, path: Path, report: Report): void {
  checkIdentifiers(value, ANY_PROPERTY, properties, path, report);
  if (!Array.isArray(value) || value.length > 0) return;
  report("SCHEMA_INDEX_EMPTY", path, "contextProperties names no property.", "Name one, or remove contextProperties.");
}

/** Rules 106 and 107. */
function checkFilters(value: unknown, properties: Members, path: Path, report: Report): void {
  checkIdentifiers(value, FILTERABLE, properties, path, report);
  const count = listOf(value).length;
  if (count <= MAX_FILTERABLE_PROPERTIES) return;
  const message = `filterableProperties has ${count} entries; ${MAX_FILTERABLE_PROPERTIES} are allowed.`;
  report("SCHEMA_INDEX_FILTERS", path, message, `Keep the ${MAX_FILTERABLE_PROPERTIES} that users filter by most.`);
}
