import { PackError } from "../errors.ts";

/** A request that a mock received, in the form that the network would receive. */
export interface MockedRequest {
  method: string;
  url: string;
  /** The headers, with names in lower case. The headers include the credentials of the account. */
  headers: Record<string, string>;
  /** The request body: parsed JSON, text, or bytes. */
  body: unknown;
  /** The parts of the path that match `:name`, by name. */
  params: Record<string, string>;
  query: URLSearchParams;
}

export interface MockResponse {
  /** @default 200 */
  status?: number | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
  /**
   * The response body. The mock sends text and bytes unchanged, and other values as JSON.
   * @default no body
   */
  body?: unknown;
}

/**
 * A response, a list of responses for consecutive requests, or a function that returns the response
 * to a request. The mock repeats the last response in a list.
 */
export type MockAnswer =
  | MockResponse
  | readonly MockResponse[]
  | ((request: MockedRequest) => MockResponse | Promise<MockResponse>);

/** Responds to the requests of a Pack in a test. No request reaches the network. */
export interface MockFetcher {
  /** The requests so far, in order. */
  readonly requests: readonly MockedRequest[];
  /** Adds or replaces responses. Use the same patterns as in `mockFetcher`. */
  answer(answers: Readonly<Record<string, MockAnswer>>): void;
  /** Clears `requests`, and keeps the responses. */
  reset(): void;
  /** The run uses this function instead of the network. */
  readonly fetch: typeof fetch;
  /**
   * The run uses this function to resolve hosts. The function returns a public address for every
   * host.
   */
  readonly lookup: (host: string) => Promise<readonly string[]>;
}

interface Route {
  pattern: string;
  method: string;
  origin: string;
  path: RegExp;
  names: string[];
  query: [string, string][];
  answer: MockAnswer;
  count: number;
}

const METHOD = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|\*)$/;
const A_PUBLIC_ADDRESS = "93.184.216.34";
/** Statuses of responses without a body. */
const EMPTY_STATUSES = new Set([204, 205, 304]);

/**
 * Creates a mock from responses. A key contains a method and a URL:
 * `"GET https://api.tasks.example/lists/:list/items"`.
 * `:name` matches one part of the path, `*` at the end the rest of the path, and `*` as the method
 * every method. Query parameters
 * of the key must be in the request; a key without a query matches every query. A later key wins.
 * @throws {TypeError} when a key is not a method and a URL
 */
export function mockFetcher(answers: Readonly<Record<string, MockAnswer>> = {}): MockFetcher {
  const routes = new Map<string, Route>();
  const requests: MockedRequest[] = [];
  const add = (more: Readonly<Record<string, MockAnswer>>): void => {
    for (const [pattern, answer] of Object.entries(more)) {
      routes.delete(pattern);
      routes.set(pattern, parseRoute(pattern, answer));
    }
  };
  add(answers);

  const send: typeof fetch = async (input, init = {}) => {
    const url = String(input);
    const method = init.method ?? "GET";
    const found = [...routes.values()].reverse().flatMap((route) => {
      const params = matchRoute(route, method, new URL(url));
      return params === undefined ? [] : [{ route, params }];
    })[0];
    const request: MockedRequest = {
      method,
      url,
      headers: Object.fromEntries(new Headers(init.headers)),
      body: readBody(init.body),
      params: found?.params ?? {},
      query: new URL(url).searchParams,
    };
    requests.push(request);
    if (found === undefined) throw createUnmockedError(method, url, [...routes.keys()]);
    return toResponse(await createAnswer(found.route, request));
  };

  return {
    get requests() {
      return requests;
    },
    answer: add,
    reset: () => {
      requests.length = 0;
    },
    fetch: send,
    lookup: async () => [A_PUBLIC_ADDRESS],
  };
}

function parseRoute(pattern: string, answer: MockAnswer): Route {
  const [method = "", address = "", ...rest] = pattern.split(/\s+/);
  const [, origin = "", path = "", query = ""] =
    /^(https?:\/\/[^/?#]+)([^?#]*)(?:\?([^#]*))?$/.exec(address) ?? [];
  if (!METHOD.test(method) || origin === "" || rest.length > 0) {
    throw new TypeError(
      `${JSON.stringify(pattern)} must be a method and a URL, such as "GET https://api.tasks.example/items/:id".`,
    );
  }
  const names: string[] = [];
  const source = (path === "" ? "/" : path)
    .split("/")
    .map((part, index, parts) => {
      if (part === "*" && index === parts.length - 1) return ".*";
      if (!part.startsWith(":")) return part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
      names.push(part.slice(1));
      return "([^/]+)";
    })
    .join("/");
  return {
    pattern,
    method,
    names,
    answer,
    origin: new URL(origin).origin,
    path: new RegExp(`^${source}$`),
    query: [...new URLSearchParams(query)],
    count: 0,
  };
}

function matchRoute(route: Route, method: string, url: URL): Record<string, string> | undefined {
  if ((route.method !== "*" && route.method !== method) || route.origin !== url.origin)
    return undefined;
  const match = route.path.exec(url.pathname);
  if (
    match === null ||
    !route.query.every(([name, value]) => url.searchParams.getAll(name).includes(value))
  )
    return undefined;
  return Object.fromEntries(
    route.names.map((name, index) => [name, decodeURIComponent(match[index + 1] ?? "")]),
  );
}

async function createAnswer(route: Route, request: MockedRequest): Promise<MockResponse> {
  const { answer } = route;
  if (typeof answer === "function") return await answer(request);
  if (!Array.isArray(answer)) return answer as MockResponse;
  const response: MockResponse | undefined = answer[Math.min(route.count, answer.length - 1)];
  route.count += 1;
  return response ?? {};
}

function toResponse({ status = 200, headers = {}, body }: MockResponse): Response {
  const all = new Headers(headers);
  const content =
    typeof body === "string" || body instanceof Uint8Array || body === undefined
      ? body
      : JSON.stringify(body);
  const type =
    typeof body === "string"
      ? "text/plain; charset=utf-8"
      : body instanceof Uint8Array
        ? "application/octet-stream"
        : "application/json";
  if (content !== undefined && !all.has("content-type")) all.set("content-type", type);
  return new Response(EMPTY_STATUSES.has(status) ? null : (content ?? null), {
    status,
    headers: all,
  });
}

function readBody(body: unknown): unknown {
  if (body === undefined || body === null) return undefined;
  if (typeof body !== "string") return body;
  try {
    return /^\s*[[{]/.test(body) ? JSON.parse(body) : body;
  } catch {
    return body;
  }
}

function createUnmockedError(
  method: string,
  url: string,
  known: readonly string[],
): PackError<"FETCH_UNMOCKED"> {
  const hint =
    known.length === 0
      ? "Add a response for this request. The mock has no responses."
      : `Add a response for this request. The mock has responses for ${known.slice(0, 10).join(", ")}.`;
  return new PackError("FETCH_UNMOCKED", `The mock has no response for ${method} ${url}.`, {
    details: { method, url },
    hint,
  });
}
