import * as z from "zod/mini";
import { definitionForm } from "../define/definition-form.ts";
import type { PackVersionDefinition } from "../define/pack.ts";
import {
  decodeSnapshot,
  encodeSnapshot,
  type LostPart,
  type LostReason,
} from "../define/snapshot.ts";
import { isRecord } from "../shared/values.ts";
import { checkAgent } from "./agent-rules.ts";
import { checkAdminAuthentications, checkAuthentication } from "./authentication-rules.ts";
import { checkDeprecatedKeys } from "./deprecated-keys.ts";
import { createFix } from "./fixes.ts";
import { checkFormats } from "./format-rules.ts";
import { checkFormulas } from "./formula-rules.ts";
import type { Issue, SourceFile } from "./issue.ts";
import { findLegacyCalls } from "./legacy-calls.ts";
import { checkMcpServers } from "./mcp-rules.ts";
import { checkNetwork } from "./network-rules.ts";
import { createLocator, type Locator } from "./positions.ts";
import { createReporter, type Finding, pathText, type Report } from "./report.ts";
import {
  anything,
  checkShape,
  describeKind,
  optionalText,
  type ShapeOf,
  shortenValue,
} from "./shape.ts";
import { checkSkills } from "./skill-rules.ts";
import { checkTables } from "./table-rules.ts";

export interface ValidateOptions {
  /** The Pack's source files, its entry first: positions are found in them. */
  sources?: SourceFile[] | undefined;
  /**
   * The definition is already plain data, as from `decodeSnapshot`, and needs no copy. @default
   * false
   */
  plain?: boolean | undefined;
  /** What was lost when the plain data was read. @default [] */
  lostParts?: readonly LostPart[] | undefined;
  /**
   * For a Pack that was written for `@codahq/packs-sdk`: what its validator accepts is only a
   * warning. @default false
   */
  compatibility?: boolean | undefined;
}

const packShape = z.strictObject({
  version: optionalText,
  defaultAuthentication: anything,
  systemConnectionAuthentication: anything,
  networkDomains: z.optional(z.array(z.string())),
  formulas: z.optional(z.array(z.unknown())),
  formats: z.optional(z.array(z.unknown())),
  syncTables: z.optional(z.array(z.unknown())),
  skills: z.optional(z.array(z.unknown())),
  mcpServers: z.optional(z.array(z.unknown())),
  adminAuthentications: z.optional(z.array(z.unknown())),
  formulaNamespace: optionalText,
  chatSkill: anything,
  benchInitializationSkill: anything,
  skillEntrypoints: anything,
  suggestedPrompts: z.optional(z.array(z.unknown())),
  agent: anything,
  defaultTriggers: z.optional(z.array(z.unknown())),
  _defaultConnectionRequirement: anything,
} satisfies ShapeOf<PackVersionDefinition>);

/**
 * Checks a definition, live or decoded from a snapshot, against the rules.
 * @returns its problems in the order of the definition's parts, each once; never throws
 */
export function validateDefinition(
  definition: unknown,
  { compatibility = false, plain = false, lostParts = [], sources = [] }: ValidateOptions = {},
): Issue[] {
  const { findings, report } = createReporter(compatibility);
  // The rules read a copy of plain data: no getter or proxy of the Pack can interfere.
  const lost = [...lostParts];
  const pack = plain
    ? definition
    : definitionForm(decodeSnapshot(encodeSnapshot(definition), lost));
  // A definition that was cut is not checked: its missing parts would be reported as problems.
  if (checkLostParts(lost, report)) checkPack(pack, report);
  const legacy = findLegacyCalls(sources);
  if (findings.length === 0) return legacy;
  const locator = createLocator(pack, sources);
  return [...withoutRepeats(withoutMisspelt(findings), locator), ...legacy];
}

/** What is reported when a member is missing. */
const CODES_OF_MISSING: ReadonlySet<string> = new Set([
  "MEMBER_MISSING",
  "TABLE_SCHEMA_INCOMPLETE",
  "EXAMPLE_MISMATCH",
]);

/** The names of members in the compiled form, by those that authors write. */
const COMPILED_AS: Readonly<Record<string, string>> = { formula: "getter" };

/** A misspelt key is one mistake: that the key it means is missing is not reported, too. */
function withoutMisspelt(findings: readonly Finding[]): Finding[] {
  const meant = new Set(
    findings.flatMap(({ code, severity, path, hint }) => {
      const name = /^Rename the key to (.+)\.$/.exec(hint)?.[1];
      const isMisspelt = code.endsWith("KEY_UNKNOWN") && severity === "error" && name !== undefined;
      return isMisspelt ? [pathText([...path.slice(0, -1), COMPILED_AS[name] ?? name])] : [];
    }),
  );
  const isMeant = ({ code, path }: Finding): boolean =>
    CODES_OF_MISSING.has(code) && meant.has(pathText(path));
  return findings.filter((finding) => !isMeant(finding));
}

