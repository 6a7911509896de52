import type { ExchangeDetail } from "../../execute/request-record.ts";
import type { ExchangeRecord } from "../../oauth/exchange-record.ts";
import type { EventStream } from "../session/event-stream.ts";

/** Who sent a request. */
export type TrafficSource =
  /** `id` is the id of the run or connection; `target` is what ran, such as a formula. */
  { kind: "run"; id: string; target: string } | { kind: "connection"; id: string; target: string };

/** A request. Requests are numbered in the order in which they ended. */
export interface TrafficEntry extends ExchangeDetail {
  /** Counts from 1. */
  id: number;
  source: TrafficSource;
}

/** The latest requests of runs and connections, redacted. */
export interface Traffic {
  record(source: TrafficSource, detail: ExchangeDetail): void;
  /** Oldest first. */
  list(): readonly TrafficEntry[];
  get(id: number): TrafficEntry | undefined;
  clear(): void;
}

/** Older requests are forgotten. */
const MAX_ENTRIES = 1_000;
/** Pages get one event for all requests within this time. */
const QUIET_MS = 50;

export function createTraffic(events: EventStream): Traffic {
  const entries: TrafficEntry[] = [];
  let lastId = 0;
  let timer: NodeJS.Timeout | undefined;
  const notify = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      events.send({ type: "request", id: lastId });
    }, QUIET_MS);
    timer.unref();
  };
  return {
    record(source, detail) {
      lastId += 1;
      entries.push({ ...detail, id: lastId, source });
      if (entries.length > MAX_ENTRIES) entries.shift();
      notify();
    },
    list: () => entries,
    get: (id) => entries.find((entry) => entry.id === id),
    clear() {
      entries.length = 0;
      notify();
    },
  };
}

/** A request to an authorization server, in the form that the timeline uses for all requests. */
export function requestOfExchange(record: ExchangeRecord): ExchangeDetail {
  const {
    method,
    url,
    status,
    startedAtMs,
    durationMs,
    request,
    response,
    error,
    clientAuthentication,
  } = record;
  const said = {
    ...response?.values,
    ...dropUndefined({ error: response?.error, error_description: response?.errorDescription }),
  };
  return {
    method,
    url,
    status,
    startedAtMs,
    durationMs,
    requestBytes: request.bytes,
    responseBytes: response?.bytes ?? 0,
    fromCache: false,
    error,
    requestHeaders: { ...request.headers },
    requestBody: findBody(record),
    responseHeaders: response === undefined ? undefined : { ...response.headers },
    responseBody: Object.keys(said).length === 0 ? undefined : JSON.stringify(said, undefined, 2),
    authentication:
      clientAuthentication === undefined ? undefined : `client: ${clientAuthentication}`,
  };
}

function findBody({ method, request }: ExchangeRecord): string | undefined {
  const params = Object.entries(request.params);
  if (params.length === 0 || method === "GET") return undefined;
  if (request.headers["content-type"]?.startsWith("application/json") === true)
    return JSON.stringify(request.params);
  return params
    .map(
      ([name, value]) =>
        `${encodeURIComponent(name)}=${MASKED.test(value) ? value : encodeURIComponent(value)}`,
    )
    .join("&");
}

const MASKED = /^••••/;

function dropUndefined(
  members: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
}
