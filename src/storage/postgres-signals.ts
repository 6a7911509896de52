import { sql } from "kysely";
import pg from "pg";
import type { Signals } from "./storage.ts";

interface SignalsOptions {
  connectionString: string;
  ssl: boolean;
  /** Only listeners to the same channel of the same database are told. */
  channel: string;
}

/** How long after a failure, in milliseconds, a new connection is tried. */
const RETRY_MS = 1_000;

/**
 * LISTEN and NOTIFY of PostgreSQL, on a connection of its own, which is opened with the first
 * listener and again after it broke. An
 * engine without them has `isListening` false.
 */
export function listenForSignals({ connectionString, ssl, channel }: SignalsOptions): Signals {
  const listeners = new Set<() => void>();
  let client: pg.Client | undefined;
  let isListening = false;
  let retry: NodeJS.Timeout | undefined;
  let isClosed = false;
  const tellAll = () => {
    for (const listener of listeners) listener();
  };
  const connect = async () => {
    retry = undefined;
    const own = new pg.Client({ connectionString, ssl, keepAlive: true });
    client = own;
    const handleBroken = () => {
      if (client !== own || isClosed) return;
      client = undefined;
      isListening = false;
      own.end().catch(() => {});
      retry = setTimeout(() => void connect(), RETRY_MS).unref();
    };
    own.on("error", handleBroken);
    own.on("end", handleBroken);
    own.on("notification", tellAll);
    try {
      await own.connect();
      await own.query(`listen ${pg.escapeIdentifier(channel)}`);
      isListening = client === own;
      // What happened before is not told again.
      tellAll();
    } catch {
      handleBroken();
    }
  };
  return {
    get isListening() {
      return isListening;
    },
    listen(onSignal) {
      listeners.add(onSignal);
      if (client === undefined && retry === undefined && !isClosed) void connect();
      return () => void listeners.delete(onSignal);
    },
    async send(transaction) {
      await sql`select pg_notify(${channel}, '')`.execute(transaction);
    },
    async close() {
      isClosed = true;
      isListening = false;
      clearTimeout(retry);
      await client?.end().catch(() => {});
    },
  };
}
