import type { IssueCode } from "./codes.ts";
import type { Path, Report } from "./report.ts";
import { isMembers, type Members, short } from "./shape.ts";

/** Section 7.4: what references and persons need to find the row or the person that they stand for. */
export function checkReference(schema: Members, path: Path, report: Report): void {
  const { codaType, identity } = schema;
  if (codaType === "person") checkRequired("SCHEMA_PERSON", "A person", schema, "idProperty", "id", path, report);
  if (codaType !== "reference") return;
  if (identity === undefined) {
    const hint = "Add identity: { name }, or use makeReferenceSchemaFromObjectSchema.";
    report("SCHEMA_REFERENCE", [...path, "identity"], "A reference needs the identity of the rows that it leads to.", hint);
  }
  checkRequired("SCHEMA_REFERENCE", "A reference", schema, "idProperty", "id", path, report);
  checkRequired("SCHEMA_REFERENCE", "A reference", schema, "displayProperty", "primary", path, report);
}

/** A member that names a required property. Its older name counts too. */
function checkRequired(
  code: IssueCode,
  what: string,
  schema: Members,
  member: string,
  olderMember: string,
  path: Path,
  report: Report,
): void {
  const name = schema[member] ?? schema[olderMember];
  if (name === undefined) {
    report(code, [...path, member], `${what} needs ${member}.`, `Add ${member}: the name of a property.`);
    return;
  }
  const { properties } = schema;
  if (typeof name !== "string" || !isMembers(properties) || !Object.hasOwn(properties, name)) return;
  const property = properties[name];
  if (!isMembers(property) || property["required"] === true) return;
  const message = `${what} needs its ${member} in every value, but ${short(name)} is not required.`;
  report(code, [...path, "properties", name], message, "Add required: true to the property.");
}
