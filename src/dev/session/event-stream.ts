import type { ServerResponse } from "node:http";
import type { DevEvent } from "../wire/common.ts";

/** Server-sent events to every open page. */
export interface EventStream {
  /** Sends an event to every page, and to the listeners in this process. */
  send(event: DevEvent): void;
  /** @returns a function that ends the subscription */
  listen(listener: (event: DevEvent) => void): () => void;
  /**
   * Keeps a response open and writes later events to it. A page loads its state again after it has
   * reconnected.
   */
  attach(response: ServerResponse): void;
  close(): void;
}

/** Proxies and browsers may close a silent stream. A comment keeps it open. */
const HEARTBEAT_MS = 25_000;
/** A page that falls this far behind is disconnected. It connects again. */
const MAX_WAITING_BYTES = 1_000_000;

export function createEventStream(): EventStream {
  const pages = new Set<ServerResponse>();
  const listeners = new Set<(event: DevEvent) => void>();
  const heartbeat = setInterval(() => write(": still here\n\n"), HEARTBEAT_MS);
  heartbeat.unref();

  const write = (text: string): void => {
    for (const page of pages) {
      if (page.writableLength > MAX_WAITING_BYTES) page.destroy();
      else page.write(text);
    }
  };
  return {
    send(event) {
      write(`data: ${JSON.stringify(event)}\n\n`);
      for (const listener of listeners) listener(event);
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    attach(response) {
      response.writeHead(200, { "Content-Type": "text/event-stream; charset=utf-8" });
      response.write("retry: 500\n\n");
      pages.add(response);
      response.once("close", () => pages.delete(response));
    },
    close() {
      clearInterval(heartbeat);
      for (const page of pages) page.end();
      listeners.clear();
    },
  };
}
