import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { PackError } from "../errors.ts";
import type { ExchangeDetail } from "../execute/request-record.ts";
import type { ExchangeRecord } from "../oauth/exchange-record.ts";
import { writeAtomically } from "../shared/atomic-write.ts";
import { toFailure } from "../shared/failures.ts";
import { makeFolder } from "../shared/folders.ts";
import type { Redactor } from "../shared/redact.ts";
import type { FailedOutcome, FlowEvent, FlowRecord } from "./flow-event.ts";

export interface FlowRecorder {
  /** What has happened until now. */
  readonly events: readonly FlowEvent[];
  note(step: FlowEvent["step"], facts: Readonly<Record<string, string>>): void;
  exchange(record: ExchangeRecord): void;
  /** Writes the record. If that fails, the flow goes on. */
  end(failure: unknown): Promise<void>;
}

const FILE = "last-connection.json";

/** Receives the steps of a connection as they happen. */
export interface FlowObserver {
  /** A step of the user or the Pack: `authorize`, `callback`, `endpoint`, `label`. */
  onStep?(event: FlowEvent): void;
  /** A request to the authorization server has ended. */
  onExchange?(record: ExchangeRecord): void;
  /** A request of the Pack, while it sets up the account, has ended. */
  onRequest?(detail: ExchangeDetail): void;
}

/** The fact of the authorization step that names what a definition and the metadata both say. */
export const REPEATED_FACT = "repeats the metadata";

/** Records a connection. @param home folder of the vault */
export function createFlowRecorder(
  flow: { pack: string; account: string; home: string; now: () => number },
  redactor: Redactor,
  observer: FlowObserver = {},
): FlowRecorder {
  const { home, now, ...about } = flow;
  const startedAtMs = now();
  const events: FlowEvent[] = [];
  return {
    events,
    note(step, facts) {
      const event = { atMs: now() - startedAtMs, step, facts };
      events.push(event);
      observer.onStep?.(event);
    },
    exchange(record) {
      events.push({ ...toEvent(record), atMs: record.startedAtMs - startedAtMs });
      observer.onExchange?.(record);
    },
    async end(failure) {
      const outcome = failure === undefined ? ({ ok: true } as const) : describeFailure(failure);
      const record: FlowRecord = {
        formatVersion: 1,
        ...about,
        startedAtMs,
        durationMs: now() - startedAtMs,
        events,
        outcome,
      };
      await save(home, redactor.value(record)).catch(() => undefined);
    },
  };
}

function toEvent({
  step,
  url,
  status,
  durationMs,
  clientAuthentication,
  request,
  response,
  isWaiting,
  error,
}: ExchangeRecord): Omit<FlowEvent, "atMs"> {
  const facts = {
    url,
    ...Object.fromEntries(
      Object.entries(request.params).map(([name, value]) => [`> ${name}`, value]),
    ),
    ...(clientAuthentication === undefined
      ? {}
      : { "client authentication": clientAuthentication }),
    status: status === undefined ? "no answer" : String(status),
    ...(response?.members.length ? { "< members": response.members.join(", ") } : {}),
    ...(isWaiting === true ? { waiting: "for the approval on the other device" } : {}),
    ...(response?.error === undefined || isWaiting === true ? {} : { "< error": response.error }),
    ...(response?.errorDescription === undefined || isWaiting === true
      ? {}
      : { "< error_description": response.errorDescription }),
    ...(error === undefined ? {} : { failed: error }),
  };
  return { step, facts, durationMs, deviations: response?.deviations };
}

function describeFailure(failure: unknown): FailedOutcome {
  const { error, cause } = toFailure(failure);
  return { ok: false, ...error, details: cause.details };
}

async function save(home: string, record: unknown): Promise<void> {
  makeFolder(home);
  await writeAtomically(join(home, FILE), `${JSON.stringify(record, undefined, 2)}\n`, {
    mode: 0o600,
  });
}

/**
 * Reads the record of the last connection.
 * @throws {PackError} FLOW_RECORD_MISSING
 */
export async function readFlowRecord(home: string): Promise<FlowRecord> {
  const missing = new PackError(
    "FLOW_RECORD_MISSING",
    "No connection attempt has been recorded on this machine.",
    {
      details: undefined,
      hint: "Run packsmith auth connect pack.ts first.",
    },
  );
  try {
    const record = JSON.parse(await readFile(join(home, FILE), "utf8")) as FlowRecord;
    if (record.formatVersion === 1 && Array.isArray(record.events)) return record;
  } catch {
    throw missing;
  }
  throw missing;
}
