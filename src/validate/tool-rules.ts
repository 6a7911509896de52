import * as z from "zod/mini";
import {
  EmbeddedContentType,
  KnowledgeToolSourceType,
  ScreenAnnotationType,
  ToolType,
} from "../define/enumerations.ts";
import type {
  EmbeddedContentTool,
  KnowledgeTool,
  MCPTool,
  PackTool,
  ScreenAnnotationTool,
  WebSearchTool,
} from "../define/skill.ts";
import { findNearest } from "../shared/text.ts";
import { isRecord, type Members, toList } from "../shared/values.ts";
import { checkName } from "./names.ts";
import type { Path, Report } from "./report.ts";
import {
  checkShape,
  describeKind,
  optionalFlag,
  optionalNumber,
  optionalTexts,
  reportUnknownValue,
  type ShapeOf,
  shortenValue,
  text,
} from "./shape.ts";

const MAX_ALLOWED_DOMAINS = 100;
const MAX_COMPARED = 100;

/** What tools can refer to. */
export interface ToolTargets {
  formulas: ReadonlySet<string>;
  servers: ReadonlySet<string>;
}

const onlyType = z.strictObject({ type: text });
const shapes: Readonly<Record<ToolType, z.ZodMiniObject>> = {
  Pack: z.strictObject({
    type: text,
    formulas: z.optional(z.array(z.strictObject({ formulaName: text, enabled: optionalFlag }))),
    packId: optionalNumber,
  } satisfies ShapeOf<PackTool>),
  Knowledge: z.strictObject({
    type: text,
    source: z.strictObject({ type: z.enum(KnowledgeToolSourceType), packId: optionalNumber }),
  } satisfies ShapeOf<KnowledgeTool>),
  ScreenAnnotation: z.strictObject({
    type: text,
    annotation: z.strictObject({ type: z.enum(ScreenAnnotationType) }),
  } satisfies ShapeOf<ScreenAnnotationTool>),
  ContactResolution: onlyType,
  WebSearch: z.strictObject({
    type: text,
    allowedDomains: optionalTexts,
  } satisfies ShapeOf<WebSearchTool>),
  MCP: z.strictObject({
    type: text,
    serverNames: optionalTexts,
    packId: optionalNumber,
  } satisfies ShapeOf<MCPTool>),
  CodaDocsAndTables: onlyType,
  EmbeddedContent: z.strictObject({
    type: text,
    embeddedContent: z.strictObject({ type: z.enum(EmbeddedContentType) }),
  } satisfies ShapeOf<EmbeddedContentTool>),
  MailAndCalendar: onlyType,
};

/** The tools of one skill. */
export function checkTools(tools: unknown, targets: ToolTargets, path: Path, report: Report): void {
  const seen = new Set<string>();
  toList(tools).forEach((tool, index) => {
    const at = [...path, index];
    if (!isRecord(tool)) {
      report(
        "MEMBER_TYPE",
        at,
        `A tool must be an object, not ${describeKind(tool)}.`,
        "Write an object such as { type: ToolType.Pack }.",
      );
      return;
    }
    const { type } = tool;
    if (typeof type !== "string" || !Object.hasOwn(shapes, type)) {
      if (type === undefined)
        report(
          "MEMBER_MISSING",
          [...at, "type"],
          "type is missing.",
          "Add type: ToolType.Pack, or another type.",
        );
      else
        reportUnknownValue(
          "TOOL_TYPE_UNKNOWN",
          type,
          Object.values(ToolType),
          [...at, "type"],
          report,
        );
      return;
    }
    checkShape(
      shapes[type as ToolType],
      tool,
      at,
      { unknownKey: "TOOL_KEY_UNKNOWN", unknownValue: "TOOL_TYPE_UNKNOWN" },
      report,
    );
    checkTargets(tool, targets, at, report);
    const key = sortedText(tool);
    if (seen.has(key))
      report(
        "TOOL_DUPLICATE",
        at,
        `The skill lists the same ${type} tool twice.`,
        "Remove this tool.",
      );
    seen.add(key);
  });
}

function checkTargets(
  tool: Members,
  { formulas, servers }: ToolTargets,
  path: Path,
  report: Report,
): void {
  const { type, packId, serverNames, allowedDomains } = tool;
  if (type === ToolType.Pack) {
    toList(tool["formulas"]).forEach((entry, index) => {
      const name = isRecord(entry) ? entry["formulaName"] : undefined;
      const at = [...path, "formulas", index, "formulaName"];
      if (packId === undefined) checkFormulaName(name, formulas, at, report);
      else checkName("SKILL_FORMULA", name, at, report);
    });
  }
  if (type === ToolType.WebSearch && Array.isArray(allowedDomains))
    checkDomains(allowedDomains, [...path, "allowedDomains"], report);
  // The servers of another Pack are not known here.
  if (type !== ToolType.MCP || packId !== undefined) return;
  if (servers.size === 0)
    report(
      "TOOL_MCP_SERVER",
      path,
      "The tool needs an MCP server, but the Pack has none.",
      "Call addMCPServer.",
    );
  else
    toList(serverNames).forEach((name, index) => {
      if (typeof name !== "string" || servers.has(name)) return;
      const message = `The Pack has no MCP server ${shortenValue(name)}.`;
      report(
        "TOOL_MCP_SERVER",
        [...path, "serverNames", index],
        message,
        `Write ${[...servers].slice(0, 1).map(shortenValue).join("")}.`,
      );
    });
}

export function checkFormulaName(
  name: unknown,
  formulas: ReadonlySet<string>,
  path: Path,
  report: Report,
): void {
  if (typeof name !== "string" || formulas.has(name)) return;
  const guess = findNearest(name, [...formulas].slice(0, MAX_COMPARED));
  const hint =
    guess === undefined
      ? "Use the name of one of the Pack's formulas."
      : `Write ${shortenValue(guess)}.`;
  report("SKILL_FORMULA", path, `The Pack has no formula ${shortenValue(name)}.`, hint);
}

function checkDomains(domains: readonly unknown[], path: Path, report: Report): void {
  if (domains.length === 0)
    report(
      "TOOL_DOMAINS",
      path,
      "allowedDomains is empty.",
      "Add a domain, or remove allowedDomains to search the entire web.",
    );
  else if (domains.length > MAX_ALLOWED_DOMAINS) {
    const message = `allowedDomains has ${domains.length} entries; the limit is ${MAX_ALLOWED_DOMAINS}.`;
    report("TOOL_DOMAINS", path, message, "List fewer domains.");
  }
  domains.forEach((domain, index) => {
    if (domain === "")
      report(
        "TOOL_DOMAINS",
        [...path, index],
        "The domain is empty.",
        "Write a host name such as docs.host.example.",
      );
  });
}

/** Equal for equal tools: the order of members and of list entries does not count. */
function sortedText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sortedText).sort().join()}]`;
  if (!isRecord(value)) return JSON.stringify(value) ?? "";
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members
    .map(([key, member]) => `${JSON.stringify(key)}:${sortedText(member)}`)
    .sort()
    .join()}}`;
}
