import type { Report } from "./change.ts";
import { compareMembers, formatShown, isSame } from "./members.ts";
import type { ValueSchema } from "./metadata.ts";

const TEXTS = {
  description: "TEXT_CHANGED",
  displayName: "TEXT_CHANGED",
  attribution: "TEXT_CHANGED",
  autocomplete: "TEXT_CHANGED",
  imageProperty: "TEXT_CHANGED",
  linkProperty: "TEXT_CHANGED",
  snippetProperty: "TEXT_CHANGED",
  displayProperty: "BEHAVIOUR_CHANGED",
  featuredProperties: "TEXT_CHANGED",
  titleProperty: "TEXT_CHANGED",
  subtitleProperties: "TEXT_CHANGED",
} as const;

/** Compares the results of a formula or a table. Documents refer to properties by name. */
export function compareSchemas(
  old: ValueSchema = {},
  current: ValueSchema = {},
  subject: string,
  report: Report,
): void {
  if (!isSame(old.type, current.type) || !isSame(old.codaType, current.codaType)) {
    report("TYPE_CHANGED", subject, `${describeKind(old)} → ${describeKind(current)}`);
    return;
  }
  if (old.items !== undefined || current.items !== undefined)
    compareSchemas(old.items, current.items, subject, report);
  compareProperties(old.properties ?? {}, current.properties ?? {}, subject, report);
  for (const name of ["idProperty", "identity"] as const) {
    if (isSame(nameIdentity(old[name]), nameIdentity(current[name]))) continue;
    report(
      "IDENTITY_CHANGED",
      subject,
      `${name}: ${formatShown(old[name])} → ${formatShown(current[name])}`,
    );
  }
  compareFlags(old, current, subject, report);
  const handled = [
    "type",
    "codaType",
    "items",
    "properties",
    "idProperty",
    "identity",
    "required",
    "mutable",
    "fromKey",
    "originalKey",
  ];
  compareMembers([old, current], { subject, codes: TEXTS, handled }, report);
}

function compareProperties(
  before: Readonly<Record<string, ValueSchema>>,
  after: Readonly<Record<string, ValueSchema>>,
  subject: string,
  report: Report,
): void {
  for (const [name, schema] of Object.entries(before)) {
    const label = `${subject}: property "${name}"`;
    const renamed = findRenamed(name, before, after);
    if (Object.hasOwn(after, name)) compareSchemas(schema, after[name], label, report);
    else if (renamed === undefined) report("PROPERTY_REMOVED", label, "removed");
    else {
      report("PROPERTY_RENAMED", label, `now "${renamed}", with the same fixedId`);
      compareSchemas(schema, after[renamed], label, report);
    }
  }
  for (const name of Object.keys(after)) {
    if (!Object.hasOwn(before, name) && findRenamed(name, after, before) === undefined)
      report("PROPERTY_ADDED", `${subject}: property "${name}"`, "added");
  }
}

/** @returns the name of the same property on the other side, which its fixed id identifies */
function findRenamed(
  name: string,
  own: Readonly<Record<string, ValueSchema>>,
  other: Readonly<Record<string, ValueSchema>>,
): string | undefined {
  const fixedId = own[name]?.["fixedId"];
  if (fixedId === undefined) return undefined;
  return Object.keys(other).find(
    (each) => !Object.hasOwn(own, each) && other[each]?.["fixedId"] === fixedId,
  );
}

function compareFlags(
  before: ValueSchema,
  after: ValueSchema,
  subject: string,
  report: Report,
): void {
  const [wasRequired, isRequired] = [before.required === true, after.required === true];
  if (wasRequired && !isRequired) report("PROPERTY_LESS_CERTAIN", subject, "may be missing now");
  if (!wasRequired && isRequired) report("PROPERTY_MORE_CERTAIN", subject, "is always present now");
  const [wasMutable, isMutable] = [before.mutable === true, after.mutable === true];
  if (wasMutable && !isMutable) report("EDITING_REMOVED", subject, "can no longer be edited");
  if (!wasMutable && isMutable) report("EDITING_ADDED", subject, "can be edited");
}

/** Rows are recognised by the name of their identity; the rest of it does not count. */
function nameIdentity(value: unknown): unknown {
  return typeof value === "object" && value !== null && "name" in value ? value.name : value;
}

function describeKind({ type, codaType }: ValueSchema): string {
  return [type ?? "nothing", codaType].filter((part) => part !== undefined).join(" as ");
}
