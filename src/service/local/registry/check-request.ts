import type * as z from "zod";
import { toDotPath } from "zod/v4/core";
import type { OperationModel } from "../../contract/operation-models.ts";
import type { FindingAt } from "../../contract/registry/registry-models.ts";
import { REGISTRY_MODELS } from "../../contract/registry/registry-operation-models.ts";
import type { RegistryOperationId } from "../../contract/registry/registry-operations.ts";
import { HttpError } from "../api/http-error.ts";
import type { ServiceCall } from "../api/service-call.ts";

/** Operations whose refusals do not list what is wrong. */
const WITHOUT_DETAIL: readonly string[] = [
  "listPacks",
  "createPack",
  "getPack",
  "updatePack",
  "deletePack",
  "registerPackVersion",
  "listPackReviews",
  "cancelPackReview",
] satisfies RegistryOperationId[];

/** An operation that no status is declared for which would say that a request is wrong. */
const UNCHECKED = "deletePackListingDraft" satisfies RegistryOperationId;
const MAX_PROBLEMS = 5;

/** The checked body of an operation. */
export type BodyOf<Id extends RegistryOperationId> = (typeof REGISTRY_MODELS)[Id] extends {
  body: infer Body extends z.ZodType;
}
  ? z.output<Body>
  : undefined;

export function isRegistryOperation(id: string): id is RegistryOperationId {
  return Object.hasOwn(REGISTRY_MODELS, id);
}

/**
 * Refuses what the description of an operation does not list. What the real registry does with an
 * unknown member is not known, so a rehearsal takes none.
 * @returns the body
 * @throws {HttpError} 400
 */
export function checkRegistryRequest(
  id: RegistryOperationId,
  query: URLSearchParams,
  body: unknown,
): unknown {
  if (id === UNCHECKED) return undefined;
  const model: OperationModel = REGISTRY_MODELS[id];
  const parsed = checkBody(model, body);
  const problems = [...checkQuery(model, query), ...parsed.problems].slice(0, MAX_PROBLEMS);
  if (problems.length === 0) return parsed.body;
  const text = problems.map(({ path, message }) => `${path}: ${message}`).join("; ");
  const message = `The request is invalid. ${text}`.slice(0, 1_000);
  const detail = { codaDetail: { validationErrors: problems } };
  throw new HttpError(400, message, WITHOUT_DETAIL.includes(id) ? {} : detail);
}

/** The body of a call, which was checked when the request arrived. */
export function getBody<Id extends RegistryOperationId>({ body }: ServiceCall): BodyOf<Id> {
  return body as BodyOf<Id>;
}

function checkQuery({ query: model }: OperationModel, query: URLSearchParams): FindingAt[] {
  const shape = (model?.shape ?? {}) as Readonly<Record<string, z.ZodType>>;
  return [...new Set(query.keys())].flatMap((name) => {
    const path = name.slice(0, 100);
    const schema = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (schema === undefined) return [{ path, message: "There is no such query parameter." }];
    const [text = "", ...others] = query.getAll(name);
    if (others.length > 0) return [{ path, message: "The parameter occurs more than once." }];
    // All other parameters are part of the page token.
    const isIgnored = query.has("pageToken") && name !== "pageToken";
    if (isIgnored || readings(text).some((value) => schema.safeParse(value).success)) return [];
    return [{ path, message: "The registry API does not allow this value for the parameter." }];
  });
}

/** What a text of a query may stand for. */
function readings(text: string): unknown[] {
  const number = /^\d{1,15}$/.test(text) ? [Number(text)] : [];
  const flag = text === "true" || text === "false" ? [text === "true"] : [];
  return [text, ...number, ...flag, text.split(",")];
}

function checkBody(
  { body: schema }: OperationModel,
  body: unknown,
): { body?: unknown; problems: FindingAt[] } {
  if (schema === undefined)
    return {
      problems:
        body === undefined
          ? []
          : [{ path: "body", message: "The operation does not accept a body." }],
    };
  const parsed = schema.safeParse(body);
  if (parsed.success) return { body: parsed.data, problems: [] };
  return {
    problems: parsed.error.issues.map(({ path, message }) => ({
      path: toDotPath(path) || "body",
      message,
    })),
  };
}
