import {
  type Code,
  layOut,
  literal,
  NEW_LINE,
  writeArray,
  writeBoth,
  writeCall,
  writeEntry,
  writeKey,
  writeObject,
} from "./code-document.ts";
import { variableName } from "./names.ts";
import type { Operation } from "./operations.ts";
import { type Input, isPlainItem } from "./request-inputs.ts";
import type { SchemaCode } from "./schema-code.ts";
import { getItem, type Shape } from "./shapes.ts";

/** Collects what the generated code uses. */
export interface Uses {
  /** Adds an import. */
  name(name: string): void;
  /** Adds a helper function at the end of the file. */
  helper(name: HelperName): void;
}

export type HelperName =
  | "absoluteUrl"
  | "dayOf"
  | "nextLink"
  | "parseJson"
  | "textsOf"
  | "withRepeated";

/** The code of a formula: `pack.addFormula({ … });` */
export function formulaCode(operation: Operation, schemas: SchemaCode, uses: Uses): Code {
  const { name, description, inputs, method, result, isPublic } = operation;
  uses.name("ValueType");
  if (isPublic) uses.name("ConnectionRequirement");
  const entries: Code[] = [
    writeEntry("name", literal(name)),
    writeEntry("description", literal(description)),
    ["parameters: ", writeArray(inputs.map((input) => parameterCode(input, uses)))],
    ...(method === "GET" ? [] : ["isAction: true"]),
    ...(isPublic ? ["connectionRequirement: ConnectionRequirement.None"] : []),
    ...resultCode(result, schemas),
    [
      "execute: async ",
      argumentsCode(inputs),
      " => {",
      { indent: [NEW_LINE, statements(operation, schemas, uses)] },
      NEW_LINE,
      "}",
    ],
  ];
  return ["pack.addFormula(", writeObject(entries, { isBroken: true }), ");"];
}

/** The parameters of an `execute` function. */
export function argumentsCode(inputs: readonly Input[]): Code {
  if (inputs.length === 0) return "(_args, context)";
  return writeCall("", [writeArray(inputs.map(({ name }) => variableName(name))), "context"]);
}

/** `makeParameter({ … })` */
export function parameterCode({ name, shape, description, isRequired }: Input, uses: Uses): Code {
  uses.name("makeParameter");
  uses.name("ParameterType");
  const choices = writeChoices(shape);
  const entries: Code[] = [
    `type: ParameterType.${parameterType(shape)}`,
    writeEntry("name", literal(name)),
    writeEntry("description", literal(description)),
    ...(choices === undefined ? [] : [["autocomplete: ", writeArray(choices)]]),
    ...(isRequired ? [] : ["optional: true"]),
  ];
  return writeCall("makeParameter", [], { entries });
}

function parameterType(shape: Shape): string {
  switch (shape.kind) {
    case "text":
      return isDate(shape) ? "Date" : "String";
    case "number":
      return "Number";
    case "boolean":
      return "Boolean";
    case "list":
      return isPlainItem(shape.items)
        ? `${{ text: "String", number: "Number", boolean: "Boolean" }[shape.items.kind as "text"]}Array`
        : "String";
    default:
      return "String";
  }
}

function writeChoices(shape: Shape): Code[] | undefined {
  if (shape.kind === "list" && shape.items.kind === "text") return writeChoices(shape.items);
  if (shape.kind === "text" && !isDate(shape)) return shape.choices?.map(literal);
  // A list that does not fit on one line does not help users.
  const numbers = shape.kind === "number" ? (shape.choices ?? []).map(String) : [];
  return numbers.length > 0 && numbers.join(", ").length < 100 ? numbers : undefined;
}

function isDate(shape: Shape): boolean {
  return shape.kind === "text" && (shape.hint === "Date" || shape.hint === "DateTime");
}

function resultCode(result: Operation["result"], schemas: SchemaCode): Code[] {
  if (result.kind === "nothing") return ["resultType: ValueType.Boolean"];
  if (result.kind !== "json") return ["resultType: ValueType.String"];
  const { shape } = result;
  switch (shape.kind) {
    case "list":
      if (getItem(shape).kind === "unknown") return ["resultType: ValueType.String"];
      return ["resultType: ValueType.Array", ["items: ", schemas.expression(shape.items)]];
    case "object":
      return ["resultType: ValueType.Object", ["schema: ", schemas.expression(shape)]];
    case "number":
      return ["resultType: ValueType.Number"];
    case "boolean":
      return ["resultType: ValueType.Boolean"];
    default:
      return ["resultType: ValueType.String"];
  }
}

function statements(operation: Operation, schemas: SchemaCode, uses: Uses): Code {
  const { result } = operation;
  const { before, request } = requestCode(operation, uses);
  const lines = [...before];
  if (result.kind === "nothing")
    return joinLines([...lines, ["await context.fetcher.fetch(", request, ");"], "return true;"]);
  const fetch = (type: string): Code => [
    `const { body } = await context.fetcher.fetch<${type}>(`,
    request,
    ");",
  ];
  if (result.kind === "text") return joinLines([...lines, fetch("string"), "return body ?? null;"]);
  if (result.kind === "bytes") {
    const stored = writeCall("await context.temporaryBlobStorage.storeBlob", [
      "body",
      literal(result.contentType),
    ]);
    return joinLines([
      ...lines,
      fetch("Uint8Array"),
      "if (body === undefined) return null;",
      ["return ", stored, ";"],
    ]);
  }
  const { shape } = result;
  const isUnknown = getItem(shape).kind === "unknown";
  if (isUnknown)
    return joinLines([
      ...lines,
      fetch("unknown"),
      "return body === undefined ? null : JSON.stringify(body);",
    ]);
  return joinLines([
    ...lines,
    fetch(schemas.writeType(shape)),
    shape.kind === "list" ? "return body ?? [];" : "return body ?? null;",
  ]);
}

