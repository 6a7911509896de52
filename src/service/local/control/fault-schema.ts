import * as z from "zod";
import { OPERATION_IDS } from "../api/request-record.ts";

const MAX_DELAY_MS = 120_000;
const MAX_HUGE_BYTES = 256 * 1_024 * 1_024;

export const faultSchema = z.strictObject({
  /** Only requests of this operation; `putUpload` is the PUT to an upload URL. @default all */
  operation: z.enum([...OPERATION_IDS, "putUpload"]).optional(),
  /** Only requests for this document. @default all */
  docId: z.string().optional(),
  /** Only lists whose `limit` is above this. */
  aboveLimit: z.int().min(0).optional(),
  /** How likely it is, from 0 to 1. @default 1 */
  probability: z.number().min(0).max(1).optional(),
  /** How often it happens. @default without end */
  count: z.int().min(1).optional(),
  /** Answers with this status instead of doing what was asked for. */
  status: z.int().min(400).max(599).optional(),
  /** Seconds that a `Retry-After` header names. */
  retryAfter: z.int().min(0).optional(),
  /** Waits first, in real milliseconds. */
  delayMs: z.int().min(0).max(MAX_DELAY_MS).optional(),
  /** Ends the connection: before the request is carried out, or after it. */
  drop: z.enum(["before", "after"]).optional(),
  /** Ends the connection in the middle of the answer. */
  truncate: z.boolean().optional(),
  /** Fills the answer up to so many bytes. */
  hugeBytes: z.int().min(1).max(MAX_HUGE_BYTES).optional(),
});

/** What goes wrong with a request, and with which requests. */
export type Fault = z.output<typeof faultSchema>;
