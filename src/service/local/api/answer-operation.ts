import type { IncomingMessage as Request, ServerResponse as Response } from "node:http";
import { isPackError } from "../../../errors.ts";
import type { AnyOperationId } from "../../contract/registry/registry-operations.ts";
import { answerFault } from "../control/answer-fault.ts";
import type { Fault } from "../control/fault-schema.ts";
import { type Faults, parseFaultHeader, sendFaulty } from "../control/faults.ts";
import { checkRegistryRequest, isRegistryOperation } from "../registry/check-request.ts";
import { REGISTRY_HANDLERS } from "../registry/handlers/registry-handlers.ts";
import type { ServiceState } from "../state.ts";
import { type Caller, identifyCaller } from "./caller.ts";
import { HANDLERS } from "./handlers/handlers.ts";
import { HttpError, sendJson } from "./http-error.ts";
import { type MatchedOperation, matchOperation } from "./match-operation.ts";
import type { RateLimits } from "./rate-limits.ts";
import { isStorable, parseForm, parseJsonBody, parseQuery, readBytes } from "./read-body.ts";
import { isQuiet } from "./request-record.ts";
import { API_PATH, challenge, getOrigin, READ_SCOPE, WRITE_SCOPE } from "./resource-metadata.ts";
import { forbidden } from "./service-call.ts";

const MAX_BODY_BYTES = 2 * 1_024 * 1_024;
/** The metadata of a Pack as a text in JSON. */
const MAX_METADATA_BYTES = 40_000_000;

const ALL_HANDLERS = { ...HANDLERS, ...REGISTRY_HANDLERS };

export interface OperationContext {
  state: ServiceState;
  rateLimits: RateLimits;
  faults: Faults;
}

/**
 * Carries a request out from its token to its answer.
 * @param onOperation receives the id of the operation
 * @returns false when the path is not that of an operation
 */
export async function answerOperation(
  context: OperationContext,
  request: Request,
  response: Response,
  onOperation: (id: AnyOperationId) => void,
): Promise<boolean> {
  const { faults } = context;
  const { url = "", method = "" } = request;
  const at = url.indexOf("?");
  const path = (at === -1 ? url : url.slice(0, at)).slice(API_PATH.length);
  const search = at === -1 ? "" : url.slice(at + 1);
  const matched = matchOperation(method, path);
  if (matched === undefined) return false;
  const { id, operation, params } = matched;
  onOperation(id);
  const canExist = Object.values(params).every(isStorable);
  const cache = context.state.cache.ofRequest(canExist ? params["docId"] : undefined);
  const state = { ...context.state, cache };
  const haveEditsRun = state.edits.watchChanges(params["docId"]);
  // Before the body is read, so that a caller without a token cannot fill the memory.
  const caller = await authenticate({ ...context, state }, request, response, matched);
  // Nothing can have such a name. Analytics of a Pack that does not exist are empty, and never 404.
  if (!canExist) throw new HttpError(id === "listPackFormulaAnalytics" ? 400 : 404);
  const query = parseQuery(search);
  const fault = findFault(faults, request, matched, query);
  if (fault !== undefined && (await answerFault(fault, request, response))) return true;
  const sent = operation.method === "GET" ? undefined : await readBody(request, response, id);
  const body = isRegistryOperation(id) ? checkRegistryRequest(id, query, sent) : sent;
  await applyDue(state, operation.method, params["docId"]);
  // What the token was looked up with may be old by now. A body may have been on its way for long.
  if (operation.method !== "GET" || haveEditsRun()) cache.refresh();
  await requireConsistency(state, request, params["docId"]);
  const notes = new Map<string, string>();
  const { dialect } = state.settings;
  const root = getOrigin(state, request) + API_PATH;
  const result = await ALL_HANDLERS[id]({
    state,
    operation: id,
    caller,
    params,
    query,
    body,
    root,
    path,
    notes,
  });
  for (const [name, value] of notes) response.setHeader(name, value);
  // The public service answers 201 here.
  const status = id === "createDoc" && dialect === "public" ? 201 : operation.status;
  if (fault === undefined) sendJson(response, status, result);
  else sendFaulty(response, status, result, fault);
  return true;
}

/**
 * A request waits for the edits of its own document only. Reads go on while there is no space for
 * what waits.
 */
async function applyDue(
  { edits, purge }: ServiceState,
  method: string,
  docId: string | undefined,
): Promise<void> {
  purge.tick();
  if (docId === undefined) return;
  try {
    await edits.pump({ docId });
  } catch (error) {
    if (method !== "GET" || !isPackError(error, "DATABASE_FULL")) throw error;
  }
}

async function authenticate(
  { state, rateLimits }: OperationContext,
  request: Request,
  response: Response,
  { id, operation: { method, group } }: MatchedOperation,
): Promise<Caller> {
  const caller = await identifyCaller(state, request.headers.authorization).catch(
    (error: unknown) => {
      if (error instanceof HttpError && error.status === 401) challenge(state, request, response);
      throw error;
    },
  );
  const waitMs = isQuiet(request.headers) ? 0 : await rateLimits.computeWait(caller.userId, group);
  if (waitMs > 0) {
    if (rateLimits.options?.retryAfter === true)
      response.setHeader("Retry-After", String(Math.ceil(waitMs / 1_000)));
    throw new HttpError(429);
  }
  if (id !== "whoami" && !(method === "GET" ? caller.canRead : caller.canWrite)) {
    const missingScope = method === "GET" ? READ_SCOPE : WRITE_SCOPE;
    if (caller.ofServer === true) challenge(state, request, response, missingScope);
    throw forbidden();
  }
  return caller;
}

function findFault(
  faults: Faults,
  { headers }: Request,
  { id, params }: MatchedOperation,
  query: URLSearchParams,
): Fault | undefined {
  const header = headers["x-emulator-fault"];
  const asked = typeof header === "string" ? parseFaultHeader(header) : undefined;
  if (asked !== undefined || faults.list().length === 0 || isQuiet(headers)) return asked;
  return faults.take({
    operation: id,
    docId: params["docId"],
    limit: Number(query.get("limit") ?? 0),
  });
}

// Any pending edit of the document counts. Writes, and paths without a document, ignore the header.
async function requireConsistency(
  state: ServiceState,
  request: Request,
  docId: string | undefined,
): Promise<void> {
  const version = readDocVersion(request);
  if (request.method !== "GET" || version === undefined || version === "" || docId === undefined)
    return;
  if (version !== "latest" || (await state.edits.hasPending(docId)))
    throw new HttpError(400, "Doc is not yet up to date.");
}

function readDocVersion({ headers }: Request): string | string[] | undefined {
  return headers["x-service-doc-version"] ?? headers["x-coda-doc-version"];
}

/** A body without a content type is read as JSON. */
async function readBody(
  request: Request,
  response: Response,
  operation: AnyOperationId,
): Promise<unknown> {
  const bytes = await readBytes(
    request,
    response,
    operation === "getNextPackVersion" ? MAX_METADATA_BYTES : MAX_BODY_BYTES,
  );
  const isForm =
    request.headers["content-type"]
      ?.toLowerCase()
      .startsWith("application/x-www-form-urlencoded") === true;
  if (operation === "triggerWebhookAutomation" && isForm) return parseForm(bytes);
  return await parseJsonBody(bytes);
}
