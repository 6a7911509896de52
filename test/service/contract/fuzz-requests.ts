import fc from "fast-check";

type Schema = Readonly<Record<string, unknown>>;

export interface DescribedOperation {
  method: string;
  path: string;
  operationId: string;
  parameters: { name: string; in: "path" | "query"; schema: Schema }[];
  bodySchema: Schema | undefined;
  responses: Record<string, unknown>;
}

export interface FuzzedRequest {
  operation: DescribedOperation;
  /** Below the API root, with its query. */
  path: string;
  init: { method: string; body?: string; headers: Record<string, string> };
}

interface Description {
  paths: Record<
    string,
    Record<
      string,
      Omit<DescribedOperation, "method" | "path"> & {
        requestBody?: { content: Record<string, { schema: Schema }> };
      }
    >
  >;
  components: { schemas: Record<string, Schema> };
}

export function describedOperations(description: unknown): DescribedOperation[] {
  return Object.entries((description as Description).paths).flatMap(([path, item]) =>
    Object.entries(item).map(
      ([method, { operationId, parameters = [], responses, requestBody }]) => ({
        method: method.toUpperCase(),
        path,
        operationId,
        parameters,
        responses,
        bodySchema: requestBody?.content["application/json"]?.schema,
      }),
    ),
  );
}

/**
 * Requests of every operation: half of them valid by the description, the others with a part that
 * is not.
 */
export function createRequests(
  description: unknown,
  operations: readonly DescribedOperation[],
  names: Readonly<Record<string, readonly string[]>>,
): fc.Arbitrary<FuzzedRequest> {
  const { schemas } = (description as Description).components;
  return fc.oneof(...operations.map((operation) => createRequest(operation, schemas, names)));
}

function createRequest(
  operation: DescribedOperation,
  schemas: Record<string, Schema>,
  names: Readonly<Record<string, readonly string[]>>,
): fc.Arbitrary<FuzzedRequest> {
  const path = operation.parameters.filter((each) => each.in === "path");
  const query = operation.parameters.filter((each) => each.in === "query");
  const known = (name: string) => fc.constantFrom(...(names[name] ?? ["x"]));
  const textFor = (name: string, schema: Schema) =>
    valid({ schemas, names, depth: 0 }, schema, name).map(asText);
  const parts = fc.record({
    path: fc.tuple(
      ...path.map(({ name }) =>
        fc.oneof({ weight: 19, arbitrary: known(name) }, { weight: 1, arbitrary: hostileText }),
      ),
    ),
    query: fc.tuple(
      ...query.map(({ name, schema }) =>
        fc.oneof(
          // With a token, hardly anything else of a request counts.
          { weight: name.endsWith("Token") ? 60 : 12, arbitrary: fc.constant(undefined) },
          { weight: 6, arbitrary: textFor(name, schema) },
          { weight: 1, arbitrary: hostileText },
          { weight: 1, arbitrary: fc.constantFrom(...(SPELLINGS[String(schema["type"])] ?? [""])) },
        ),
      ),
    ),
    body:
      operation.bodySchema === undefined
        ? fc.constant(undefined)
        : fc.oneof(
            {
              weight: 8,
              arbitrary: valid({ schemas, names, depth: 0 }, operation.bodySchema, "").map(
                (value) => JSON.stringify(value),
              ),
            },
            {
              weight: 2,
              arbitrary: spoiled({ schemas, names, depth: 0 }, operation.bodySchema).map((value) =>
                JSON.stringify(value),
              ),
            },
            {
              weight: 1,
              arbitrary: fc.oneof(fc.json(), hostileText, fc.constantFrom(...BROKEN_BODIES)),
            },
          ),
    raw: fc.oneof(
      { weight: 30, arbitrary: fc.constant("") },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          "&x=%ED%A0%80",
          "&%00",
          "&limit=%",
          "&&=",
          "&limit=1&limit=2",
          "&a[b]=1",
          "&x=%zz",
        ),
      },
    ),
    segment: fc.oneof(
      { weight: 60, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.constantFrom(...BROKEN_SEGMENTS) },
    ),
    headers: fc.oneof(
      { weight: 20, arbitrary: fc.constant({}) },
      { weight: 1, arbitrary: fc.constantFrom(...ODD_HEADERS) },
    ),
  });
  return parts.map(({ path: segments, query: values, body, raw, segment, headers }) => {
    const located = path.reduce(
      (text, { name }, at) =>
        text.replace(
          `{${name}}`,
          () => (at === 0 ? segment : undefined) ?? encodeURIComponent(segments[at] || "x"),
        ),
      operation.path,
    );
    const search = new URLSearchParams(
      query.flatMap(({ name }, at): [string, string][] =>
        values[at] === undefined ? [] : [[name, String(values[at])]],
      ),
    );
    const text = `${search}${raw}`;
    return {
      operation,
      path: `${located}${text === "" ? "" : `?${text}`}`,
      init: {
        method: operation.method,
        headers: { "Content-Type": "application/json", ...headers },
        ...(body === undefined ? {} : { body }),
      },
    };
  });
}

