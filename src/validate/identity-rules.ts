import type { Path, Report } from "./report.ts";
import { isMembers, listOf, type Members, short } from "./shape.ts";

/** The accounts with which the tables of one identity are synced, all of them or some. */
interface Users {
  hasAll: boolean;
  names: Set<unknown>;
}

/** Rule 137: tables may share an identity when no account can sync both of them. */
export function createUniqueIdentities(report: Report): (table: Members, path: Path) => void {
  const known = new Map<string, Users>();
  return ({ identityName, getter }, path) => {
    if (typeof identityName !== "string") return;
    const own = isMembers(getter) ? getter["allowedAuthenticationNames"] : undefined;
    const names = listOf(own);
    const others = known.get(identityName);
    if (others === undefined) known.set(identityName, { hasAll: own === undefined, names: new Set(names) });
    else {
      if (others.hasAll || own === undefined || names.some((name) => others.names.has(name))) {
        const message = `Another table has the identity ${short(identityName)}, too.`;
        report("SYNC_TABLE_IDENTITY_DUPLICATE", path, message, "Give each table an identity of its own.");
      }
      others.hasAll ||= own === undefined;
      for (const name of names) others.names.add(name);
    }
  };
}
