import * as z from "zod";
import { toDotPath } from "zod/v4/core";

const schema: z.ZodType = z.lazy(() =>
  z.union([
    z.strictObject({ $ref: z.string() }),
    z.strictObject({
      type: z.union([z.string(), z.array(z.string())]).optional(),
      format: z.string().optional(),
      pattern: z.string().optional(),
      const: z.unknown().optional(),
      enum: z.array(z.unknown()).min(1).optional(),
      properties: z.record(z.string(), schema).optional(),
      required: z.array(z.string()).optional(),
      additionalProperties: z.union([z.boolean(), schema]).optional(),
      propertyNames: schema.optional(),
      items: schema.optional(),
      minItems: z.number().optional(),
      maxItems: z.number().optional(),
      anyOf: z.array(schema).min(1).optional(),
      oneOf: z.array(schema).min(1).optional(),
      minimum: z.number().optional(),
      maximum: z.number().optional(),
      deprecated: z.boolean().optional(),
      minLength: z.number().optional(),
      maxLength: z.number().optional(),
      description: z.string().optional(),
    }),
  ]),
);
const content = z.strictObject({ "application/json": z.strictObject({ schema }) });
const response = z.strictObject({ description: z.string().min(1), content: content.optional() });
const parameter = z.strictObject({
  name: z.string().min(1),
  in: z.enum(["path", "query"]),
  required: z.boolean(),
  description: z.string().optional(),
  style: z.literal("form").optional(),
  explode: z.literal(false).optional(),
  schema,
});
const operation = z.strictObject({
  operationId: z.string().regex(/^[a-z]\w+$/),
  summary: z.string().min(10),
  tags: z.array(z.string()).length(1),
  parameters: z.array(parameter).min(1).optional(),
  requestBody: z.strictObject({ required: z.boolean(), content }).optional(),
  responses: z.record(
    z.string().regex(/^[2-5]\d\d$/),
    z.union([z.strictObject({ $ref: z.string() }), response]),
  ),
  "x-rate-limit-group": z.string(),
  "x-replay": z.string(),
  "x-async": z.string(),
  "x-group": z.enum(["documents", "registry"]),
});
const description = z.strictObject({
  openapi: z.string().regex(/^3\.1\.\d+$/),
  info: z.strictObject({
    title: z.string(),
    version: z.string(),
    summary: z.string(),
    license: z.strictObject({ name: z.string(), identifier: z.string() }),
  }),
  servers: z.array(z.strictObject({ url: z.string() })).min(1),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  tags: z.array(z.strictObject({ name: z.string() })),
  paths: z.record(
    z.string().startsWith("/"),
    z.strictObject({
      get: operation.optional(),
      put: operation.optional(),
      post: operation.optional(),
      delete: operation.optional(),
      patch: operation.optional(),
    }),
  ),
  components: z.strictObject({
    securitySchemes: z.record(
      z.string(),
      z.strictObject({ type: z.literal("http"), scheme: z.literal("bearer") }),
    ),
    responses: z.record(z.string().regex(/^[\w.-]+$/), response),
    schemas: z.record(z.string().regex(/^[\w.-]+$/), schema),
  }),
});

/**
 * The structural rules of OpenAPI 3.1 for what our description uses: unknown members and dangling
 * references are problems.
 */
export function lintOpenApi(document: unknown): string[] {
  const parsed = description.safeParse(document);
  if (!parsed.success)
    return parsed.error.issues.map(({ path, message }) => `${toDotPath(path)}: ${message}`);
  const problems: string[] = [];
  const { paths, components, tags, security } = parsed.data;
  const seen = new Set<string>();
  const used = new Set(references(document));
  for (const reference of used)
    if (resolve(document, reference) === undefined) problems.push(`${reference} leads nowhere`);
  for (const name of Object.keys(components.schemas))
    if (!used.has(`#/components/schemas/${name}`)) problems.push(`schema ${name} is not used`);
  for (const scheme of security.flatMap(Object.keys))
    if (!(scheme in components.securitySchemes))
      problems.push(`security ${scheme} is not declared`);
  for (const [path, item] of Object.entries(paths)) {
    const templated = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const methods = Object.entries(item).flatMap(([method, each]) =>
      each === undefined ? [] : [[method, each] as const],
    );
    for (const [
      method,
      { operationId, parameters = [], requestBody, responses, tags: own },
    ] of methods) {
      const at = `${method} ${path}`;
      if (seen.has(operationId)) problems.push(`${at}: ${operationId} is not unique`);
      seen.add(operationId);
      const names = parameters.map((each) => `${each.in} ${each.name}`);
      if (new Set(names).size !== names.length) problems.push(`${at}: a parameter twice`);
      const declared = parameters.filter((each) => each.in === "path");
      if (declared.map(({ name }) => name).join() !== templated.join())
        problems.push(`${at}: path parameters differ from the path`);
      if (declared.some(({ required }) => !required))
        problems.push(`${at}: a path parameter is not required`);
      if (method === "get" && requestBody !== undefined) problems.push(`${at}: a body`);
      if (!Object.keys(responses).some((status) => status.startsWith("2")))
        problems.push(`${at}: no success`);
      for (const tag of own)
        if (!tags.some(({ name }) => name === tag))
          problems.push(`${at}: tag ${tag} is not declared`);
    }
  }
  const shapes = Object.keys(paths).map((path) => path.replace(/\{\w+\}/g, "{}"));
  if (new Set(shapes).size !== shapes.length)
    problems.push("two paths are the same but for the names of their parameters");
  return problems;
}

function references(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  const { $ref } = value as { $ref?: unknown };
  return [...(typeof $ref === "string" ? [$ref] : []), ...Object.values(value).flatMap(references)];
}

function resolve(document: unknown, reference: string): unknown {
  return reference
    .replace(/^#\//, "")
    .split("/")
    .reduce<unknown>(
      (value, part) => (value as Record<string, unknown> | undefined)?.[part],
      document,
    );
}
