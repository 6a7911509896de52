import type { Insertable, Kysely } from "kysely";
import { createDebugLog } from "../../../shared/debug-log.ts";
import { isOneOf } from "../store/json-sql.ts";
import type { ServiceSchema } from "../store/schema.ts";
import type { EditSettings } from "./edit-settings.ts";

const debug = createDebugLog("service");
/** The warning of an edit whose document is gone. */
export const DELETED_DOC = "The doc was deleted before the edit was applied.";

/** What is stored of how an edit ended, or that it waits. */
export type EditOutcome = Pick<
  Insertable<ServiceSchema["mutations"]>,
  "state" | "completed_at_ms" | "warning" | "edit"
>;

/** How an edit is stored after it was applied. */
export function chooseOutcome(
  { failedMutation }: EditSettings,
  warning: string | undefined,
  nowMs: number,
): EditOutcome {
  return warning !== undefined && failedMutation === "stuck"
    ? { state: "stuck", completed_at_ms: null, warning: null, edit: "{}" }
    : { state: "done", completed_at_ms: nowMs, warning: warning ?? null, edit: "{}" };
}

/** Shows an applied edit with `NODE_DEBUG=packsmith:service`. */
export function debugApplied(docId: string, id: string, warning: string | undefined): void {
  debug(() => `edit: ${id} of ${docId} applied${warning === undefined ? "" : `: ${warning}`}`);
}

/** Stores how edits ended. */
export async function finishEdits(
  to: Kysely<ServiceSchema>,
  settings: EditSettings,
  docId: string,
  { ids, warning, nowMs }: { ids: readonly string[]; warning: string | undefined; nowMs: number },
): Promise<void> {
  await to
    .updateTable("mutations")
    .set(chooseOutcome(settings, warning, nowMs))
    .where("doc_id", "=", docId)
    .where(isOneOf(to, "id", ids))
    .execute();
}
