import { PackError } from "../../errors.ts";

/** One request of the page, after the guard has let it in. */
export interface DevRequest {
  /** The parts of the path that the pattern names: `/api/runs/:id`. */
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  /** The JSON of a POST. Untrusted. */
  body: unknown;
  /** Aborts when the page no longer waits for the answer. */
  signal: AbortSignal;
}

/** What a handler gives: JSON-safe data, redacted on its way out; or bytes. */
export type Handler = (request: DevRequest) => unknown | Promise<unknown>;

/** Bytes instead of JSON. They are not redacted. */
export class BytesAnswer {
  readonly contentType: string;
  readonly bytes: Uint8Array;

  constructor(contentType: string, bytes: Uint8Array) {
    this.contentType = contentType;
    this.bytes = bytes;
  }
}

/** GET reads; whatever changes anything is a POST, which the guard asks more of (rule 17). */
export interface DevRouter {
  get(pattern: string, handle: Handler): void;
  post(pattern: string, handle: Handler): void;
}

export interface RouteTable extends DevRouter {
  /** @returns undefined when nothing has this path; `allowed` when it has it for another method only */
  find(method: string, path: string): { handle: Handler; params: Record<string, string> } | { allowed: string } | undefined;
}

interface Route {
  method: "GET" | "POST";
  parts: readonly string[];
  handle: Handler;
}

export function createRouteTable(): RouteTable {
  const routes: Route[] = [];
  const add = (method: Route["method"]) => (pattern: string, handle: Handler) => {
    routes.push({ method, parts: pattern.split("/"), handle });
  };
  return {
    get: add("GET"),
    post: add("POST"),
    find(method, path) {
      const given = path.split("/");
      const matches = routes.flatMap((route) => {
        const params = match(route.parts, given);
        return params === undefined ? [] : [{ route, params }];
      });
      const exact = matches.find(({ route }) => route.method === method);
      if (exact !== undefined) return { handle: exact.route.handle, params: exact.params };
      const [other] = matches;
      return other === undefined ? undefined : { allowed: other.route.method };
    },
  };
}

function match(parts: readonly string[], given: readonly string[]): Record<string, string> | undefined {
  if (parts.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of parts.entries()) {
    const text = given[index] ?? "";
    if (!part.startsWith(":")) {
      if (part !== text) return undefined;
      continue;
    }
    try {
      params[part.slice(1)] = decodeURIComponent(text);
    } catch {
      return undefined;
    }
  }
  return params;
}

/** The body as an object, whose members are still unknown. @throws {PackError} USAGE_INVALID */
export function membersOf(body: unknown): Record<string, unknown> {
  if (typeof body === "object" && body !== null && !Array.isArray(body)) return body as Record<string, unknown>;
  throw badRequest("The request has no object as its body.");
}

/** A text of the body. @throws {PackError} USAGE_INVALID when it is missing or no text */
export function textMember(body: unknown, name: string): string {
  const value = membersOf(body)[name];
  if (typeof value === "string") return value;
  throw badRequest(`The request has no text ${name}.`);
}

/** What a page of ours would not send. */
export function badRequest(message: string): PackError<"USAGE_INVALID"> {
  return new PackError("USAGE_INVALID", message, { details: undefined, hint: "Reload the page." });
}
