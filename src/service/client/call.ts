import type { Envelope } from "../contract/models/model.ts";
import type { AcceptedEdit, Doc } from "../contract/models/responses.ts";
import { OPERATIONS, type Operation, type OperationId } from "../contract/operations.ts";
import type { Call, QueryValue, ReadSettings } from "./call-types.ts";
import { ServiceError, toServiceError, UnexpectedResponseError } from "./errors.ts";
import { createConnectionError } from "./retry-policy.ts";
import type { Attempt, Transport, Wait } from "./transport.ts";
import { waitFor } from "./wait-for.ts";

/** A request to the service and the response, without credentials. */
export interface Exchange {
  event: "response";
  operation: OperationId;
  method: Operation["method"];
  url: string;
  status: number;
  body: unknown;
  requestId: string | undefined;
}

/** An event for the observer of a client: an attempt, a wait or the response of a call. */
export type Observation = Attempt | Wait | Exchange;

/** The options of any operation. */
interface LooseOptions extends ReadSettings {
  path?: Readonly<Record<string, string>> | undefined;
  query?: Readonly<Record<string, QueryValue>> | undefined;
  body?: unknown;
}

export interface CallContext {
  baseUrl: string;
  transport: Transport;
  consistencyHeader: string;
  observe: ((event: Observation) => void) | undefined;
}

export function createCall({ baseUrl, transport, consistencyHeader, observe }: CallContext): Call {
  const root = baseUrl.replace(/\/+$/, "");
  const latestEdits = new Map<string | undefined, string>();
  let wrote = false;
  const call = async (id: OperationId, options: LooseOptions = {}) => {
    const { path = {}, query = {}, body, fresh, cacheTtlSecs, signal, deadlineMs } = options;
    const operation: Operation = OPERATIONS[id];
    const isRead = operation.method === "GET";
    const { docId } = path;
    const url = root + fillPath(operation.path, path) + queryString(query);
    if (!isRead) wrote = true;
    const pending = latestEdits.get(docId);
    if (fresh === "wait" && pending !== undefined) {
      await waitFor(call as Call, transport.timer, pending, {
        onPending: "throw",
        timeoutMs: deadlineMs,
        signal,
      });
      if (latestEdits.get(docId) === pending) latestEdits.delete(docId);
    }
    const response = await transport
      .send({
        operation: id,
        method: operation.method,
        url,
        headers: fresh === "latest" ? { [consistencyHeader]: "latest" } : undefined,
        body: body === undefined ? undefined : formatText(body),
        cacheTtlSecs: isRead ? (cacheTtlSecs ?? (wrote || fresh ? 0 : undefined)) : undefined,
        group: operation.group,
        repeatable: isRepeatable(operation, body),
        deadlineMs,
        signal,
        observe,
      })
      .catch((error: unknown) => {
        // An error that the platform has to see, as a Pack's own 401, keeps its class; a cancelled
        // call, its reason.
        const known =
          error instanceof ServiceError ||
          signal?.aborted ||
          (error as Error)?.name === "StatusCodeError";
        throw known ? error : createConnectionError(id, error, "unknown");
      });
    const { status, requestId } = response;
    observe?.({
      event: "response",
      operation: id,
      method: operation.method,
      url,
      status,
      body: response.body,
      requestId,
    });
    if (status < 200 || status >= 300) throw toServiceError(id, response);
    if (typeof response.body !== "object" || response.body === null) {
      throw new UnexpectedResponseError(
        "The response is not a JSON object. Check that baseUrl is the root of the service.",
        {
          operation: id,
          status,
          requestId,
        },
      );
    }
    if (operation.async === "requestId" && docId !== undefined)
      latestEdits.set(docId, (response.body as AcceptedEdit).requestId);
    return normalizeAnswer(id, response.body);
  };
  return call as Call;
}

const texts = new WeakMap<object, string>();

/** Gives a body the text that is sent for it, when its maker has written that already. */
export function withText<Body extends object>(body: Body, text: string): Body {
  texts.set(body, text);
  return body;
}

function formatText(body: unknown): string {
  return texts.get(body as object) ?? JSON.stringify(body);
}

// A write by name is not repeatable even where it is idempotent by id: once the first row of a name
// is gone, the name means another.
function isRepeatable({ replay }: Operation, body: unknown): boolean {
  const { keyColumns } = (body ?? {}) as { keyColumns?: unknown };
  return (
    replay === "safe" || (replay === "keyed" && Array.isArray(keyColumns) && keyColumns.length > 0)
  );
}

/** Puts path parameters, encoded, into the path of an operation. */
export function fillPath(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    // "." and ".." would change the path itself, even when they are encoded.
    if (typeof value !== "string" || /^\.{0,2}$/.test(value))
      throw new TypeError(`${name} must be an ID or a name.`);
    return encodeURIComponent(value);
  });
}

/** The query of a URL with its question mark, or nothing. */
export function queryString(query: Readonly<Record<string, QueryValue>>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined
      ? []
      : [
          `${name}=${encodeURIComponent(typeof value === "object" ? value.join(",") : String(value))}`,
        ],
  );
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}

/**
 * Brings the two forms of a published document's categories, texts and objects with a name, into
 * one.
 */
export function normalizeAnswer(operation: OperationId, body: object): object {
  if (operation === "listDocs") (body as Envelope<Doc>).items.forEach(normaliseDoc);
  if (operation === "getDoc" || operation === "createDoc") normaliseDoc(body as Doc);
  return body;
}

function normaliseDoc({ published }: Doc): void {
  const categories: readonly (string | { name: string })[] | undefined = published?.categories;
  if (published && categories)
    published.categories = categories.map((each) => (typeof each === "string" ? each : each.name));
}
