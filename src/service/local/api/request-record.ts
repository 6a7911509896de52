import * as z from "zod";
import { OPERATIONS } from "../../contract/operations.ts";
import {
  type AnyOperationId,
  REGISTRY_OPERATIONS,
} from "../../contract/registry/registry-operations.ts";

export const OPERATION_IDS = [
  ...Object.keys(OPERATIONS),
  ...Object.keys(REGISTRY_OPERATIONS),
] as AnyOperationId[];

export const serviceRequestRecord = z.object({
  /** Milliseconds since the epoch, on the clock of the service. */
  atMs: z.number(),
  method: z.string(),
  path: z.string(),
  status: z.number(),
  requestId: z.string(),
  /** Undefined for other paths. */
  operation: z.enum(OPERATION_IDS).optional(),
  /** What a strict service ignored of the request. */
  warning: z.string().optional(),
});

/** A request as the control plane and tests see it. It holds no header and no body. */
export type ServiceRequestRecord = z.output<typeof serviceRequestRecord>;

/**
 * Whether a request only looks at the service, as the page of `packsmith dev` does. It gets no
 * fault, does not count against a limit,
 * and is not in the journal.
 */
export function isQuiet(headers: Readonly<Record<string, unknown>>): boolean {
  return headers["x-emulator-quiet"] !== undefined;
}
