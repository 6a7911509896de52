import * as z from "zod";
import type { PackVersionDefinition } from "../define/pack.ts";
import { decodeSnapshot, encodeSnapshot } from "../define/snapshot.ts";
import { checkAdminAuthentications } from "./admin-authentication-rules.ts";
import { checkAuthentication } from "./authentication-rules.ts";
import { accountsOf } from "./connection-rules.ts";
import { checkFormats } from "./format-rules.ts";
import { checkFormulas } from "./formula-rules.ts";
import type { Issue, SourceFile } from "./issue.ts";
import { checkMcpServers } from "./mcp-rules.ts";
import { checkNetwork } from "./network-rules.ts";
import { createLocator } from "./positions.ts";
import { createReporter, pathText, type Report } from "./report.ts";
import { anything, checkShape, isMembers, kindOf, optionalText, type ShapeOf } from "./shape.ts";
import { checkSkills } from "./skill-rules.ts";
import { checkSyncTables } from "./sync-table-rules.ts";
import { checkVersion } from "./version-rules.ts";

export interface ValidateOptions {
  /** The Pack's source files, its entry first: positions are found in them. */
  sources?: SourceFile[] | undefined;
  /** For a Pack that was written for another toolchain: what that one lets pass is a warning. @default false */
  compatibility?: boolean | undefined;
}

const packShape = z.strictObject({
  version: optionalText,
  defaultAuthentication: anything,
  systemConnectionAuthentication: anything,
  networkDomains: z.array(z.string()).optional(),
  formulas: z.array(z.unknown()).optional(),
  formats: z.array(z.unknown()).optional(),
  syncTables: z.array(z.unknown()).optional(),
  skills: z.array(z.unknown()).optional(),
  mcpServers: z.array(z.unknown()).optional(),
  adminAuthentications: z.array(z.unknown()).optional(),
  formulaNamespace: optionalText,
  chatSkill: anything,
  benchInitializationSkill: anything,
  skillEntrypoints: anything,
  suggestedPrompts: z.array(z.unknown()).optional(),
} satisfies ShapeOf<PackVersionDefinition>);

/**
 * Checks a definition, live or decoded from a snapshot, against the rules.
 * @returns its problems in the order of the definition's parts, each once; never throws
 */
export function validateDefinition(definition: unknown, { compatibility = false, sources = [] }: ValidateOptions = {}): Issue[] {
  const { findings, report } = createReporter(compatibility);
  // A copy of plain data: no getter or proxy of the Pack can get in the way of the rules.
  const pack = decodeSnapshot(encodeSnapshot(definition));
  checkPack(pack, report);
  if (findings.length === 0) return [];
  const locate = createLocator(pack, sources);
  return findings.map(({ path, ...finding }) => ({ ...finding, path: pathText(path), ...locate(path) }));
}

function checkPack(pack: unknown, report: Report): void {
  if (!isMembers(pack)) {
    report("DEFINITION_INVALID", [], `A Pack is an object, not ${kindOf(pack)}.`, "Write `export const pack = newPack();`.");
    return;
  }
  checkShape(packShape, pack, [], { unknownKey: "KEY_UNKNOWN" }, report);
  checkVersion(pack["version"], report);
  const { defaultAuthentication, systemConnectionAuthentication } = pack;
  if (defaultAuthentication !== undefined) checkAuthentication(defaultAuthentication, ["defaultAuthentication"], "user", report);
  if (systemConnectionAuthentication !== undefined) {
    checkAuthentication(systemConnectionAuthentication, ["systemConnectionAuthentication"], "system", report);
  }
  checkAdminAuthentications(pack, report);
  checkNetwork(pack, report);
  const accounts = accountsOf(pack);
  checkFormulas(pack, accounts, report);
  checkSyncTables(pack, accounts, report);
  checkFormats(pack, report);
  checkSkills(pack, report);
  checkMcpServers(pack, report);
}
