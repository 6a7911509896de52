import type { Members } from "../shared/values.ts";
import { collectChanges, type Report } from "./change.ts";
import type { ChangeCode } from "./change-codes.ts";
import type { Change } from "./change-schema.ts";
import { compareAuthentication, compareScopes } from "./compare-authentication.ts";
import { compareParameters, compareVariableParameters } from "./compare-parameters.ts";
import { compareSchemas } from "./compare-schemas.ts";
import { compareMembers, formatShown, isSame, mapByName, typeName } from "./members.ts";
import {
  type ComparedMetadata,
  type FormatMetadata,
  type FormulaMetadata,
  readMetadata,
  type TableMetadata,
} from "./metadata.ts";

/** The part of a build that is compared. */
export interface ComparedPack {
  metadata: Members;
  bundle: { sha256: string };
}

/**
 * Finds what changed between two builds of a Pack, from the point of view of documents that use it.
 */
export function comparePacks(before: ComparedPack, after: ComparedPack): Change[] {
  return collectChanges((report) => {
    compareMetadata(readMetadata(before.metadata), readMetadata(after.metadata), report);
    if (before.bundle.sha256 !== after.bundle.sha256)
      report("CODE_CHANGED", "code", "the bundle changed");
  });
}

function compareMetadata(before: ComparedMetadata, after: ComparedMetadata, report: Report): void {
  compareBlocks("formula", [before.formulas, after.formulas], compareFormulas, report);
  compareBlocks("table", [before.syncTables, after.syncTables], compareTables, report);
  compareFormats(before.formats, after.formats, report);
  compareBlocks("skill", [before.skills, after.skills], comparePlain(TEXTS), report);
  compareBlocks("MCP server", [before.mcpServers, after.mcpServers], comparePlain(TEXTS), report);
  compareAuthentication(
    before.defaultAuthentication,
    after.defaultAuthentication,
    "user authentication",
    report,
  );
  compareAuthentication(
    before.systemConnectionAuthentication,
    after.systemConnectionAuthentication,
    "system authentication",
    report,
  );
  compareAdmin(before.adminAuthentications, after.adminAuthentications, report);
  compareDomains(before.networkDomains, after.networkDomains, report);
  compareMembers([before, after], { subject: "Pack", codes: TEXTS, handled: HANDLED }, report);
}

const HANDLED = [
  ...[
    "formulas",
    "syncTables",
    "formats",
    "skills",
    "mcpServers",
    "defaultAuthentication",
    "systemConnectionAuthentication",
  ],
  ...["adminAuthentications", "networkDomains", "version"],
];
const TEXTS: Readonly<Record<string, ChangeCode>> = {
  description: "TEXT_CHANGED",
  examples: "TEXT_CHANGED",
  displayName: "TEXT_CHANGED",
};

type Compare<Block> = (before: Block, after: Block, subject: string, report: Report) => void;

function compareBlocks<Block extends { name: string }>(
  kind: string,
  [before, after]: readonly [readonly Block[], readonly Block[]],
  compare: Compare<Block>,
  report: Report,
): void {
  const [old, current] = [mapByName(before), mapByName(after)];
  for (const [name, block] of old) {
    const now = current.get(name);
    if (now === undefined) report("BLOCK_REMOVED", `${kind} ${name}`, "removed");
    else compare(block, now, `${kind} ${name}`, report);
  }
  for (const name of current.keys())
    if (!old.has(name)) report("BLOCK_ADDED", `${kind} ${name}`, "added");
}

function comparePlain(codes: Readonly<Record<string, ChangeCode>>): Compare<Members> {
  return (before, after, subject, report) =>
    compareMembers([before, after], { subject, codes, handled: ["name"] }, report);
}

const FORMAT_CODES: Readonly<Record<string, ChangeCode>> = {
  instructions: "TEXT_CHANGED",
  placeholder: "TEXT_CHANGED",
  formulaName: "FORMAT_FORMULA_CHANGED",
};

/** A column keeps its format under another name, as long as that has the same formula. */
function compareFormats(
  before: readonly FormatMetadata[],
  after: readonly FormatMetadata[],
  report: Report,
): void {
  const isIn = (formats: readonly FormatMetadata[], name: string) =>
    formats.some((format) => format.name === name);
  const fresh = after.filter(({ name }) => !isIn(before, name));
  const names = before.map((format) => {
    if (isIn(after, format.name)) return format;
    const at = fresh.findIndex(({ formulaName }) => isSame(formulaName, format.formulaName));
    const [renamed] = at < 0 ? [] : fresh.splice(at, 1);
    if (renamed === undefined) return format;
    report("FORMAT_RENAMED", `column format ${format.name}`, `now ${renamed.name}`);
    return { ...format, name: renamed.name };
  });
  compareBlocks("column format", [names, after], comparePlain(FORMAT_CODES), report);
}

