import * as z from "zod/mini";
import { SkillModel } from "../define/enumerations.ts";
import type {
  Skill,
  SkillEntrypointConfig,
  SkillEntrypoints,
  SkillModelConfiguration,
  SuggestedPrompt,
} from "../define/skill.ts";
import { isRecord, type Members, toList } from "../shared/values.ts";
import {
  checkLengths,
  checkName,
  createUniqueNames,
  MAX_DESCRIPTION_LENGTH,
  MAX_INSTRUCTIONS_LENGTH,
  MAX_NAME_LENGTH,
} from "./names.ts";
import type { Path, Report } from "./report.ts";
import { checkShape, listText, optionalText, type ShapeOf, shortenValue, text } from "./shape.ts";
import { checkFormulaName, checkTools, type ToolTargets } from "./tool-rules.ts";

const MAX_SKILLS = 15;
const MAX_SUGGESTED_PROMPTS = 3;
const MAX_SUGGESTED_PROMPT_LENGTH = 500;

const skillShape = z.strictObject({
  name: text,
  displayName: text,
  description: text,
  prompt: text,
  tools: z.array(z.unknown()),
  models: z.optional(
    z.array(
      z.strictObject({
        model: z.enum(SkillModel),
        prompt: optionalText,
      } satisfies ShapeOf<SkillModelConfiguration>),
    ),
  ),
  forcedFormula: optionalText,
} satisfies ShapeOf<Skill>);
const partialSkillShape = z.partial(skillShape);
const entrypoint = z.optional(
  z.strictObject({ skillName: text } satisfies ShapeOf<SkillEntrypointConfig>),
);
const entrypointsShape = z.strictObject({
  benchInitialization: entrypoint,
  defaultChat: entrypoint,
} satisfies ShapeOf<SkillEntrypoints>);
const promptShape = z.strictObject({
  name: text,
  displayName: text,
  prompt: text,
} satisfies ShapeOf<SuggestedPrompt>);

/** What assistants can do with a Pack: skills, entry points and suggested prompts. */
export function checkSkills(pack: Members, report: Report): void {
  const skills = toList(pack["skills"]);
  if (skills.length > MAX_SKILLS) {
    const message = `The Pack has ${skills.length} skills; the limit is ${MAX_SKILLS}.`;
    report("SKILL_COUNT", ["skills"], message, "Combine skills for similar tasks.");
  }
  const targets: ToolTargets = {
    formulas: new Set(listNames(pack["formulas"])),
    servers: new Set(listNames(pack["mcpServers"])),
  };
  const checkUnique = createUniqueNames("SKILL_NAME_DUPLICATE", "skill", report);
  skills.forEach((skill, index) => {
    const path = ["skills", index];
    if (!checkShape(skillShape, skill, path, { unknownKey: "KEY_UNKNOWN" }, report)) return;
    checkSkill(skill, targets, path, report);
    checkUnique(skill["name"], [...path, "name"]);
  });
  // Skills of old members, which may leave out what other skills need.
  for (const member of ["chatSkill", "benchInitializationSkill"]) {
    const skill = pack[member];
    if (skill === undefined) continue;
    if (checkShape(partialSkillShape, skill, [member], { unknownKey: "KEY_UNKNOWN" }, report))
      checkSkill(skill, targets, [member], report);
  }
  checkEntrypoints(pack["skillEntrypoints"], listNames(skills), report);
  checkSuggestedPrompts(pack["suggestedPrompts"], report);
}

function checkSkill(skill: Members, targets: ToolTargets, path: Path, report: Report): void {
  checkName("SKILL_NAME_INVALID", skill["name"], [...path, "name"], report);
  const limits = {
    displayName: MAX_NAME_LENGTH,
    description: MAX_DESCRIPTION_LENGTH,
    prompt: MAX_INSTRUCTIONS_LENGTH,
  };
  checkLengths("SKILL_TEXT_LENGTH", skill, limits, path, report, { isRequired: true });
  toList(skill["models"]).forEach((model, index) => {
    if (!isRecord(model)) return;
    const prompt = { prompt: MAX_INSTRUCTIONS_LENGTH };
    checkLengths("SKILL_TEXT_LENGTH", model, prompt, [...path, "models", index], report, {
      isRequired: true,
    });
  });
  checkTools(skill["tools"], targets, [...path, "tools"], report);
  checkFormulaName(skill["forcedFormula"], targets.formulas, [...path, "forcedFormula"], report);
}

function checkEntrypoints(entrypoints: unknown, names: readonly string[], report: Report): void {
  if (entrypoints === undefined) return;
  const path = ["skillEntrypoints"];
  if (!checkShape(entrypointsShape, entrypoints, path, { unknownKey: "KEY_UNKNOWN" }, report))
    return;
  for (const [member, entry] of Object.entries(entrypoints)) {
    const name = isRecord(entry) ? entry["skillName"] : undefined;
    if (typeof name !== "string" || names.includes(name)) continue;
    const hint =
      names.length === 0
        ? "Call addSkill first."
        : `Write ${listText(names.slice(0, MAX_SKILLS).map(shortenValue))}.`;
    report(
      "SKILL_ENTRYPOINT",
      [...path, member, "skillName"],
      `The Pack has no skill ${shortenValue(name)}.`,
      hint,
    );
  }
}

function checkSuggestedPrompts(prompts: unknown, report: Report): void {
  const list = toList(prompts);
  if (list.length > MAX_SUGGESTED_PROMPTS) {
    const message = `The Pack has ${list.length} suggested prompts; the limit is ${MAX_SUGGESTED_PROMPTS}.`;
    report(
      "SUGGESTED_PROMPT_COUNT",
      ["suggestedPrompts"],
      message,
      "Keep only the most useful prompts.",
    );
  }
  const checkUnique = createUniqueNames(
    "SUGGESTED_PROMPT_NAME_DUPLICATE",
    "suggested prompt",
    report,
  );
  list.forEach((prompt, index) => {
    const path = ["suggestedPrompts", index];
    if (!checkShape(promptShape, prompt, path, { unknownKey: "KEY_UNKNOWN" }, report)) return;
    checkName("SUGGESTED_PROMPT_NAME", prompt["name"], [...path, "name"], report);
    const limits = { displayName: MAX_NAME_LENGTH, prompt: MAX_SUGGESTED_PROMPT_LENGTH };
    checkLengths("SUGGESTED_PROMPT_TEXT", prompt, limits, path, report, { isRequired: true });
    checkUnique(prompt["name"], [...path, "name"]);
  });
}

function listNames(blocks: unknown): string[] {
  return toList(blocks).flatMap((block) =>
    isRecord(block) && typeof block["name"] === "string" ? [block["name"]] : [],
  );
}
