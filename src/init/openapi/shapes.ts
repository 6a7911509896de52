import { isRecord } from "../../shared/is-record.ts";
import { listOf, type Members } from "../../shared/members.ts";
import { entriesOf, follow, own, textOf } from "./description.ts";
import { createNames, pascalCase, sentence } from "./names.ts";

/** The part of a JSON schema that a Pack's schema can express. */
export type Shape =
  | { kind: "text"; hint?: TextHint | undefined; choices?: readonly string[] | undefined }
  | { kind: "number"; choices?: readonly number[] | undefined }
  | { kind: "boolean" }
  | { kind: "list"; items: Shape }
  | ObjectShape
  /** Any type, or one of several types. */
  | { kind: "unknown" };

export interface ObjectShape {
  kind: "object";
  /** The name of the object in the description. */
  name: string | undefined;
  members: ShapeMember[];
  /** The object has no named members. */
  isOpen: boolean;
  /** Members that were left out, and why. */
  left: string[];
}

export interface ShapeMember {
  name: string;
  shape: Shape;
  description: string | undefined;
  /** A nullable member is not required. */
  isRequired: boolean;
  isNullable: boolean;
}

export type TextHint = "Date" | "DateTime" | "Email" | "Url";

const HINTS: Readonly<Record<string, TextHint>> = {
  date: "Date",
  "date-time": "DateTime",
  email: "Email",
  uri: "Url",
  url: "Url",
};
const MAX_DEPTH = 60;

/**
 * Reads the schemas of a description. Resolves references and merges `allOf`. A schema that
 * contains itself ends where it would repeat.
 */
export function createShapes(description: Members) {
  /** Shapes by reference. The shape is undefined while it is being read. */
  const known = new Map<string, { shape: Shape | undefined; isNullable: boolean }>();
  const nameOf = createNames();
  return { shapeOf: (schema: unknown) => read(schema, 0).shape ?? { kind: "unknown" as const } };

  interface Read {
    /** Undefined if the schema contains itself here. */
    shape: Shape | undefined;
    isNullable: boolean;
  }

  function read(from: unknown, depth: number): Read {
    const { value, pointer } = follow(description, from);
    if (pointer === undefined) return readSchema(value, undefined, depth);
    const before = known.get(pointer);
    if (before !== undefined) return before;
    known.set(pointer, { shape: undefined, isNullable: false });
    const found = readSchema(value, pascalCase(pointer.split("/").at(-1) ?? ""), depth);
    known.set(pointer, found);
    return found;
  }

  function readSchema(schema: unknown, name: string | undefined, depth: number): Read {
    if (!isRecord(schema) || depth > MAX_DEPTH)
      return { shape: { kind: "unknown" }, isNullable: false };
    const parts = [...listOf(schema["allOf"])];
    const choices = [...listOf(schema["oneOf"]), ...listOf(schema["anyOf"])];
    const types = typesOf(schema);
    const isNullable =
      schema["nullable"] === true || schema["x-nullable"] === true || types.includes("null");
    if (parts.length > 0)
      return {
        shape: merged([{ ...schema, allOf: undefined }, ...parts], name, depth),
        isNullable,
      };
    if (choices.length > 0) {
      const others = choices.filter((choice) => !isNull(choice));
      const shape =
        others.length === 1 && !isRecord(schema["properties"])
          ? read(others[0], depth + 1).shape
          : oneOf([schema, ...others], name, depth);
      return {
        shape: shape ?? { kind: "unknown" },
        isNullable: isNullable || others.length < choices.length,
      };
    }
    return {
      shape: plain(
        schema,
        types.filter((type) => type !== "null"),
        name,
        depth,
      ),
      isNullable,
    };
  }

  function plain(
    schema: Members,
    types: readonly string[],
    name: string | undefined,
    depth: number,
  ): Shape | undefined {
    const [type, ...more] = types;
    if (more.length > 0) return { kind: "unknown" };
    switch (type) {
      case "string":
        return {
          kind: "text",
          hint: own(HINTS, String(schema["format"])) as TextHint | undefined,
          choices: textsIn(schema["enum"]),
        };
      case "integer":
      case "number":
        return {
          kind: "number",
          choices: listOf(schema["enum"]).filter((value) => typeof value === "number"),
        };
      case "boolean":
        return { kind: "boolean" };
      case "array": {
        const items = read(schema["items"], depth + 1).shape;
        return items === undefined ? undefined : { kind: "list", items };
      }
      case "object":
        return objectOf(schema, name, depth);
      default:
        return { kind: "unknown" };
    }
  }

  function objectOf(schema: Members, name: string | undefined, depth: number): ObjectShape {
    const shape: ObjectShape = {
      kind: "object",
      name: name === undefined ? undefined : nameOf(name, "Object"),
      members: [],
      isOpen: false,
      left: [],
    };
    const required = listOf(schema["required"]);
    for (const [member, property] of entriesOf(schema["properties"])) {
      const { shape: inner, isNullable } = read(property, depth + 1);
      if (inner === undefined) shape.left.push(`${member}: it contains the object itself`);
      else if (
        inner.kind === "unknown" ||
        (inner.kind === "list" && itemOf(inner).kind === "unknown")
      ) {
        shape.left.push(`${member}: it has no specific type`);
      } else {
        const words =
          textOf(own(property, "description")) ??
          textOf(own(follow(description, property).value, "description"));
        shape.members.push({
          name: member,
          shape: inner,
          description: words === undefined ? undefined : sentence(words),
          isRequired: required.includes(member) && !isNullable,
          isNullable,
        });
      }
    }
    shape.isOpen = shape.members.length === 0;
    return shape;
  }

  /** The members of all objects. */
  function merged(schemas: readonly unknown[], name: string | undefined, depth: number): Shape {
    const shapes = schemas
      .filter((schema) => !saysNothing(schema))
      .map((schema) => read(schema, depth + 1).shape);
    const objects = shapes.filter((shape) => shape?.kind === "object") as ObjectShape[];
    if (objects.length === 0)
      return shapes.find((shape) => shape !== undefined) ?? { kind: "unknown" };
    const members = new Map(
      objects.flatMap((shape) => shape.members).map((member) => [member.name, member]),
    );
    // One part may require a member that another part defines.
    const required = new Set(schemas.flatMap((schema) => listOf(own(schema, "required"))));
    return {
      kind: "object",
      name: name === undefined ? undefined : nameOf(name, "Object"),
      members: [...members.values()].map((member) => ({
        ...member,
        isRequired: member.isRequired || (required.has(member.name) && !member.isNullable),
      })),
      isOpen: members.size === 0,
      left: [...new Set(objects.flatMap((shape) => shape.left))],
    };
  }

  /** One of several objects: a member is required only if all of them require it. */
  function oneOf(schemas: readonly unknown[], name: string | undefined, depth: number): Shape {
    const shapes = schemas
      .filter((schema, index) => index > 0 || isRecord(own(schema, "properties")))
      .map((schema, index) => {
        const inner =
          index === 0 && isRecord(schema)
            ? { ...schema, oneOf: undefined, anyOf: undefined }
            : schema;
        return read(inner, depth + 1).shape;
      });
    const first = shapes[0];
    if (
      first !== undefined &&
      first.kind !== "object" &&
      first.kind !== "list" &&
      shapes.every((shape) => shape?.kind === first.kind)
    ) {
      return { kind: first.kind } as Shape;
    }
    if (!shapes.every((shape) => shape?.kind === "object")) return { kind: "unknown" };
    const objects = shapes as ObjectShape[];
    const members = new Map<string, ShapeMember>();
    const left = new Set(objects.flatMap((shape) => shape.left));
    for (const member of objects.flatMap((shape) => shape.members)) {
      const before = members.get(member.name);
      const shape = before === undefined ? member.shape : commonShape(before.shape, member.shape);
      if (shape === undefined) {
        left.add(`${member.name}: it has several types`);
        continue;
      }
      const isRequired = objects.every((each) =>
        each.members.some(({ name: other, isRequired }) => other === member.name && isRequired),
      );
      members.set(member.name, { ...member, shape, isRequired });
    }
    const clashes = new Set([...left].map((reason) => reason.split(":")[0]));
    const kept = [...members.values()].filter((member) => !clashes.has(member.name));
    return {
      kind: "object",
      name: name === undefined ? undefined : nameOf(name, "Object"),
      members: kept,
      isOpen: kept.length === 0,
      left: [...left],
    };
  }
}

