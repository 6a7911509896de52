import * as z from "zod";
import type { PropertyIdentifierDetails } from "../define/schema.ts";
import { nearest } from "./nearest.ts";
import { ANY_PROPERTY, CARD_PROPERTIES, kindOfProperty, type PropertyKind, SUBTITLE } from "./property-kinds.ts";
import { propertyAt } from "./property-paths.ts";
import type { Path, Report } from "./report.ts";
import { checkShape, isMembers, kindOf, listOf, type Members, optionalText, type ShapeOf, short, text } from "./shape.ts";

const ROW_MEMBERS = ["idProperty", "displayProperty", "id", "primary"] as const;
const FEATURED_MEMBERS = ["featuredProperties", "featured"] as const;
const MAX_LISTED = 10;
/** A misspelling is looked for among so many properties. */
const MAX_COMPARED = 100;

const detailsShape = z.strictObject({
  property: text,
  label: optionalText,
  placeholder: optionalText,
} satisfies ShapeOf<PropertyIdentifierDetails>);

/** Rules 78 to 94: the members of an object schema that name properties. The older names of these members count too. */
export function checkNamedProperties(schema: Members, path: Path, report: Report): void {
  const { properties, parent } = schema;
  if (!isMembers(properties)) return;
  for (const member of ROW_MEMBERS) {
    if (typeof schema[member] === "string") checkProperty(schema[member], undefined, properties, [...path, member], report);
  }
  for (const member of FEATURED_MEMBERS) {
    listOf(schema[member]).forEach((name, index) => {
      if (typeof name === "string") checkProperty(name, undefined, properties, [...path, member, index], report);
    });
  }
  for (const [member, kind] of CARD_PROPERTIES) {
    if (schema[member] !== undefined) checkIdentifier(schema[member], kind, properties, [...path, member], report);
  }
  checkIdentifiers(schema["subtitleProperties"], SUBTITLE, properties, [...path, "subtitleProperties"], report);
  if (isMembers(parent)) {
    checkRequiredIdentifier(parent["parentIdProperty"], ANY_PROPERTY, properties, [...path, "parent", "parentIdProperty"], report);
  }
}

/** A list of identifiers; absent is fine. */
export function checkIdentifiers(value: unknown, kind: PropertyKind, properties: Members, path: Path, report: Report): void {
  if (value === undefined) return;
  if (!Array.isArray(value)) {
    const message = `${String(path.at(-1))} must be a list of property names, not ${kindOf(value)}.`;
    report("MEMBER_TYPE", path, message, "Write a list.");
    return;
  }
  value.forEach((item, index) => {
    checkRequiredIdentifier(item, kind, properties, [...path, index], report);
  });
}

/** An identifier that must be there. */
export function checkRequiredIdentifier(value: unknown, kind: PropertyKind, properties: Members, path: Path, report: Report): void {
  if (value === undefined) report("MEMBER_MISSING", path, `${nameOf(path)} is missing.`, "Write the name of a property.");
  else checkIdentifier(value, kind, properties, path, report);
}

/** A property's name, a path into nested properties, or an object that has one of these as `property`; absent is fine. */
export function checkIdentifier(value: unknown, kind: PropertyKind, properties: Members, path: Path, report: Report): void {
  if (value === undefined) return;
  if (typeof value === "string") checkProperty(value, kind, properties, path, report);
  else if (isMembers(value)) {
    checkShape(detailsShape, value, path, { unknownKey: "KEY_UNKNOWN" }, report);
    const { property } = value;
    if (typeof property === "string") checkProperty(property, kind, properties, [...path, "property"], report);
  } else {
    const message = `${nameOf(path)} must be the name of a property, not ${kindOf(value)}.`;
    report("MEMBER_TYPE", path, message, "Write its name, or { property, label }.");
  }
}

function checkProperty(name: string, kind: PropertyKind | undefined, properties: Members, path: Path, report: Report): void {
  if (name === "") {
    report("SCHEMA_PROPERTY_EMPTY", path, "The name of the property is empty.", `Name one of the properties: ${namesText(properties)}.`);
    return;
  }
  const property = propertyAt(properties, name);
  if (property === undefined) {
    const guess = nearest(name, namesOf(properties).slice(0, MAX_COMPARED));
    const hint = guess === undefined ? `Name one of the properties: ${namesText(properties)}.` : `Write ${short(guess)}.`;
    report("SCHEMA_PROPERTY_UNKNOWN", path, `The schema has no property ${short(name)}.`, hint);
  } else if (kind !== undefined && isMembers(property) && typeof property["type"] === "string" && !kind.fits(property)) {
    const member = path.findLast((key) => typeof key === "string" && key !== "property");
    const message = `${member} needs ${kind.expected}; ${short(name)} is ${kindOfProperty(property)}.`;
    report("SCHEMA_PROPERTY_TYPE", path, message, "Name another property, or change its schema.");
  }
}

/** Listed once for each object: there may be thousands of names, and as many wrong ones. */
const listed = new WeakMap<Members, readonly string[]>();

function namesOf(properties: Members): readonly string[] {
  const names = listed.get(properties) ?? Object.keys(properties);
  listed.set(properties, names);
  return names;
}

function nameOf(path: Path): string {
  const last = path.at(-1);
  return typeof last === "number" ? `Entry ${last}` : String(last);
}

function namesText(properties: Members): string {
  const names = namesOf(properties);
  if (names.length === 0) return "there is none yet";
  const rest = names.length - MAX_LISTED;
  const shown = names.slice(0, MAX_LISTED).map((name) => name.slice(0, 60));
  return rest > 0 ? `${shown.join(", ")} and ${rest} more` : shown.join(", ");
}
