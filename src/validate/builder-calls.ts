import type { Path } from "./report.ts";

/** The builder methods whose calls fill each member of a definition. */
export const BUILDER_METHODS: Readonly<Record<string, readonly string[]>> = {
  version: ["setVersion"],
  defaultAuthentication: ["setUserAuthentication"],
  systemConnectionAuthentication: ["setSystemAuthentication"],
  adminAuthentications: ["addAdminAuthentication"],
  networkDomains: ["addNetworkDomain"],
  formulas: ["addFormula"],
  syncTables: ["addSyncTable", "addDynamicSyncTable"],
  formats: ["addColumnFormat"],
  skills: ["addSkill"],
  mcpServers: ["addMCPServer"],
  chatSkill: ["setChatSkill"],
  benchInitializationSkill: ["setBenchInitializationSkill"],
  skillEntrypoints: ["setSkillEntrypoints"],
  suggestedPrompts: ["addSuggestedPrompt"],
};

/** Members that the builder takes from `dynamicOptions`. */
const DYNAMIC_OPTIONS: readonly unknown[] = ["getSchema", "entityName", "defaultAddDynamicColumns", "propertyOptions"];

/**
 * Where an author may have written what a path of the definition holds, the likeliest first: the builder calls a table's
 * `formula` its `getter`, flattens its `dynamicOptions` and makes the schema's identity of its `identityName`.
 */
export function writtenPaths(path: Path): Path[] {
  const [member, index, key, ...rest] = path;
  if (member !== "syncTables" || index === undefined || key === undefined) return [path];
  const table = [member, index];
  if (key === "getter") return [[...table, "formula", ...rest], path];
  if (key === "schema") {
    const isIdentity = rest.length === 2 && rest[0] === "identity" && rest[1] === "name";
    return [path, [...table, "placeholderSchema", ...rest], ...(isIdentity ? [[...table, "identityName"]] : [])];
  }
  // A key that nothing reads may come from dynamicOptions, too.
  const inOptions = [...table, "dynamicOptions", key, ...rest];
  return DYNAMIC_OPTIONS.includes(key) ? [inOptions, path] : [path, inOptions];
}
