import { type Members, toList, toMembers, toText } from "../../shared/values.ts";
import type { McpToolView, ToolFieldView } from "../wire/mcp.ts";

/** References in a schema may lead to each other. */
const MAX_REFERENCES = 10;

/** A tool as the page shows it. The server may send anything. */
export function describeTool(given: unknown): McpToolView {
  const tool = toMembers(given);
  const { readOnlyHint, destructiveHint, title } = toMembers(tool["annotations"]);
  const schema = toMembers(tool["inputSchema"]);
  const required = toList(schema["required"]);
  return {
    name: String(tool["name"]),
    title: toText(tool["title"]) ?? toText(title),
    description: toText(tool["description"]) ?? "",
    effect: readOnlyHint === true ? "reads" : destructiveHint === true ? "deletes" : undefined,
    fields: Object.entries(toMembers(schema["properties"])).map(([name, property]) =>
      describeField(name, required.includes(name), toMembers(property), schema),
    ),
    inputSchema: tool["inputSchema"],
  };
}

function describeField(
  name: string,
  isRequired: boolean,
  property: Members,
  root: Members,
): ToolFieldView {
  const schema = resolveSchema(property, root);
  const options = readOptions(schema).map(writeJson);
  const type = readType(schema);
  const fallback = property["default"] ?? schema["default"];
  return {
    name,
    description: toText(property["description"]) ?? toText(schema["description"]) ?? "",
    kind:
      options.length > 0
        ? "choice"
        : type === "string"
          ? "text"
          : type === "number" || type === "integer"
            ? "number"
            : "json",
    type: (type === "string" ? toText(schema["format"]) : undefined) ?? writeType(schema, root),
    isRequired,
    options,
    fallback: fallback === undefined ? undefined : writeJson(fallback),
  };
}

/**
 * Follows references within the schema, and leaves out the `null` of a value that may be absent.
 */
function resolveSchema(given: Members, root: Members): Members {
  let schema = given;
  for (let hop = 0; hop < MAX_REFERENCES; hop++) {
    const reference = toText(schema["$ref"]);
    const alternatives = [...toList(schema["anyOf"]), ...toList(schema["oneOf"])]
      .map(toMembers)
      .filter(({ type }) => type !== "null");
    if (reference?.startsWith("#/") === true) schema = findByPointer(root, reference);
    else if (alternatives.length === 1) schema = alternatives[0] ?? {};
    else break;
  }
  return schema;
}

/** The schema that a JSON pointer names (RFC 6901). */
function findByPointer(root: Members, reference: string): Members {
  const keys = reference
    .slice(2)
    .split("/")
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
  return keys.reduce<Members>(
    (found, key) => toMembers(Object.hasOwn(found, key) ? found[key] : undefined),
    root,
  );
}

function readOptions(schema: Members): readonly unknown[] {
  if (Array.isArray(schema["enum"])) return schema["enum"];
  if (schema["const"] !== undefined) return [schema["const"]];
  return readType(schema) === "boolean" ? [true, false] : [];
}

function readType({ type }: Members): string | undefined {
  const types = (Array.isArray(type) ? type : [type]).filter(
    (each) => typeof each === "string" && each !== "null",
  );
  return types.length === 1 ? types[0] : undefined;
}

function writeType(schema: Members, root: Members): string {
  const type = readType(schema);
  if (type !== "array") return type ?? "JSON";
  return `${readType(resolveSchema(toMembers(schema["items"]), root)) ?? "JSON"} list`;
}

function writeJson(value: unknown): string {
  return JSON.stringify(value) ?? "null";
}
