import type { DevEvent, FailureView } from "../wire/common.ts";

/** The one way of the page to the network. */

/** A request that the server answered with a failure, or that did not reach it. */
export class ApiFailure extends Error {
  readonly view: FailureView;

  constructor(view: FailureView) {
    super(view.message);
    this.view = view;
  }
}

/** What a page shows of whatever was thrown. */
export function failureOf(error: unknown): FailureView {
  if (error instanceof ApiFailure) return error.view;
  return { code: "PAGE", message: error instanceof Error ? error.message : String(error) };
}

/** Whether it was this page that gave the request up. */
export function isAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

interface RequestOptions {
  signal?: AbortSignal | undefined;
}

/** Reads. @throws {ApiFailure} */
export function get<Answer>(path: string, { signal }: RequestOptions = {}): Promise<Answer> {
  return send<Answer>(path, { signal: signal ?? null });
}

/** Changes or starts something. @throws {ApiFailure} */
export function post<Answer>(path: string, body: unknown = {}, { signal }: RequestOptions = {}): Promise<Answer> {
  const token = document.querySelector<HTMLMetaElement>('meta[name="packsmith-token"]')?.content ?? "";
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
    throw new ApiFailure({
      code: "SERVER_GONE",
      message: "packsmith dev does not answer.",
      hint: "Look at its terminal, and start it again if it has ended.",
    });
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
  if (!isJson) throw new ApiFailure({ code: `HTTP_${response.status}`, message: text.trim() });
  const answer = JSON.parse(text) as Answer & { failure?: FailureView };
  if (!response.ok) throw new ApiFailure(answer.failure ?? { code: `HTTP_${response.status}`, message: "The request failed." });
  return answer;
}

/** What the stream of events says of itself, beside the events. */
export type StreamState = "open" | "lost";

type Listener = (event: DevEvent) => void;

const listeners = new Set<Listener>();
const stateListeners = new Set<(state: StreamState) => void>();
let source: EventSource | undefined;

/** Listens to the server's events; one stream serves the whole page. @returns what ends it */
export function subscribe(listener: Listener): () => void {
  connect();
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Is told when the stream opens and when it is lost. After `open`, ask for the state anew. @returns what ends it */
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
    // A server that was stopped and started again has another session: the browser gives up, and must ask anew.
    if (source?.readyState !== EventSource.CLOSED) return;
    source = undefined;
    setTimeout(connect, 1_000);
  };
}
