import type { PackVersionDefinition } from "../../define/pack.ts";
import type { ApiRequest, LocalApi } from "../../provider/options.ts";
import { parseJson } from "../../shared/json.ts";
import { isRecord } from "../../shared/values.ts";
import type { SourceFile } from "../../validate/issue.ts";
import { readSourceRequests, type SourceRequest } from "../../validate/source-requests.ts";
import type { BodyShape } from "../../validate/source-types.ts";
import {
  collectProperties,
  createSample,
  type SampleFacts,
  shapeOfSchema,
  singular,
} from "./sample-value.ts";

/**
 * The API of a Pack, generated from what the Pack says about it: the types of the bodies that its
 * requests declare, and its schemas. Answers are invented, and the same in every run; what a
 * request writes comes back in its answer and is not kept.
 */
export function createLocalApi(latest: () => PackText, origin: string): Pick<LocalApi, "answer"> {
  let read: ReadPack | undefined;
  return {
    answer(request, caller) {
      const { definition, sources } = latest();
      if (read?.sources !== sources) read = readPack(definition, sources);
      const facts: SampleFacts = { caller, properties: read.properties, origin };
      const found = findRequest(read.requests, request);
      if (request.method === "DELETE" && found?.shape === undefined)
        return { status: 204, body: undefined };
      const shape =
        found?.shape ?? shapeOfOwner(definition, found) ?? shapeOfPath(definition, request.path);
      const body = createSample(shape, facts);
      return { status: 200, body: withSent(withPathId(body, request, found), request) };
    },
  };
}

interface PackText {
  definition: PackVersionDefinition;
  sources: readonly SourceFile[];
}

interface ReadPack {
  sources: readonly SourceFile[];
  requests: readonly KnownRequest[];
  properties: SampleFacts["properties"];
}

interface KnownRequest {
  request: SourceRequest;
  /** Its path, where each unknown part is one segment. */
  pattern: RegExp;
  /** Its path, where an unknown part may have a slash, as in `owner/name`. */
  loosePattern: RegExp;
}

function readPack(definition: PackVersionDefinition, sources: readonly SourceFile[]): ReadPack {
  const requests = readSourceRequests(sources)
    .map((request) => ({
      request,
      pattern: createPattern(request.path, "[^/]*"),
      loosePattern: createPattern(request.path, ".*"),
    }))
    // The path with fewer unknown parts goes first.
    .sort((a, b) => countUnknown(a.request) - countUnknown(b.request));
  return { sources, requests, properties: collectProperties(definition) };
}

function findRequest(
  requests: ReadPack["requests"],
  { method, path }: ApiRequest,
): SourceRequest | undefined {
  const sent = requests.filter(({ request }) => (request.method ?? method) === method);
  const exact = sent.filter(({ pattern }) => pattern.test(path));
  const isTyped = ({ request }: KnownRequest) => request.shape !== undefined;
  const found =
    exact.find(isTyped) ??
    exact[0] ??
    sent.find((each) => isTyped(each) && each.loosePattern.test(path));
  return found?.request;
}

/** @param unknown what stands for a part of the path that only a run knows */
function createPattern(path: string, unknown: string): RegExp {
  const text = path
    .replace(/[.+?^${}()|[\]\\]/g, "\\$&")
    .replace(/^\*/, ".*")
    .replace(/(?!^)(?<!\.)\*/g, unknown);
  return new RegExp(`^${text}/?$`);
}

function countUnknown({ path }: SourceRequest): number {
  return path.split("*").length + (path.startsWith("*") ? 100 : 0);
}

/** Without a declared type: what the formula or table returns, with the members that it reads. */
function shapeOfOwner(
  { formulas, syncTables }: PackVersionDefinition,
  request: SourceRequest | undefined,
): BodyShape | undefined {
  if (request?.owner === undefined) return undefined;
  const table = syncTables.find(
    ({ name, getter }) => name === request.owner || getter?.name === request.owner,
  );
  const formula = formulas.find(({ name }) => name === request.owner);
  const own: BodyShape | undefined =
    table !== undefined
      ? { kind: "list", item: shapeOfSchema(table.schema) }
      : formula?.schema && shapeOfSchema(formula.schema);
  const item = own?.kind === "list" ? own.item : own;
  const known = item?.kind === "object" ? item.members.map(({ name }) => name) : [];
  const more = [...request.members].filter(([name]) => !known.includes(name));
  if (more.length === 0) return own;
  return {
    kind: "object",
    members: [
      ...(own?.kind === "object" ? own.members : []),
      ...more.map(([name, kind]) => ({
        name,
        shape:
          kind === "list"
            ? ({ kind: "list", item: item ?? { kind: "unknown" } } as const)
            : own?.kind === "list" && more.length === 1
              ? own
              : ({ kind: "unknown" } as const),
        isOptional: true,
      })),
    ],
  };
}

/** For a request that the sources do not show: the schema whose name is in the path. */
function shapeOfPath(definition: PackVersionDefinition, path: string): BodyShape {
  const segments = path
    .toLowerCase()
    .split("/")
    .filter((segment) => segment !== "");
  const named = [
    ...definition.syncTables.map(({ name, identityName, schema }) => ({
      names: [name, String(identityName ?? "")],
      schema: schema as unknown,
    })),
    ...definition.formulas.map(({ name, schema }) => ({
      names: [name],
      schema: schema as unknown,
    })),
  ];
  const found = named.find(({ names }) =>
    names.some((name) =>
      segments.some(
        (segment) => segment !== "" && singular(segment) === singular(name.toLowerCase()),
      ),
    ),
  );
  const shape = found === undefined ? USER_SHAPE : shapeOfSchema(found.schema);
  const item = shape.kind === "list" ? shape.item : shape;
  const isList = found !== undefined && /s$/.test(segments.at(-1) ?? "");
  return isList ? { kind: "list", item } : item;
}

/** What an API says about the user of an account. */
const USER_SHAPE: BodyShape = {
  kind: "object",
  members: ["id", "name", "email"].map((name) => ({
    name,
    shape: { kind: "text" },
    isOptional: false,
  })),
};

/** `GET /tasks/t7` answers with the task of this ID. */
function withPathId(
  body: unknown,
  { path }: ApiRequest,
  found: SourceRequest | undefined,
): unknown {
  const last = path.split("/").at(-1) ?? "";
  return isRecord(body) && typeof body["id"] === "string" && found?.path.endsWith("/*") === true
    ? { ...body, id: decode(last) }
    : body;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** What was sent comes back, as if it had been written. */
function withSent(body: unknown, request: ApiRequest): unknown {
  const sent = parseJson(request.body);
  if (!isRecord(body) || !isRecord(sent)) return body;
  const written = Object.entries(sent).filter(([name]) => Object.hasOwn(body, name));
  return { ...body, ...Object.fromEntries(written) };
}
