import { isRecord, listOf, type Members } from "../../shared/values.ts";
import { entriesOf, follow, own, textOf } from "./description.ts";

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
    servers: serversOf(description),
    paths: mapped(description["paths"], (item) => pathItemOf(description, item)),
    components: { securitySchemes: mapped(description["securityDefinitions"], schemeOf) },
  };
}

function serversOf({ host, basePath, schemes }: Members): Members[] {
  const path = textOf(basePath) ?? "";
  const names = listOf(schemes).filter((scheme) => scheme === "https" || scheme === "http");
  // A description without schemes leaves the choice to the reader. A Pack uses https.
  return textOf(host) === undefined
    ? [{ url: path }]
    : (names.length > 0 ? names : ["https"]).map((name) => ({ url: `${name}://${host}${path}` }));
}

function pathItemOf(description: Members, item: unknown): unknown {
  const { value } = follow(description, item);
  if (!isRecord(value)) return value;
  const common = listOf(value["parameters"]);
  const operations = mapped(value, (operation) =>
    isRecord(operation) ? operationOf(description, operation, common) : operation,
  );
  return { ...operations, parameters: undefined };
}

function operationOf(
  description: Members,
  operation: Members,
  common: readonly unknown[],
): Members {
  // A parameter of the operation replaces one of its path with the same place and name.
  const parameters = new Map(
    [...common, ...listOf(operation["parameters"])].map((from) => {
      const { value } = follow(description, from);
      return [`${String(own(value, "in"))} ${String(own(value, "name"))}`, value] as const;
    }),
  );
  const at = (place: string): unknown[] =>
    [...parameters.values()].filter((parameter) => own(parameter, "in") === place);
  const consumes = typesOf(operation["consumes"] ?? description["consumes"]);
  const produces = typesOf(operation["produces"] ?? description["produces"]);
  const [body, fields] = [at("body")[0], at("formData")];
  return {
    ...operation,
    parameters: [...parameters.values()]
      .filter((parameter) => parameter !== body && !fields.includes(parameter))
      .map(parameterOf),
    requestBody:
      body !== undefined
        ? bodyOf(body, consumes)
        : fields.length > 0
          ? formOf(fields, consumes)
          : undefined,
    responses: mapped(operation["responses"], (from) => {
      const { value } = follow(description, from);
      const schema = own(value, "schema");
      if (schema === undefined) return value;
      const types =
        own(schema, "type") === "file" && produces.every(isJsonType)
          ? ["application/octet-stream"]
          : produces;
      return { ...(value as Members), content: contentOf(types, schemaOf(schema)) };
    }),
  };
}

/** In Swagger 2.0, the members of a parameter are those of its schema. */
function parameterOf(parameter: unknown): unknown {
  if (!isRecord(parameter)) return parameter;
  const { name, in: place, required, description, collectionFormat, ...schema } = parameter;
  return {
    name,
    in: place,
    required,
    description,
    schema: schemaOf(schema),
    ...(schema["type"] === "array" ? styleOf(collectionFormat) : {}),
  };
}

/** How a list is written in a query: joined with commas unless the description says otherwise. */
function styleOf(collectionFormat: unknown): Members {
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

function bodyOf(parameter: unknown, consumes: readonly string[]): Members {
  return {
    required: own(parameter, "required"),
    description: own(parameter, "description"),
    content: contentOf(consumes, own(parameter, "schema")),
  };
}

function formOf(fields: readonly unknown[], consumes: readonly string[]): Members {
  const hasFile = fields.some((field) => own(field, "type") === "file");
  const isForm =
    !hasFile && !(consumes.length > 0 && consumes.every((type) => /^multipart\//i.test(type)));
  const required = fields
    .filter((field) => own(field, "required") === true)
    .map((field) => own(field, "name"));
  const properties = fields
    .filter(isRecord)
    .map(({ name, in: _place, required: _required, collectionFormat: _format, ...schema }) => [
      String(name),
      schemaOf(schema),
    ]);
  const schema = { type: "object", required, properties: Object.fromEntries(properties) };
  return {
    required: required.length > 0,
    content: contentOf(
      [isForm ? "application/x-www-form-urlencoded" : "multipart/form-data"],
      schema,
    ),
  };
}

function schemaOf(schema: unknown): unknown {
  return own(schema, "type") === "file" ? { type: "string", format: "binary" } : schema;
}

function contentOf(types: readonly string[], schema: unknown): Members {
  return Object.fromEntries(types.map((type) => [type, { schema }]));
}

/** The media types of a body. Most descriptions that name none mean JSON. */
function typesOf(value: unknown): string[] {
  const types = listOf(value).filter((type): type is string => typeof type === "string");
  return types.length > 0 ? types : ["application/json"];
}

function isJsonType(type: string): boolean {
  return /json/i.test(type);
}

function schemeOf(scheme: unknown): unknown {
  switch (own(scheme, "type")) {
    case "basic":
      return { type: "http", scheme: "basic" };
    case "oauth2":
      return {
        type: "oauth2",
        flows: { [FLOWS[String(own(scheme, "flow"))] ?? "implicit"]: scheme },
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

function mapped(value: unknown, change: (member: unknown) => unknown): Members {
  return Object.fromEntries(entriesOf(value).map(([name, member]) => [name, change(member)]));
}
