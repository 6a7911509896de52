import type { Members } from "../../shared/values.ts";
import { findText, follow, readOwn } from "./description.ts";
import { createNames, pascalCase, sentence } from "./names.ts";
import { planShape } from "./shape-plan.ts";
import {
  createObjectShape,
  mergeShapes,
  type PropertyShape,
  type Shape,
  type ShapeOrCircle,
  UNKNOWN,
  uniteShapes,
} from "./shapes.ts";

/** Returns the shape of a schema, which may be a reference. */
export type ReadShape = (schema: unknown) => Shape;

/** What is known while the schemas of a description are read. */
interface Reading {
  description: Members;
  /** By reference. The shape is undefined while it is being read. */
  known: Map<string, SchemaShape>;
  createName: ReturnType<typeof createNames>;
}

interface SchemaShape {
  shape: ShapeOrCircle;
  isNullable: boolean;
}

const MAX_DEPTH = 60;

/**
 * Reads the schemas of a description. Resolves references and merges `allOf`. A schema that
 * contains itself ends where it would repeat.
 */
export function createShapeReader(description: Members): ReadShape {
  const reading: Reading = { description, known: new Map(), createName: createNames() };
  return (schema) => readSchema(reading, schema, 0).shape ?? UNKNOWN;
}

function readSchema(reading: Reading, schema: unknown, depth: number): SchemaShape {
  const { value, pointer } = follow(reading.description, schema);
  if (pointer === undefined) return readValue(reading, value, undefined, depth);
  const known = reading.known.get(pointer);
  if (known !== undefined) return known;
  reading.known.set(pointer, { shape: undefined, isNullable: false });
  const name = pascalCase(pointer.split("/").at(-1) ?? "");
  const read = readValue(reading, value, name, depth);
  reading.known.set(pointer, read);
  return read;
}

/** @param name of the schema in the description */
function readValue(
  reading: Reading,
  schema: unknown,
  name: string | undefined,
  depth: number,
): SchemaShape {
  if (depth > MAX_DEPTH) return { shape: UNKNOWN, isNullable: false };
  const { plan, isNullable } = planShape(schema);
  const read = (inner: unknown): SchemaShape => readSchema(reading, inner, depth + 1);
  const readAll = (schemas: readonly unknown[]) => schemas.map((inner) => read(inner).shape);
  const withName = (shape: Shape): Shape =>
    shape.kind === "object" && name !== undefined
      ? { ...shape, name: reading.createName(name, "Object") }
      : shape;
  switch (plan.is) {
    case "known":
      return { shape: plan.shape, isNullable };
    case "same":
      return { shape: read(plan.schema).shape ?? UNKNOWN, isNullable };
    case "list": {
      const items = read(plan.items).shape;
      return { shape: items && { kind: "list", items }, isNullable };
    }
    case "object": {
      // The name of an object is chosen before those of the objects inside it.
      const chosen = name === undefined ? undefined : reading.createName(name, "Object");
      const properties = plan.properties.map(
        ([member, property]): PropertyShape => ({
          ...read(property),
          name: member,
          description: readDescription(reading.description, property),
        }),
      );
      return {
        shape: { ...createObjectShape(properties, plan.required), name: chosen },
        isNullable,
      };
    }
    case "merged":
      return { shape: withName(mergeShapes(readAll(plan.parts), plan.required)), isNullable };
    case "united":
      return { shape: withName(uniteShapes(readAll(plan.choices))), isNullable };
  }
}

/** A description next to a reference is preferred to that of its target. */
function readDescription(description: Members, schema: unknown): string | undefined {
  const text =
    findText(readOwn(schema, "description")) ??
    findText(readOwn(follow(description, schema).value, "description"));
  return text === undefined ? undefined : sentence(text);
}