/**
 * A schema that a table and a formula share is one mistake in one place, so it is reported once.
 */
function withoutRepeats(findings: readonly Finding[], locator: Locator): Issue[] {
  const seen = new Set<string>();
  return findings.flatMap((finding) => {
    const issue = placeFinding(finding, locator);
    const key = JSON.stringify([issue.code, issue.message, issue.file, issue.line, issue.column]);
    if (seen.has(key) && locator.find(finding.path)?.isExact === true) return [];
    seen.add(key);
    return [issue];
  });
}

function placeFinding({ path, fix: intent, ...finding }: Finding, locator: Locator): Issue {
  const fix = intent === undefined ? undefined : createFix(path, intent, locator);
  return {
    ...finding,
    path: pathText(path),
    ...locator.position(path),
    ...(fix === undefined ? {} : { fix }),
  };
}

function checkPack(pack: unknown, report: Report): void {
  if (!isRecord(pack)) {
    report(
      "DEFINITION_INVALID",
      [],
      `A Pack must be an object, not ${describeKind(pack)}.`,
      "Write `export const pack = newPack();`.",
    );
    return;
  }
  checkShape(packShape, pack, [], { unknownKey: "KEY_UNKNOWN" }, report);
  checkVersion(pack["version"], report);
  const { defaultAuthentication, systemConnectionAuthentication } = pack;
  if (defaultAuthentication !== undefined)
    checkAuthentication(defaultAuthentication, ["defaultAuthentication"], "user", report);
  if (systemConnectionAuthentication !== undefined) {
    checkAuthentication(
      systemConnectionAuthentication,
      ["systemConnectionAuthentication"],
      "system",
      report,
    );
  }
  checkAdminAuthentications(pack, report);
  checkNetwork(pack, report);
  checkFormulas(pack, report);
  checkTables(pack, report);
  checkFormats(pack, report);
  checkSkills(pack, report);
  checkMcpServers(pack, report);
  checkAgent(pack, report);
  checkDeprecatedKeys(pack, report);
}

const MAX_PART = 2_147_483_647;

function checkVersion(version: unknown, report: Report): void {
  if (typeof version !== "string") return;
  const parts = /^(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:-prerelease\.(\d+))?$/.exec(version)?.slice(1);
  if (parts === undefined) {
    report(
      "VERSION_INVALID",
      ["version"],
      `The version ${shortenValue(version)} must have the form 1, 1.2 or 1.2.3.`,
      'Write a version such as "1.2.3".',
    );
  } else if (parts.some((part) => part !== undefined && Number(part) > MAX_PART)) {
    report(
      "VERSION_INVALID",
      ["version"],
      `A number in the version is larger than ${MAX_PART}.`,
      `Use numbers of at most ${MAX_PART}.`,
    );
  }
}

const reasons: Readonly<
  Record<Exclude<LostReason, "size">, readonly [problem: string, hint: string]>
> = {
  depth: ["is nested deeper than 100 levels", "Remove levels from the value."],
  cycle: [
    "contains itself",
    "Remove this key, or refer to the schema with makeReferenceSchemaFromObjectSchema.",
  ],
  getter: ["throws an error when packsmith reads it", "Write a plain value."],
  object: ["throws an error when packsmith reads it", "Write a plain object."],
  symbol: ["is a symbol, which a definition cannot contain", "Write text."],
  bigint: ["is a bigint, which a definition cannot contain", "Write a number."],
};

/**
 * Reports the parts of a definition that could not be read. @returns whether the rest can be
 * checked
 */
function checkLostParts(lost: readonly LostPart[], report: Report): boolean {
  if (lost.some(({ reason }) => reason === "size")) {
    const hint =
      "Refer to large schemas with makeReferenceSchemaFromObjectSchema. The limit counts each use of a schema.";
    report("DEFINITION_UNREADABLE", [], "The definition is larger than 20 MB.", hint);
    return false;
  }
  for (const { path, reason } of lost) {
    const [problem, hint] = reasons[reason as keyof typeof reasons] ?? reasons.object;
    const last = path.at(-1) ?? "The definition";
    const name = typeof last === "number" ? `Entry ${last}` : last.slice(0, 100);
    report("DEFINITION_UNREADABLE", path, `${name} ${problem}.`, hint);
  }
  return true;
}
