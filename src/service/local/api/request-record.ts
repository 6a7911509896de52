import type { IncomingHttpHeaders } from "node:http";
import type { AnyOperationId } from "../../contract/registry/registry-operations.ts";

/** A request as the control plane and tests see it. It holds no header and no body. */
export interface ServiceRequestRecord {
  /** Milliseconds since the epoch, on the clock of the service. */
  atMs: number;
  method: string;
  path: string;
  status: number;
  requestId: string;
  /** Undefined for other paths. */
  operation?: AnyOperationId | undefined;
  /** What a strict service ignored of the request. */
  warning?: string | undefined;
}

/**
 * Whether a request only looks at the service, as the page of `packsmith dev` does. It gets no
 * fault, does not count against a limit,
 * and is not in the journal.
 */
export function isQuiet(headers: IncomingHttpHeaders): boolean {
  return headers["x-emulator-quiet"] !== undefined;
}
