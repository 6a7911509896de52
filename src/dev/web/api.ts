import type { ReportedError } from "../../shared/reported-error.ts";
import type { DevEvent } from "../wire/common.ts";

/** All requests of the page go through this module. */

/** The server answered with a failure, or could not be reached. */
export class ApiFailure extends Error {
  readonly view: ReportedError;

  constructor(view: ReportedError) {
    super(view.message);
    this.view = view;
  }
}

export const SERVER_GONE: ReportedError = {
  code: "SERVER_GONE",
  message: "packsmith dev is not reachable.",
  hint: "Look at the terminal in which you started packsmith dev. If it has stopped, start it again.",
};

/** Anything that was thrown, in the form that the page shows. */
export function findFailure(error: unknown): ReportedError {
  if (error instanceof ApiFailure) return error.view;
  return { code: "PAGE", message: error instanceof Error ? error.message : String(error) };
}

/** Whether the page itself cancelled the request. */
export function isAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

interface RequestOptions {
  signal?: AbortSignal | undefined;
}

/** Reads something. @throws {ApiFailure} */
export function get<Answer>(path: string, { signal }: RequestOptions = {}): Promise<Answer> {
  return send<Answer>(path, { signal: signal ?? null });
}

/** Changes or starts something. @throws {ApiFailure} */
export function post<Answer>(
  path: string,
  body: unknown = {},
  { signal }: RequestOptions = {},
): Promise<Answer> {
  const token =
    document.querySelector<HTMLMetaElement>('meta[name="packsmith-token"]')?.content ?? "";
  return send<Answer>(path, {
    method: "POST",
    headers: { "content-type": "application/json", "x-packsmith-token": token },
    body: JSON.stringify(body),
    signal: signal ?? null,
  });
}

async function send<Answer>(path: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(path, init).catch((error: unknown) => {
    if (isAborted(error)) throw error;
    throw new ApiFailure(SERVER_GONE);
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
  if (!isJson) throw new ApiFailure({ code: `HTTP_${response.status}`, message: text.trim() });
  const answer = JSON.parse(text) as Answer & { failure?: ReportedError };
  if (!response.ok)
    throw new ApiFailure(
      answer.failure ?? { code: `HTTP_${response.status}`, message: "The request failed." },
    );
  return answer;
}

/** Whether the stream of events is connected. */
export type StreamState = "open" | "lost";

type Listener = (event: DevEvent) => void;

const listeners = new Set<Listener>();
const stateListeners = new Set<(state: StreamState) => void>();
let source: EventSource | undefined;

/**
 * Listens to the server's events. The page has one stream. @returns a function that ends the
 * subscription
 */
export function subscribe(listener: Listener): () => void {
  connect();
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/**
 * Reports when the stream opens and when it is lost. Reload the state after `open`. @returns a
 * function that ends the subscription
 */
export function subscribeToStream(listener: (state: StreamState) => void): () => void {
  connect();
  stateListeners.add(listener);
  return () => void stateListeners.delete(listener);
}

function connect(): void {
  if (source !== undefined) return;
  source = new EventSource("/api/events");
  source.onmessage = ({ data }) => {
    const event = JSON.parse(String(data)) as DevEvent;
    for (const listener of [...listeners]) listener(event);
  };
  source.onopen = () => {
    for (const listener of [...stateListeners]) listener("open");
  };
  source.onerror = () => {
    for (const listener of [...stateListeners]) listener("lost");
    // After a restart of the server the old session is refused and the browser stops trying:
    // connect again.
    if (source?.readyState !== EventSource.CLOSED) return;
    source = undefined;
    setTimeout(connect, 1_000);
  };
}
