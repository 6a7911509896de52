import { isRecord, type Members } from "./compile/members.ts";
import type { PackVersionDefinition } from "./pack.ts";

/**
 * Gives a definition that may have errors the lists and authentications of its type, so that no
 * reader checks them again: what is to be a list and is not is empty, and an item that is to be an
 * object and is not is left out. The rules check the definition as it was loaded. The other members
 * have the types that the rules permit, unless the rules found errors.
 */
export function readableDefinition(loaded: Members): PackVersionDefinition {
  const { defaultAuthentication, systemConnectionAuthentication } = loaded;
  const definition = {
    ...withLists(loaded, ["mcpServers", "defaultTriggers"]),
    ...readAuthentication("defaultAuthentication", defaultAuthentication),
    ...readAuthentication("systemConnectionAuthentication", systemConnectionAuthentication),
    ...("adminAuthentications" in loaded
      ? {
          adminAuthentications: listRecords(loaded["adminAuthentications"]).map((admin) => ({
            ...admin,
            ...readAuthentication("authentication", admin["authentication"]),
          })),
        }
      : {}),
    networkDomains: listItems(loaded["networkDomains"], isText),
    formulas: listRecords(loaded["formulas"]).map(readRunnable),
    syncTables: listRecords(loaded["syncTables"]).map((table) => ({
      ...table,
      getter: readRunnable(isRecord(table["getter"]) ? table["getter"] : {}),
    })),
    formats: listRecords(loaded["formats"]).map((format) => withLists(format, ["matchers"], isAny)),
    skills: listRecords(loaded["skills"]).map((skill) => ({
      tools: [],
      ...withLists(skill, ["tools"]),
    })),
  };
  // The rules decide about the other members.
  return definition as object as PackVersionDefinition;
}

function readRunnable(runnable: Members): Members {
  return { parameters: [], ...withLists(runnable, ["parameters", "varargParameters"]) };
}

function readAuthentication(name: string, authentication: unknown): Members {
  if (authentication === undefined) return {};
  if (!isRecord(authentication)) return { [name]: undefined };
  const written = withLists(authentication, ["params", "headers", "postSetup"]);
  return { [name]: withLists(written, ["scopes"], isText) };
}

/** Makes the members with these names lists, unless they are missing. */
function withLists(
  part: Members,
  names: readonly string[],
  isItem: (value: unknown) => boolean = isRecord,
): Members {
  const present = names.filter((name) => part[name] !== undefined);
  return {
    ...part,
    ...Object.fromEntries(present.map((name) => [name, listItems(part[name], isItem)])),
  };
}

function listRecords(list: unknown): Members[] {
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

function listItems(list: unknown, isItem: (value: unknown) => boolean): unknown[] {
  return Array.isArray(list) ? list.filter(isItem) : [];
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

function isAny(): boolean {
  return true;
}