/** How clients write what the service must take or refuse, by the type of the parameter. */
const SPELLINGS: Readonly<Record<string, readonly string[]>> = {
  boolean: ["True", "FALSE", "1", "yes", "", " true"],
  integer: [
    "0",
    "1",
    "-0",
    "0.5",
    "1e3",
    "1e400",
    "9007199254740993",
    "٣",
    "+5",
    "5 ",
    "0x10",
    "NaN",
    "9".repeat(400),
  ],
};
const DEEP = 20_000;
const BROKEN_BODIES: readonly string[] = [
  "[".repeat(DEEP) + "]".repeat(DEEP),
  `{"rows":${"[".repeat(DEEP)}"\\ud800"${"]".repeat(DEEP)}}`,
  `${'{"name":'.repeat(DEEP)}"\\u0000"${"}".repeat(DEEP)}`,
  '{"rows":[{"cells":[{"column":"Title","value":1e999}]}]}',
  '{"rows":[],"rows":1,"__proto__":{"rows":[]},"constructor":{}}',
  '{"name":"\\ud800"}',
  "\ufeff{}",
  "{",
];
const BROKEN_SEGMENTS: readonly string[] = [
  "%",
  "%zz",
  "%ED%A0%80",
  "%00",
  "%2F",
  "%FF",
  "a%2Fb%3F",
  "%252e",
  "~",
  "'",
  "%F0%9F%98%80".repeat(300),
];
const ODD_HEADERS: readonly Record<string, string>[] = [
  { "Content-Type": "text/plain; charset=utf-16" },
  { "Content-Type": "multipart/form-data" },
  { "Content-Type": "application/x-www-form-urlencoded" },
  { "Content-Encoding": "gzip" },
  { "Content-Encoding": "x".repeat(100) },
  { "X-Coda-Doc-Version": "latest" },
  { "X-Coda-Doc-Version": "\u00ff" },
  { Accept: "text/html", Range: "bytes=0-1", "If-None-Match": "*" },
  {
    "X-HTTP-Method-Override": "DELETE",
    "X-Forwarded-Host": "service.example",
    Forwarded: "host=service.example",
  },
  { "X-Odd": "x".repeat(8_000), Cookie: "a=\u00e9" },
];

const hostileText = fc
  .oneof(
    fc.constantFrom(
      "",
      "0",
      "-1",
      "null",
      "true",
      "__proto__",
      "\0",
      "%",
      "a/b",
      "'",
      '"',
      "😀",
      "9".repeat(30),
      "x".repeat(3_000),
    ),
    fc.string({ unit: "binary", maxLength: 20 }),
  )
  .map((text) => text.replace(/\p{Surrogate}/gu, ""));

const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(null, [], {}, "", 0, -1, 1e308, true, [[[]]], "2026-99-99", "\ud800", "a\0b", {
    __proto__: null,
    a: 1,
  }),
  fc.jsonValue({ maxDepth: 2 }),
  fc.string({ unit: "binary", maxLength: 30 }),
);