/** Statements, one a line. */
export function joinLines(lines: readonly Code[]): Code {
  return lines.map((line, index) => (index === 0 ? line : [NEW_LINE, line]));
}

interface RequestOptions {
  /** Further query parameters. */
  more?: readonly Code[] | undefined;
  /** The request goes to the URL in `current`, if there is one. */
  isContinued?: boolean | undefined;
}

/** A request, and the statements that it needs before. */
export function requestCode(
  operation: Operation,
  uses: Uses,
  { more = [], isContinued = false }: RequestOptions = {},
): { before: Code[]; request: Code } {
  const { method, inputs, body, result } = operation;
  const listInputs = (place: Input["place"]): Input[] =>
    inputs.filter((input) => input.place === place);
  const repeated = listInputs("query").filter(
    ({ shape, separator }) =>
      shape.kind === "list" && isPlainItem(shape.items) && separator === undefined,
  );
  const plain = listInputs("query").filter((input) => !repeated.includes(input));
  let url: Code = addressCode(operation, uses);
  const before: Code[] = [];
  if (plain.length + more.length > 0) {
    uses.name("withQueryParams");
    url = writeCall("withQueryParams", [url], {
      entries: [...plain.map((input) => pair(input, valueFor(input, "query", uses))), ...more],
    });
  }
  if (repeated.length > 0) {
    uses.helper("withRepeated");
    before.push(["const url = ", url, ";"]);
    url = writeCall("withRepeated", ["url"], {
      entries: repeated.map((input) => pair(input, variableName(input.name))),
    });
  }
  if (isContinued) {
    before.push(["const first = ", url, ";"]);
    url = 'typeof current === "string" ? current : first';
  }
  const headers = headersCode(listInputs("header"), body, uses);
  return {
    before,
    request: writeObject(
      [
        writeEntry("method", literal(method)),
        ["url: ", url],
        ...(headers === undefined ? [] : [["headers: ", headers]]),
        ...bodyCode(listInputs("body"), listInputs("wholeBody")[0], body, uses),
        ...(result.kind === "bytes" ? ["isBinaryResponse: true"] : []),
      ],
      { isBroken: true },
    ),
  };
}

function addressCode({ path, inputs }: Operation, uses: Uses): string {
  const parts = path.split(/\{([^{}]*)\}/).map((part, index) => {
    if (index % 2 === 0) return part.replace(/`/g, "\\`").replace(/\$\{/g, "\\${");
    const input = inputs.find(({ place, wireName }) => place === "path" && wireName === part);
    return input === undefined
      ? ""
      : `\${encodeURIComponent(${layOut(valueFor(input, "path", uses))})}`;
  });
  return `\`\${API}${parts.join("")}\``;
}

function headersCode(
  inputs: readonly Input[],
  body: Operation["body"],
  uses: Uses,
): Code | undefined {
  const type = body === "json" ? ['"Content-Type": "application/json"'] : [];
  const values = inputs.map((input) =>
    writeEntry(writeKey(input.wireName), valueFor(input, "text", uses)),
  );
  if (inputs.length === 0) return type.length === 0 ? undefined : writeObject(type);
  uses.helper("textsOf");
  return writeCall("textsOf", [], { entries: [...type, ...values] });
}

function bodyCode(
  inputs: readonly Input[],
  whole: Input | undefined,
  body: Operation["body"],
  uses: Uses,
): Code[] {
  const writeStructured = (input: Input): Code => {
    if (isSimple(input.shape)) return valueFor(input, "json", uses);
    uses.helper("parseJson");
    return writeCall("parseJson", [literal(input.name), variableName(input.name)]);
  };
  if (whole !== undefined)
    return [["body: ", writeCall("JSON.stringify", [writeStructured(whole)])]];
  if (body === undefined) return [];
  if (body === "form") {
    uses.helper("textsOf");
    return [
      [
        "form: ",
        writeCall("textsOf", [], {
          entries: inputs.map((input) => pair(input, valueFor(input, "text", uses))),
        }),
      ],
    ];
  }
  return [
    [
      "body: ",
      writeCall("JSON.stringify", [], {
        entries: inputs.map((input) => pair(input, writeStructured(input))),
      }),
    ],
  ];
}

/** `name` or `"wire-name": value` */
function pair(input: Input, value: Code): Code {
  const key = writeKey(input.wireName);
  return value === key ? key : writeEntry(key, value);
}

/** Whether a value is sent unchanged. Other values are JSON in a text. */
function isSimple(shape: Shape): boolean {
  return isPlainItem(shape) || (shape.kind === "list" && isPlainItem(shape.items));
}

/**
 * The value of a parameter for a part of a request: dates without a time, and lists in paths and
 * texts joined with commas.
 */
function valueFor(
  { name, shape, isRequired, separator = "," }: Input,
  place: "path" | "query" | "text" | "json",
  uses: Uses,
): Code {
  const variable = variableName(name);
  const optional = isRequired ? "" : "?";
  if (shape.kind === "text" && shape.hint === "Date") {
    uses.helper("dayOf");
    const day = writeCall("dayOf", [variable, "context.timezone"]);
    return isRequired ? day : writeBoth([variable, day]);
  }
  if (shape.kind === "text" && shape.hint === "DateTime" && (place === "path" || place === "text"))
    return `${variable}${optional}.toISOString()`;
  if (shape.kind === "list" && isPlainItem(shape.items) && place !== "json")
    return `${variable}${optional}.join(${literal(separator)})`;
  return variable;
}
