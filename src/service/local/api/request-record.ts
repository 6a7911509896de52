import type { IncomingHttpHeaders } from "node:http";
import type { OperationId } from "../../contract/operations.ts";

/** A request as the control plane and tests see it. It holds no header and no body. */
export interface ServiceRequestRecord {
  /** Milliseconds since the epoch, on the clock of the service. */
  atMs: number;
  method: string;
  path: string;
  status: number;
  requestId: string;
  /** Undefined for what is no operation. */
  operation?: OperationId | undefined;
  /** What a strict service ignored of the request. */
  warning?: string | undefined;
}

/**
 * Whether a request only looks at the service, as the page of `packsmith dev` does: it meets no fault, counts against no limit, and
 * is not in the journal. Whoever watches changes nothing of what is watched.
 */
export function isQuiet(headers: IncomingHttpHeaders): boolean {
  return headers["x-emulator-quiet"] !== undefined;
}
