import { OPERATIONS, type Operation } from "../../contract/operations.ts";
import {
  type AnyOperationId,
  REGISTRY_OPERATIONS,
} from "../../contract/registry/registry-operations.ts";
import { HttpError } from "./http-error.ts";

export interface MatchedOperation {
  id: AnyOperationId;
  operation: Operation;
  params: Record<string, string>;
}

interface Route {
  id: AnyOperationId;
  operation: Operation;
  /** Each a fixed text, or the name of a parameter. */
  segments: readonly { fixed: string | undefined; parameter: string }[];
}

const ROUTES = new Map<string, Route[]>();
for (const [id, operation] of Object.entries({ ...OPERATIONS, ...REGISTRY_OPERATIONS }) as [
  AnyOperationId,
  Operation,
][]) {
  const segments = operation.path
    .slice(1)
    .split("/")
    .map((text) =>
      text.startsWith("{")
        ? { fixed: undefined, parameter: text.slice(1, -1) }
        : { fixed: text, parameter: "" },
    );
  const key = `${operation.method} ${segments.length}`;
  ROUTES.set(key, [...(ROUTES.get(key) ?? []), { id, operation, segments }]);
}

/**
 * Finds the operation of a request, in the order of the contract. Names are decoded after routing,
 * so that they may contain
 * a slash.
 * @param path below the API root, without a query
 * @throws {HttpError} 400 for a name that is not encoded as a URL is
 */
export function matchOperation(method: string, path: string): MatchedOperation | undefined {
  const parts = (path.endsWith("/") ? path.slice(1, -1) : path.slice(1)).split("/");
  const route = ROUTES.get(`${method === "HEAD" ? "GET" : method} ${parts.length}`)?.find(
    ({ segments }) =>
      segments.every(({ fixed }, at) =>
        fixed === undefined ? parts[at] !== "" : fixed === parts[at],
      ),
  );
  if (route === undefined) return undefined;
  const params: Record<string, string> = {};
  for (const [at, { fixed, parameter }] of route.segments.entries())
    if (fixed === undefined) params[parameter] = decode(parts[at] ?? "");
  return { id: route.id, operation: route.operation, params };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new HttpError(400, "The request cannot be read.");
  }
}
