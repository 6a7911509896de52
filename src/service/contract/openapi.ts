import * as z from "zod";
import { MODELS } from "./models/model.ts";
import { errorBody } from "./models/responses.ts";
import { OPERATION_MODELS, type OperationModel } from "./operation-models.ts";
import { OPERATIONS, type Operation } from "./operations.ts";
import { REGISTRY_MODELS } from "./registry/registry-operation-models.ts";
import { REGISTRY_OPERATIONS } from "./registry/registry-operations.ts";

/** A part of a description: JSON, and nothing else. */
export type Json = null | boolean | number | string | Json[] | { [member: string]: Json };
type JsonObject = { [member: string]: Json };

export interface OpenApiOptions {
  /** Version of the program that serves the interface. @default "1.0.0" */
  version?: string | undefined;
  /** The API root. @default "/apis/v1" */
  serverUrl?: string | undefined;
}

const SCHEMAS = "#/components/schemas/";
// As input, because what is not described is passed over.
const OPTIONS = {
  io: "input",
  override: ({ jsonSchema }: { jsonSchema: object }) => simplify(jsonSchema),
} as const;
const TEXTS: Readonly<Record<number, string>> = {
  400: "The request is invalid",
  401: "The token is missing, unknown or expired",
  403: "The token or the user does not have permission",
  404: "The resource does not exist, or the caller cannot see it",
  410: "The resource was deleted",
  422: "The automation cannot run",
  429: "The rate limit for this group of operations was reached",
};

/** The groups of operations: documents, and the registry of Packs. */
const GROUPS = {
  documents: { operations: OPERATIONS, models: OPERATION_MODELS },
  registry: { operations: REGISTRY_OPERATIONS, models: REGISTRY_MODELS },
} as const;

/**
 * Describes the interface in OpenAPI 3.1, out of the operations and their models. The same input
 * gives the same description.
 */
export function openApiDescription({
  version = "1.0.0",
  serverUrl = "/apis/v1",
}: OpenApiOptions = {}): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const [name, { operations, models }] of Object.entries(GROUPS)) {
    for (const [id, operation] of Object.entries(operations) as [string, Operation][]) {
      paths[operation.path] ??= {};
      const model = (models as Readonly<Record<string, OperationModel>>)[id];
      if (model === undefined) throw new TypeError(`The operation ${id} has no model.`);
      const described = { ...operationObject(id, operation, model), "x-group": name };
      (paths[operation.path] as JsonObject)[operation.method.toLowerCase()] = described;
    }
  }
  const { schemas } = z.toJSONSchema(MODELS, { uri: (id) => SCHEMAS + id, ...OPTIONS });
  return {
    openapi: "3.1.1",
    info: {
      title: "Document service",
      version,
      summary: "Documents with pages, tables, views, formulas and controls.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: serverUrl }],
    security: [{ token: [] }],
    tags: [...new Set(Object.keys(paths).map(getTag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
      responses: Object.fromEntries(
        Object.entries(TEXTS).map(([status, description]) => [
          `Error${status}`,
          { description, content: json(refTo(errorBody)) },
        ]),
      ),
      schemas: Object.fromEntries(
        Object.entries(schemas).map(([name, schema]) => [name, toPlainSchema(schema)]),
      ),
    },
  };
}

function operationObject(
  id: string,
  { path, status, group, replay, async }: Operation,
  { summary, errors, query, body, bodyRequired = false, response }: OperationModel,
): JsonObject {
  const parameters = [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(
      ([, name = ""]): Json => ({
        name,
        in: "path",
        required: true,
        schema: { type: "string", minLength: 1 },
        ...(name.endsWith("IdOrName")
          ? { description: "An ID or a name. Prefer the ID, because a name can change." }
          : {}),
      }),
    ),
    ...Object.entries((query?.shape ?? {}) as Readonly<Record<string, z.ZodType>>).map(
      ([name, model]) => queryParameter(name, model),
    ),
  ];
  const refusals = [...errors, 400, 401, 429].sort((one, other) => one - other);
  return {
    operationId: id,
    summary,
    tags: [getTag(path)],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : { requestBody: { required: bodyRequired, content: json(refTo(body)) } }),
    responses: {
      [status]: {
        description: status === 202 ? "Accepted" : "Done",
        content: json(refTo(response)),
      },
      ...Object.fromEntries(
        refusals.map((refusal) => [refusal, { $ref: `#/components/responses/Error${refusal}` }]),
      ),
    },
    "x-rate-limit-group": group,
    "x-replay": replay,
    "x-async": async,
  };
}

function queryParameter(name: string, model: z.ZodType): JsonObject {
  const { description, ...schema } = toPlainSchema(z.toJSONSchema(model, OPTIONS));
  return {
    name,
    in: "query",
    required: !model.safeParse(undefined).success,
    ...(description === undefined ? {} : { description }),
    // Lists are separated by commas.
    ...(schema["type"] === "array" ? { style: "form", explode: false } : {}),
    schema,
  };
}

function json(schema: Json): JsonObject {
  return { "application/json": { schema } };
}

function refTo(model: z.ZodType): JsonObject {
  const id = MODELS.get(model)?.id;
  if (id === undefined) throw new TypeError("A model of a body has no name.");
  return { $ref: SCHEMAS + id };
}

/** A format says the same as its long pattern, and the limits of safe integers say nothing. */
function simplify(schema: {
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
}): void {
  if (schema.format !== undefined) delete schema.pattern;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
}

/** Without the members that belong to the root of a file. */
function toPlainSchema(schema: object): JsonObject {
  const { $schema: _schema, $id: _id, ...rest } = JSON.parse(JSON.stringify(schema)) as JsonObject;
  return rest;
}

function getTag(path: string): string {
  const [, root = "", , part] = path.split("/");
  return root === "docs" && part !== undefined ? part : root;
}
