import * as z from "zod";

const bytes = z.int().nonnegative();

export const requestRecord = z.strictObject({
  method: z.string(),
  /** The URL that the Pack requested, before routes; redacted. */
  url: z.string(),
  /** Absent when there was no answer. */
  status: z.int().nonnegative().optional(),
  durationMs: z.number().nonnegative().describe("Milliseconds."),
  requestBytes: bytes,
  responseBytes: bytes,
  /** Answered by an earlier, equal request of the same account. */
  fromCache: z.boolean(),
  /** The second attempt after a 401, with a new access token. */
  retriedAfter401: z.literal(true).optional(),
  /** Another attempt after a 429, after the time that the server asked for. */
  retriedAfter429: z.literal(true).optional(),
  /** The error code, when there was no usable answer. */
  error: z.string().optional(),
});

/** One request of a formula. Each followed redirect and each retry is a separate request. */
export type RequestRecord = z.output<typeof requestRecord>;

const headers = z.record(z.string(), z.string());

export const exchangeDetail = requestRecord.extend({
  startedAtMs: z.number().describe("Milliseconds since the epoch."),
  requestHeaders: headers.describe("Without credentials."),
  requestBody: z.string().optional(),
  responseHeaders: headers.optional(),
  responseBody: z.string().optional(),
  authentication: z
    .string()
    .optional()
    .describe("Type of the authentication that the request used."),
});

/** A request with what was sent and received, for a timeline. Redacted, and long bodies are cut. */
export type ExchangeDetail = z.output<typeof exchangeDetail>;
