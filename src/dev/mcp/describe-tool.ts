import * as z from "zod";
import {
  lenientBoolean,
  lenientList,
  lenientObject,
  lenientRecord,
  lenientText,
  lenientTexts,
} from "../../shared/lenient.ts";
import { isRecord } from "../../shared/values.ts";
import type { McpToolView, ToolFieldView } from "../wire/mcp.ts";

/** References in a schema may lead to each other. */
const MAX_REFERENCES = 10;

const toolPart = lenientObject({
  name: lenientText,
  title: lenientText,
  description: lenientText,
  annotations: lenientObject({
    readOnlyHint: lenientBoolean,
    destructiveHint: lenientBoolean,
    title: lenientText,
  }),
  inputSchema: z.unknown().optional(),
});

/** One level of a JSON Schema. */
const schemaPart = lenientObject({
  type: z.union([z.string(), lenientTexts]),
  description: lenientText,
  format: lenientText,
  default: z.unknown().optional(),
  $ref: lenientText,
  anyOf: lenientList,
  oneOf: lenientList,
  enum: z.array(z.unknown()).optional().catch(undefined),
  const: z.unknown().optional(),
  items: z.unknown().optional(),
  properties: lenientRecord,
  required: lenientList,
});
type SchemaPart = z.output<typeof schemaPart>;

/** A tool as the page shows it. The server may send anything. */
export function describeTool(given: unknown): McpToolView {
  const { name, title, description = "", annotations, inputSchema } = toolPart.parse(given);
  const { readOnlyHint, destructiveHint } = annotations;
  const { properties, required } = schemaPart.parse(inputSchema);
  return {
    name: String(name),
    title: title ?? annotations.title,
    description,
    effect: readOnlyHint === true ? "reads" : destructiveHint === true ? "deletes" : undefined,
    fields: Object.entries(properties).map(([key, property]) =>
      describeField(key, required.includes(key), schemaPart.parse(property), inputSchema),
    ),
    inputSchema,
  };
}

function describeField(
  name: string,
  isRequired: boolean,
  property: SchemaPart,
  root: unknown,
): ToolFieldView {
  const schema = resolveSchema(property, root);
  const options = readOptions(schema).map(writeJson);
  const type = readType(schema);
  const fallback = property.default ?? schema.default;
  return {
    name,
    description: property.description ?? schema.description ?? "",
    kind:
      options.length > 0
        ? "choice"
        : type === "string"
          ? "text"
          : type === "number" || type === "integer"
            ? "number"
            : "json",
    type: (type === "string" ? schema.format : undefined) ?? writeType(schema, root),
    isRequired,
    options,
    fallback: fallback === undefined ? undefined : writeJson(fallback),
  };
}

/**
 * Follows references within the schema, and leaves out the `null` of a value that may be absent.
 */
function resolveSchema(given: SchemaPart, root: unknown): SchemaPart {
  let schema = given;
  for (let hop = 0; hop < MAX_REFERENCES; hop++) {
    const reference = schema.$ref;
    const [alternative, ...others] = [...schema.anyOf, ...schema.oneOf]
      .map((each) => schemaPart.parse(each))
      .filter(({ type }) => type !== "null");
    if (reference?.startsWith("#/") === true)
      schema = schemaPart.parse(findByPointer(root, reference));
    else if (alternative !== undefined && others.length === 0) schema = alternative;
    else break;
  }
  return schema;
}

/** The value that a JSON pointer names (RFC 6901). */
function findByPointer(root: unknown, reference: string): unknown {
  const keys = reference
    .slice(2)
    .split("/")
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
  return keys.reduce(
    (found, key) => (isRecord(found) && Object.hasOwn(found, key) ? found[key] : undefined),
    root,
  );
}

function readOptions(schema: SchemaPart): readonly unknown[] {
  if (schema.enum !== undefined) return schema.enum;
  if (schema.const !== undefined) return [schema.const];
  return readType(schema) === "boolean" ? [true, false] : [];
}

function readType({ type }: SchemaPart): string | undefined {
  const types = [type].flat().filter((each) => each !== "null");
  return types.length === 1 ? types[0] : undefined;
}

function writeType(schema: SchemaPart, root: unknown): string {
  const type = readType(schema);
  if (type !== "array") return type ?? "JSON";
  return `${readType(resolveSchema(schemaPart.parse(schema.items), root)) ?? "JSON"} list`;
}

function writeJson(value: unknown): string {
  return JSON.stringify(value) ?? "null";
}