interface Context {
  schemas: Record<string, Schema>;
  names: Readonly<Record<string, readonly string[]>>;
  depth: number;
}

/** A value that the schema describes. */
function valid(context: Context, schema: Schema, name: string): fc.Arbitrary<unknown> {
  const deeper = { ...context, depth: context.depth + 1 };
  const reference = schema["$ref"];
  if (typeof reference === "string")
    return valid(
      deeper,
      context.schemas[reference.slice(reference.lastIndexOf("/") + 1)] ?? {},
      name,
    );
  if ("const" in schema) return fc.constant(schema["const"]);
  if (Array.isArray(schema["enum"])) return fc.constantFrom(...(schema["enum"] as unknown[]));
  const choices = (schema["anyOf"] ?? schema["oneOf"]) as Schema[] | undefined;
  if (choices !== undefined) {
    const usable = context.depth > 6 ? choices.slice(0, 1) : choices;
    return fc.oneof(...usable.map((choice) => valid(deeper, choice, name)));
  }
  switch (schema["type"]) {
    case "boolean":
      return fc.boolean();
    case "integer":
      return fc.oneof(
        fc.integer({ min: Number(schema["minimum"] ?? -10), max: 20 }),
        fc.constant(1_000_000),
      );
    case "number":
      return fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));
    case "array":
      return fc.array(valid(deeper, (schema["items"] ?? {}) as Schema, name), { maxLength: 3 });
    case "object":
      return createObject(deeper, schema);
    case "string":
      return createText(context, schema, name);
    default:
      return fc.jsonValue({ maxDepth: 1 });
  }
}

function createObject(context: Context, schema: Schema): fc.Arbitrary<unknown> {
  const properties = Object.entries((schema["properties"] ?? {}) as Record<string, Schema>);
  if (properties.length === 0)
    return fc.dictionary(fc.constantFrom("a", "b", "message"), fc.jsonValue({ maxDepth: 1 }));
  return fc.record(
    Object.fromEntries(properties.map(([name, member]) => [name, valid(context, member, name)])),
    {
      requiredKeys: (schema["required"] ?? []) as never[],
    },
  );
}

function createText(context: Context, schema: Schema, name: string): fc.Arbitrary<string> {
  const known = context.names[name];
  if (known !== undefined) return fc.constantFrom(...known);
  if (schema["format"] === "uri")
    return fc.constantFrom("https://service.example/a", "http://127.0.0.1/d/_dx");
  if (schema["format"] === "date") return fc.constantFrom("2026-01-01", "2026-12-31");
  const minLength = Number(schema["minLength"] ?? 0);
  return fc.oneof(
    fc.constantFrom(
      "a",
      "2026-03-04",
      "1,234.5",
      "true",
      "<p>x</p>",
      "# One\n\n- two",
      "https://service.example/a.png",
    ),
    fc.string({ minLength, maxLength: Math.max(minLength, 30) }),
  );
}

/** A valid value with one part replaced or left out. */
function spoiled(context: Context, schema: Schema): fc.Arbitrary<unknown> {
  return fc
    .tuple(valid(context, schema, ""), fc.nat(20), fc.option(hostileValue))
    .map(([value, at, replacement]) => {
      const places = placesIn(value);
      const place = places[at % Math.max(1, places.length)];
      if (place === undefined) return replacement;
      if (replacement === null && !Array.isArray(place.parent)) delete place.parent[place.key];
      else place.parent[place.key] = replacement;
      return value;
    });
}

function placesIn(value: unknown): { parent: Record<string, unknown>; key: string }[] {
  if (typeof value !== "object" || value === null) return [];
  const parent = value as Record<string, unknown>;
  return Object.entries(parent).flatMap(([key, member]) => [{ parent, key }, ...placesIn(member)]);
}

function asText(value: unknown): string {
  return Array.isArray(value) ? value.map(String).join(",") : String(value);
}
