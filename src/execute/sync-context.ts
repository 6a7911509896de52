import type { SyncData } from "../sandbox/protocol.ts";
import type { DeclaredParameters } from "./arguments.ts";

/** The arguments of a sync by the names of their parameters, as `context.sync.parameters` has them. */
export function argumentsByName({ parameters = [] }: DeclaredParameters, args: readonly unknown[]): Record<string, unknown> {
  return Object.fromEntries(parameters.flatMap(({ name }, index) => (args[index] === undefined ? [] : [[name, args[index]]])));
}

/** Without the members that are absent: a Pack may ask whether they are there. */
export function syncData(data: SyncData): SyncData {
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined && value !== null));
}
