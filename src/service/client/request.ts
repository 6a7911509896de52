import { OPERATIONS, type Operation, type OperationId } from "../contract/operations.ts";
import { ConnectionError, errorOf, ServiceError, UnexpectedResponseError } from "./errors.ts";
import type { Transport } from "./transport.ts";

export type QueryValue = string | number | boolean | readonly (string | number)[] | undefined;

export interface CallOptions {
  /** Values of the path parameters, not encoded. */
  path?: Readonly<Record<string, string>> | undefined;
  query?: Readonly<Record<string, QueryValue>> | undefined;
  /** Sent as JSON. */
  body?: unknown;
  /** How long a cached response may be used, in seconds. After a write of this client: 0. */
  cacheTtlSecs?: number | undefined;
}

/** Sends the request of an operation and gives its body. @throws {ServiceError} for every other status than success */
export type Call = <Body>(operation: OperationId, options?: CallOptions) => Promise<Body>;

export function createCall(baseUrl: string, transport: Transport): Call {
  const root = baseUrl.replace(/\/+$/, "");
  let wrote = false;
  return async <Body>(id: OperationId, { path = {}, query = {}, body, cacheTtlSecs }: CallOptions = {}): Promise<Body> => {
    const operation: Operation = OPERATIONS[id];
    const url = root + fillPath(operation.path, path) + queryString(query);
    if (operation.method !== "GET") wrote = true;
    const ttl = operation.method === "GET" ? (cacheTtlSecs ?? (wrote ? 0 : undefined)) : undefined;
    const response = await transport
      .send({
        method: operation.method,
        url,
        body: body === undefined ? undefined : JSON.stringify(body),
        cacheTtlSecs: ttl,
        repeatable: isRepeatable(operation, body),
      })
      .catch((error: unknown) => {
        throw connectionError(id, error);
      });
    if (response.status < 200 || response.status >= 300) throw errorOf(id, response.status, response.body);
    if (typeof response.body !== "object" || response.body === null) {
      throw new UnexpectedResponseError("The response holds no JSON object. Check that baseUrl is the root of the service.", {
        operation: id,
        status: response.status,
      });
    }
    return response.body as Body;
  };
}

// A write by name is not repeatable even where it is idempotent by id: once the first row of a name is gone, the name means another.
function isRepeatable({ replay }: Operation, body: unknown): boolean {
  if (replay !== "keyed") return replay === "safe";
  const keys = (body as { keyColumns?: unknown } | undefined)?.keyColumns;
  return Array.isArray(keys) && keys.length > 0;
}

// An error that the platform has to see, as a Pack's own 401, keeps its class.
function connectionError(operation: string, error: unknown): unknown {
  if (error instanceof ServiceError || (error instanceof Error && error.name === "StatusCodeError")) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new ConnectionError(`No response from the service: ${reason}`, { operation, status: 0, cause: error });
}

function fillPath(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    // "." and ".." would change the path itself, even when they are encoded.
    if (typeof value !== "string" || /^\.{0,2}$/.test(value)) throw new TypeError(`${name} has to be an id or a name.`);
    return encodeURIComponent(value);
  });
}

function queryString(query: Readonly<Record<string, QueryValue>>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(typeof value === "object" ? value.join(",") : String(value))}`],
  );
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}
