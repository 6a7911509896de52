import type { MutationStatus } from "../../contract/wire.ts";
import { HttpError } from "../http-error.ts";
import type { ServiceCall } from "../service-call.ts";

/** How long the state of a completed edit can be asked for (decision 59). */
const KEPT_MS = 24 * 60 * 60_000;

export async function getMutationStatus({ state, caller, params }: ServiceCall): Promise<MutationStatus> {
  const mutation = await state.storage.db
    .selectFrom("mutations")
    .select(["completed_at_ms", "warning"])
    .where("id", "=", params["requestId"] ?? "")
    .where("user_id", "=", caller.userId)
    .executeTakeFirst();
  const completedAtMs = mutation?.completed_at_ms;
  if (mutation === undefined || (completedAtMs && state.clock.now() - completedAtMs > KEPT_MS)) {
    throw new HttpError(404, "No request was found with the given id, or it has expired.");
  }
  return { completed: completedAtMs !== null, ...(mutation.warning === null ? {} : { warning: mutation.warning }) };
}
