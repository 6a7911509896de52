import * as z from "zod/mini";
import type { RenewalSignal } from "../define/oauth.ts";
import type { Path, Report } from "./report.ts";
import { checkShape, listOf, type Members, optionalText, type ShapeOf } from "./shape.ts";

const shape = z.strictObject({
  status: z.number(),
  bodyPath: optionalText,
  equals: z.optional(z.custom((value) => ["string", "number", "boolean"].includes(typeof value), "text, a number, true or false")),
} satisfies ShapeOf<RenewalSignal>);

/** Checks `refreshOn`: signals that can come, and none that every answer gives. */
export function checkRenewalSignals(authentication: Members, path: Path, report: Report): void {
  listOf(authentication["refreshOn"]).forEach((entry, index) => {
    const at = [...path, "refreshOn", index];
    if (!checkShape(shape, entry, at, { unknownKey: "AUTH_KEY_UNKNOWN" }, report)) return;
    const { status, bodyPath, equals } = entry;
    const refuse = (member: string, message: string, hint: string): void =>
      report("AUTH_RENEWAL_SIGNAL_INVALID", [...at, member], message, hint);
    if (typeof status !== "number") return;
    if (!Number.isInteger(status) || status < 200 || status > 599)
      refuse("status", `${status} is no status of an answer.`, "Write 403, for example.");
    else if (status === 401) refuse("status", "A 401 renews the token already.", "Remove this entry.");
    else if (status >= 300 && status < 400) refuse("status", "A redirect is followed.", "Name the status of the last answer.");
    else if (status < 300 && bodyPath === undefined) {
      refuse(
        "status",
        `Every good answer has the status ${status}, so each would be asked for twice.`,
        "Add bodyPath: where the body tells the refusal.",
      );
    }
    if (bodyPath === "" || (typeof bodyPath === "string" && bodyPath.split(".").includes(""))) {
      refuse("bodyPath", "bodyPath is not a dotted path.", 'Write it as "error.code".');
    }
    if (equals !== undefined && bodyPath === undefined) refuse("equals", "equals has nothing to compare with.", "Add bodyPath.");
  });
}
