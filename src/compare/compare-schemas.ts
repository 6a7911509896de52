import { type Members, membersOf } from "../shared/members.ts";
import type { Report } from "./change.ts";
import { compareMembers, isSame, shown } from "./members.ts";

const TEXTS = {
  description: "TEXT_CHANGED",
  displayProperty: "BEHAVIOUR_CHANGED",
  featuredProperties: "TEXT_CHANGED",
  titleProperty: "TEXT_CHANGED",
  subtitleProperties: "TEXT_CHANGED",
} as const;

/** Compares the results of a formula or a table. Documents refer to properties by name. */
export function compareSchemas(
  before: unknown,
  after: unknown,
  subject: string,
  report: Report,
): void {
  const [old, current] = [membersOf(before), membersOf(after)];
  if (!isSame(old["type"], current["type"]) || !isSame(old["codaType"], current["codaType"])) {
    report("TYPE_CHANGED", subject, `${kindOf(old)} → ${kindOf(current)}`);
    return;
  }
  if (old["items"] !== undefined || current["items"] !== undefined)
    compareSchemas(old["items"], current["items"], subject, report);
  compareProperties(
    membersOf(old["properties"]),
    membersOf(current["properties"]),
    subject,
    report,
  );
  for (const name of ["idProperty", "identity"]) {
    if (isSame(identityOf(old[name]), identityOf(current[name]))) continue;
    report("IDENTITY_CHANGED", subject, `${name}: ${shown(old[name])} → ${shown(current[name])}`);
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

function compareProperties(before: Members, after: Members, subject: string, report: Report): void {
  for (const [name, schema] of Object.entries(before)) {
    const label = `${subject}: property "${name}"`;
    if (Object.hasOwn(after, name)) compareSchemas(schema, after[name], label, report);
    else report("PROPERTY_REMOVED", label, "removed");
  }
  for (const name of Object.keys(after)) {
    if (!Object.hasOwn(before, name))
      report("PROPERTY_ADDED", `${subject}: property "${name}"`, "added");
  }
}

function compareFlags(before: Members, after: Members, subject: string, report: Report): void {
  const [wasRequired, isRequired] = [before["required"] === true, after["required"] === true];
  if (wasRequired && !isRequired) report("PROPERTY_LESS_CERTAIN", subject, "may be missing now");
  if (!wasRequired && isRequired) report("PROPERTY_MORE_CERTAIN", subject, "is always present now");
  const [wasMutable, isMutable] = [before["mutable"] === true, after["mutable"] === true];
  if (wasMutable && !isMutable) report("EDITING_REMOVED", subject, "can no longer be edited");
  if (!wasMutable && isMutable) report("EDITING_ADDED", subject, "can be edited");
}

/** Rows are recognised by the name of their identity; the rest of it does not count. */
function identityOf(value: unknown): unknown {
  return typeof value === "object" && value !== null ? membersOf(value)["name"] : value;
}

function kindOf({ type, codaType }: Members): string {
  return [type ?? "nothing", codaType].filter((part) => part !== undefined).join(" as ");
}
