import { ReservedAuthenticationNames } from "../define/enumerations.ts";
import { checkAuthentication } from "./authentication-rules.ts";
import { adminAuthenticationShape } from "./authentication-shapes.ts";
import { checkLengths, checkName, MAX_DESCRIPTION_LENGTH, MAX_NAME_LENGTH } from "./names.ts";
import type { Report } from "./report.ts";
import { checkShape, listOf, type Members, short } from "./shape.ts";

const RESERVED_NAMES: readonly unknown[] = Object.values(ReservedAuthenticationNames);

/** Rules 25 and 27 to 31: accounts that an administrator sets up. */
export function checkAdminAuthentications(pack: Members, report: Report): void {
  listOf(pack["adminAuthentications"]).forEach((entry, index) => {
    const path = ["adminAuthentications", index];
    if (!checkShape(adminAuthenticationShape, entry, path, { unknownKey: "KEY_UNKNOWN" }, report)) return;
    const { name, authentication } = entry;
    if (RESERVED_NAMES.includes(name)) {
      report("AUTH_ADMIN_NAME", [...path, "name"], `The name ${short(name)} stands for another account.`, "Choose another name.");
    } else checkName("AUTH_ADMIN_NAME", name, [...path, "name"], report);
    const limits = { displayName: MAX_NAME_LENGTH, description: MAX_DESCRIPTION_LENGTH };
    checkLengths("AUTH_ADMIN_TEXT", entry, limits, path, report, { isRequired: true });
    if (authentication !== undefined) checkAuthentication(authentication, [...path, "authentication"], "admin", report);
    else report("MEMBER_MISSING", [...path, "authentication"], "authentication is missing.", "Add authentication: { type: … }.");
  });
}
