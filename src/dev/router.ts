import { type Request, type Response, Router } from "express";
import type * as z from "zod";
import { PackError } from "../errors.ts";

/** A request of the page that the guard has accepted. */
export interface DevRequest {
  /** The parts of the path that the pattern names: `/api/runs/:id`. */
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  /** The JSON of a POST. Untrusted. */
  body: unknown;
  /** Aborts when the page no longer waits for the response. */
  signal: AbortSignal;
}

/** Returns data for a JSON response, which is redacted before it is sent, or bytes. */
export type Handler = (request: DevRequest) => unknown | Promise<unknown>;

/** A response with bytes instead of JSON. Bytes are not redacted. */
export class BytesAnswer {
  readonly contentType: string;
  readonly bytes: Uint8Array;

  constructor(contentType: string, bytes: Uint8Array) {
    this.contentType = contentType;
    this.bytes = bytes;
  }
}

/** GET reads. Everything that changes something is a POST, for which the guard has more checks. */
export interface DevRouter {
  get(pattern: string, handle: Handler): void;
  post(pattern: string, handle: Handler): void;
}

export interface RouteTable extends DevRouter {
  readonly router: Router;
  /**
   * Call it after the last route: it answers requests whose path is known only for another method.
   */
  end(): void;
}

/** @param redact applied to every JSON response */
export function createRouteTable(redact: (value: unknown) => unknown): RouteTable {
  const router = Router({ caseSensitive: true, strict: true });
  const allowed = new Map<string, string[]>();
  const add = (method: "get" | "post") => (pattern: string, handle: Handler) => {
    allowed.set(pattern, [...(allowed.get(pattern) ?? []), method.toUpperCase()]);
    router[method](pattern, async (request, response) => {
      const gone = new AbortController();
      response.once("close", () => gone.abort());
      const answer = await handle({
        params: request.params as Record<string, string>,
        query: readQuery(request),
        body: request.body as unknown,
        signal: gone.signal,
      });
      if (response.destroyed) return;
      if (answer instanceof BytesAnswer) response.type(answer.contentType).end(answer.bytes);
      else response.json(redact(answer ?? null));
    });
  };
  return {
    router,
    get: add("get"),
    post: add("post"),
    end() {
      for (const [pattern, methods] of allowed) {
        router.all(pattern, (_request, response) => {
          const names = methods.join(", ");
          refuse(response.set("Allow", names), {
            status: 405,
            message: `This path accepts only ${names}.`,
          });
        });
      }
    },
  };
}

/** The query of a request. Express's own parser turns repeated names into lists and objects. */
export function readQuery({ originalUrl }: Request): URLSearchParams {
  const at = originalUrl.indexOf("?");
  return new URLSearchParams(at === -1 ? "" : originalUrl.slice(at));
}

/** Refuses a request without reading the rest of it. */
export function refuse(
  response: Response,
  { status, message }: { status: number; message: string },
): void {
  response.status(status).set("Connection", "close").type("text/plain").send(`${message}\n`);
}

/** The body of a request. @throws {PackError} USAGE_INVALID when it does not have this form */
export function parseBody<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
): z.output<Schema> {
  const { data, error } = schema.safeParse(body);
  if (error === undefined) return data as z.output<Schema>;
  const [issue] = error.issues;
  const place = issue?.path.join(".") || "body";
  throw badRequest(`The request has an invalid ${place}: ${issue?.message}.`);
}

/** The error for a request that the current page would not send. */
export function badRequest(message: string): PackError<"USAGE_INVALID"> {
  return new PackError("USAGE_INVALID", message, { details: undefined, hint: "Reload the page." });
}