const FORMULA_CODES: Readonly<Record<string, ChangeCode>> = {
  ...TEXTS,
  isExperimental: "VISIBILITY_CHANGED",
  isAction: "TYPE_CHANGED",
  cacheTtlSecs: "BEHAVIOUR_CHANGED",
};

function compareFormulas(
  before: FormulaMetadata,
  after: FormulaMetadata,
  subject: string,
  report: Report,
): void {
  compareParameters(before.parameters, after.parameters, subject, report);
  compareVariableParameters(before.varargParameters, after.varargParameters, subject, report);
  if (!isSame(before.resultType, after.resultType)) {
    report(
      "TYPE_CHANGED",
      `${subject}: result`,
      `${typeName(before.resultType)} → ${typeName(after.resultType)}`,
    );
  } else if (before.schema !== undefined || after.schema !== undefined) {
    compareSchemas(before.schema, after.schema, `${subject}: result`, report);
  }
  compareConnection(before.connectionRequirement, after.connectionRequirement, subject, report);
  compareScopes(before.extraOAuthScopes, after.extraOAuthScopes, subject, report);
  const handled = [
    "name",
    "parameters",
    "varargParameters",
    "resultType",
    "schema",
    "connectionRequirement",
    "extraOAuthScopes",
  ];
  compareMembers([before, after], { subject, codes: FORMULA_CODES, handled }, report);
}

function compareTables(
  before: TableMetadata,
  after: TableMetadata,
  subject: string,
  report: Report,
): void {
  if (before.identityName !== after.identityName) {
    report(
      "IDENTITY_CHANGED",
      subject,
      `identityName: ${formatShown(before.identityName)} → ${formatShown(after.identityName)}`,
    );
  }
  if ((before.isDynamic === true) !== (after.isDynamic === true))
    report("TYPE_CHANGED", subject, "changed between a dynamic table and a plain one");
  compareSchemas(before.schema, after.schema, subject, report);
  compareConnection(getRequirement(before), getRequirement(after), subject, report);
  const [old, current] = [before.getter, after.getter];
  compareParameters(old.parameters, current.parameters, subject, report);
  compareVariableParameters(old.varargParameters, current.varargParameters, subject, report);
  compareScopes(old.extraOAuthScopes, current.extraOAuthScopes, subject, report);
  if (old.supportsUpdates === true && current.supportsUpdates !== true)
    report("EDITING_REMOVED", subject, "rows can no longer be edited");
  if (old.supportsUpdates !== true && current.supportsUpdates === true)
    report("EDITING_ADDED", subject, "rows can be edited");
  const ofGetter = [
    "name",
    "parameters",
    "varargParameters",
    "schema",
    "connectionRequirement",
    "extraOAuthScopes",
    "supportsUpdates",
  ];
  compareMembers([old, current], { subject, codes: TEXTS, handled: ofGetter }, report);
  const handled = [
    "name",
    "identityName",
    "isDynamic",
    "schema",
    "getter",
    "connectionRequirement",
  ];
  compareMembers([before, after], { subject, codes: TEXTS, handled }, report);
}

function compareConnection(before: unknown, after: unknown, subject: string, report: Report): void {
  const [was, is] = [before ?? "none", after ?? "none"];
  if (was === is) return;
  const message = `account: ${formatShown(before)} → ${formatShown(after)}`;
  report(is === "required" ? "CONNECTION_REQUIRED" : "CONNECTION_CHANGED", subject, message);
}

function compareAdmin(
  before: ComparedMetadata["adminAuthentications"],
  after: ComparedMetadata["adminAuthentications"],
  report: Report,
): void {
  const [old, current] = [mapByName(before), mapByName(after)];
  for (const name of new Set([...old.keys(), ...current.keys()])) {
    const was = old.get(name)?.authentication ?? NO_AUTHENTICATION;
    const is = current.get(name)?.authentication ?? NO_AUTHENTICATION;
    compareAuthentication(was, is, `admin authentication ${name}`, report);
  }
}

const NO_AUTHENTICATION = { scopes: [] };

function compareDomains(
  old: readonly unknown[],
  current: readonly unknown[],
  report: Report,
): void {
  for (const domain of current)
    if (!old.includes(domain))
      report("DOMAIN_ADDED", "network", `+${formatShown(domain)}, which needs approval`);
  for (const domain of old)
    if (!current.includes(domain)) report("DOMAIN_REMOVED", "network", `−${formatShown(domain)}`);
}

/**
 * The compiled form has the requirement of a table on its formula; manifests of earlier builds have
 * it on the table.
 */
export function getRequirement(table: TableMetadata): unknown {
  return table.getter.connectionRequirement ?? table.connectionRequirement;
}