/** The shape of a member that has one shape or the other. */
function commonShape(one: Shape, other: Shape): Shape | undefined {
  if (JSON.stringify(one) === JSON.stringify(other)) return one;
  // Objects with a kind of their own name it in a member with one choice.
  if (one.kind === "text" && other.kind === "text")
    return { kind: "text", hint: one.hint === other.hint ? one.hint : undefined };
  return one.kind === "number" && other.kind === "number" ? { kind: "number" } : undefined;
}

/** The innermost item type of a list. */
export function itemOf(shape: Shape): Shape {
  return shape.kind === "list" ? itemOf(shape.items) : shape;
}

function typesOf(schema: Members): string[] {
  const { type } = schema;
  if (typeof type === "string") return [type];
  if (Array.isArray(type)) return type.filter((each) => typeof each === "string");
  if (isRecord(schema["properties"]) || isRecord(schema["additionalProperties"])) return ["object"];
  if (schema["items"] !== undefined) return ["array"];
  const values = listOf(schema["enum"] ?? (schema["const"] === undefined ? [] : [schema["const"]]));
  return values.length > 0 && values.every((value) => typeof value === "string") ? ["string"] : [];
}

/** Whether a part of `allOf` adds only descriptions or required names. */
function saysNothing(schema: unknown): boolean {
  if (!isRecord(schema)) return true;
  return [
    "$ref",
    "type",
    "properties",
    "allOf",
    "oneOf",
    "anyOf",
    "items",
    "enum",
    "additionalProperties",
  ].every((key) => schema[key] === undefined);
}

function isNull(schema: unknown): boolean {
  return (
    own(schema, "type") === "null" ||
    (listOf(own(schema, "enum")).length === 1 && listOf(own(schema, "enum"))[0] === null)
  );
}

function textsIn(value: unknown): string[] | undefined {
  const texts = listOf(value).filter(
    (item): item is string => typeof item === "string" && item !== "",
  );
  return texts.length === 0 ? undefined : [...new Set(texts)];
}
