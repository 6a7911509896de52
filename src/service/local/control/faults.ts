import type { ServerResponse } from "node:http";
import * as z from "zod";
import { sendJson } from "../api/http-error.ts";
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

export interface Faults {
  list(): readonly Fault[];
  /** In the place of those that there were. */
  replace(faults: readonly Fault[]): void;
  /** The fault of a request, which then counts. */
  take(request: {
    operation: NonNullable<Fault["operation"]>;
    docId: string | undefined;
    limit: number;
  }): Fault | undefined;
}

export function createFaults(random: () => number, initial: readonly Fault[]): Faults {
  let active = initial.map((fault) => ({ ...fault }));
  return {
    list: () => active,
    replace: (faults) => {
      active = faults.map((fault) => ({ ...fault }));
    },
    take({ operation, docId, limit }) {
      const fault = active.find(
        (each) =>
          (each.operation ?? operation) === operation &&
          (each.docId ?? docId) === docId &&
          limit > (each.aboveLimit ?? -1) &&
          random() < (each.probability ?? 1),
      );
      if (fault?.count !== undefined) {
        fault.count--;
        if (fault.count === 0) active = active.filter((each) => each !== fault);
      }
      return fault;
    },
  };
}

/**
 * Reads the header of a single request: `status=503`, `drop=before`, `drop=after`, `truncate`,
 * `huge=1000000`, `delay=50`.
 */
export function parseFaultHeader(text: string): Fault | undefined {
  const parsed = faultSchema.safeParse(
    Object.fromEntries(
      text.split(",").map((part) => {
        const [name = "", value] = part.trim().split("=");
        if (name === "truncate") return [name, true];
        if (name === "drop") return [name, value ?? "before"];
        return [{ huge: "hugeBytes", delay: "delayMs" }[name] ?? name, Number(value)];
      }),
    ),
  );
  return parsed.success ? parsed.data : undefined;
}

const FILLER = " ".repeat(64 * 1_024);

/** Sends an answer whose request was carried out, but not as it should be. */
export function sendFaulty(
  response: ServerResponse,
  status: number,
  result: object,
  { drop, truncate, hugeBytes }: Fault,
): void {
  if (drop === "after") {
    response.socket?.destroy();
    return;
  }
  const text = JSON.stringify(result);
  response.statusCode = status;
  response.setHeader("Content-Type", "application/json; charset=utf-8");
  if (truncate === true) {
    response.setHeader("Content-Length", Buffer.byteLength(text));
    response.write(text.slice(0, text.length >> 1), () => response.socket?.destroy());
    return;
  }
  if (hugeBytes === undefined) {
    sendJson(response, status, result);
    return;
  }
  // White space is JSON: a client that takes it all finds a valid answer at its end.
  let left = hugeBytes - Buffer.byteLength(text);
  const fill = () => {
    while (left > 0) {
      const part = FILLER.slice(0, Math.min(left, FILLER.length));
      left -= part.length;
      if (!response.write(part)) {
        response.once("drain", fill);
        return;
      }
    }
    response.end(text);
  };
  fill();
}
