import type { ExchangeDetail } from "../execute/execution-result.ts";
import type { EventStream } from "./event-stream.ts";

/** What sent a request. */
export type TrafficSource =
  /** `id` is that of the run; `target` what ran, such as a formula. */
  { kind: "run"; id: string; target: string } | { kind: "connection"; id: string; target: string };

/** A request, in the order in which they ended. */
export interface TrafficEntry extends ExchangeDetail {
  /** Counts from 1. */
  id: number;
  source: TrafficSource;
}

/** The latest requests of everything that the server ran, redacted. */
export interface Traffic {
  record(source: TrafficSource, detail: ExchangeDetail): void;
  /** The oldest first. */
  list(): readonly TrafficEntry[];
  get(id: number): TrafficEntry | undefined;
  clear(): void;
}

/** Older ones are forgotten. */
const MAX_ENTRIES = 1_000;
/** Pages are not told of every one of many requests in a row. */
const QUIET_MS = 50;

export function createTraffic(events: EventStream): Traffic {
  const entries: TrafficEntry[] = [];
  let lastId = 0;
  let timer: NodeJS.Timeout | undefined;
  const tell = (): void => {
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
      tell();
    },
    list: () => entries,
    get: (id) => entries.find((entry) => entry.id === id),
    clear() {
      entries.length = 0;
      tell();
    },
  };
}
