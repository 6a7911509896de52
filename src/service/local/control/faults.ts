import type { ServerResponse } from "node:http";
import { sendJson } from "../api/http-error.ts";
import { type Fault, faultSchema } from "./fault-schema.ts";

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
