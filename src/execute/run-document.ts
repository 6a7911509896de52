import * as z from "zod";
import { logEntry } from "../sandbox/log-entry.ts";
import { reportedError } from "../shared/reported-error.ts";
import { exchangeDetail, requestRecord } from "./request-record.ts";

const cassetteReport = z.strictObject({
  /** The file. */
  path: z.string().describe("Absolute path."),
  mode: z.enum(["recorded", "replayed"]),
  /** Number of recorded requests, token requests included. */
  requests: z.int().nonnegative(),
  /** Number of secrets that were replaced by placeholders. */
  secrets: z.int().nonnegative(),
});

/** What was recorded or replayed. */
export type CassetteReport = z.output<typeof cassetteReport>;

const runTrace = z.strictObject({
  logs: z.array(logEntry),
  requests: z.array(requestRecord),
  durationMs: z.number().nonnegative().describe("Milliseconds."),
});

/** What a run, or a part of it, did until its result or its failure. */
export type RunTrace = z.output<typeof runTrace>;

const endedRun = runTrace.extend({
  /** The cassette that was recorded or replayed. */
  cassette: cassetteReport.optional(),
});

/** What a run did, whether it failed or not. */
export type EndedRun = z.output<typeof endedRun>;

const exchanges = z.array(exchangeDetail).optional().describe("With --exchanges.");

/** A run as a document, without the error object of a failed one. */
export const runDocument = z.discriminatedUnion("ok", [
  z.strictObject({
    ok: z.literal(true),
    kind: z.string(),
    result: z.unknown().describe("The value, the rows of a sync, or the outcomes of updates."),
    ...endedRun.shape,
    exchanges,
  }),
  z.strictObject({ ok: z.literal(false), error: reportedError, ...endedRun.shape, exchanges }),
]);
