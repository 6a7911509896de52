import { isRecord, type Members, toList } from "../../shared/values.ts";
import { findText, follow, listEntries, listTexts, readOwn } from "./description.ts";

/**
 * Converts a Swagger 2.0 description to the parts of OpenAPI 3.0 that a Pack is generated from:
 * servers, requests, responses and
 * authentication. Schemas stay where they are, so that references to them still lead there. The
 * given description is not changed.
 *
 * @throws {PackError} DESCRIPTION_REFERENCE
 */
export function upgradeSwagger(description: Members): Members {
  return {
    ...description,
    openapi: "3.0.4",
    servers: upgradeServers(description),
    paths: mapMembers(description["paths"], (item) => upgradePathItem(description, item)),
    components: { securitySchemes: mapMembers(description["securityDefinitions"], upgradeScheme) },
  };
}

function upgradeServers({ host, basePath, schemes }: Members): Members[] {
  const path = findText(basePath) ?? "";
  const names = listTexts(schemes).filter((scheme) => scheme === "https" || scheme === "http");
  // A description without schemes leaves the choice to the reader. A Pack uses https.
  return findText(host) === undefined
    ? [{ url: path }]
    : (names.length > 0 ? names : ["https"]).map((name) => ({ url: `${name}://${host}${path}` }));
}

function upgradePathItem(description: Members, item: unknown): unknown {
  const { value } = follow(description, item);
  if (!isRecord(value)) return value;
  const common = toList(value["parameters"]);
  const operations = mapMembers(value, (operation) =>
    isRecord(operation) ? upgradeOperation(description, operation, common) : operation,
  );
  return { ...operations, parameters: undefined };
}

function upgradeOperation(
  description: Members,
  operation: Members,
  common: readonly unknown[],
): Members {
  // A parameter of the operation replaces one of its path with the same place and name.
  const parameters = new Map(
    [...common, ...toList(operation["parameters"])].map((from) => {
      const { value } = follow(description, from);
      return [`${String(readOwn(value, "in"))} ${String(readOwn(value, "name"))}`, value] as const;
    }),
  );
  const listParameters = (place: string): unknown[] =>
    [...parameters.values()].filter((parameter) => readOwn(parameter, "in") === place);
  const consumes = listTypes(operation["consumes"] ?? description["consumes"]);
  const produces = listTypes(operation["produces"] ?? description["produces"]);
  const [body, fields] = [listParameters("body")[0], listParameters("formData")];
  return {
    ...operation,
    parameters: [...parameters.values()]
      .filter((parameter) => parameter !== body && !fields.includes(parameter))
      .map(upgradeParameter),
    requestBody:
      body !== undefined
        ? upgradeBody(body, consumes)
        : fields.length > 0
          ? upgradeForm(fields, consumes)
          : undefined,
    responses: mapMembers(operation["responses"], (from) => {
      const { value } = follow(description, from);
      const schema = readOwn(value, "schema");
      if (schema === undefined) return value;
      const types =
        readOwn(schema, "type") === "file" && produces.every(isJsonType)
          ? ["application/octet-stream"]
          : produces;
      return { ...(value as Members), content: createContent(types, upgradeSchema(schema)) };
    }),
  };
}

/** In Swagger 2.0, the members of a parameter are those of its schema. */
function upgradeParameter(parameter: unknown): unknown {
  if (!isRecord(parameter)) return parameter;
  const { name, in: place, required, description, collectionFormat, ...schema } = parameter;
  return {
    name,
    in: place,
    required,
    description,
    schema: upgradeSchema(schema),
    ...(schema["type"] === "array" ? upgradeStyle(collectionFormat) : {}),
  };
}

/** How a list is written in a query: joined with commas unless the description says otherwise. */
function upgradeStyle(collectionFormat: unknown): Members {
  switch (collectionFormat) {
    case "multi":
      return { style: "form", explode: true };
    case "ssv":
      return { style: "spaceDelimited", explode: false };
    case "pipes":
      return { style: "pipeDelimited", explode: false };
    case "tsv":
      return { style: "tabDelimited", explode: false };
    default:
      return { style: "form", explode: false };
  }
}

function upgradeBody(parameter: unknown, consumes: readonly string[]): Members {
  return {
    required: readOwn(parameter, "required"),
    description: readOwn(parameter, "description"),
    content: createContent(consumes, readOwn(parameter, "schema")),
  };
}

function upgradeForm(fields: readonly unknown[], consumes: readonly string[]): Members {
  const hasFile = fields.some((field) => readOwn(field, "type") === "file");
  const isForm =
    !hasFile && !(consumes.length > 0 && consumes.every((type) => /^multipart\//i.test(type)));
  const required = fields
    .filter((field) => readOwn(field, "required") === true)
    .map((field) => readOwn(field, "name"));
  const properties = fields
    .filter(isRecord)
    .map(({ name, in: _place, required: _required, collectionFormat: _format, ...schema }) => [
      String(name),
      upgradeSchema(schema),
    ]);
  const schema = { type: "object", required, properties: Object.fromEntries(properties) };
  return {
    required: required.length > 0,
    content: createContent(
      [isForm ? "application/x-www-form-urlencoded" : "multipart/form-data"],
      schema,
    ),
  };
}

function upgradeSchema(schema: unknown): unknown {
  return readOwn(schema, "type") === "file" ? { type: "string", format: "binary" } : schema;
}

function createContent(types: readonly string[], schema: unknown): Members {
  return Object.fromEntries(types.map((type) => [type, { schema }]));
}

/** The media types of a body. Most descriptions that name none mean JSON. */
function listTypes(value: unknown): string[] {
  const types = listTexts(value);
  return types.length > 0 ? types : ["application/json"];
}

function isJsonType(type: string): boolean {
  return /json/i.test(type);
}

function upgradeScheme(scheme: unknown): unknown {
  switch (readOwn(scheme, "type")) {
    case "basic":
      return { type: "http", scheme: "basic" };
    case "oauth2":
      return {
        type: "oauth2",
        flows: { [FLOWS[String(readOwn(scheme, "flow"))] ?? "implicit"]: scheme },
      };
    default:
      return scheme;
  }
}

const FLOWS: Readonly<Record<string, string>> = {
  accessCode: "authorizationCode",
  application: "clientCredentials",
  password: "password",
};

function mapMembers(value: unknown, change: (member: unknown) => unknown): Members {
  return Object.fromEntries(listEntries(value).map(([name, member]) => [name, change(member)]));
}
