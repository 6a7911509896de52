import * as z from "zod";
import { type BuildResult, buildResult } from "../../build/build-result.ts";
import type { AppliedFix } from "../../build/fix-packs.ts";
import type { PackGone, PackRebuild, PackTypes } from "../../build/rebuild-packs.ts";
import type { PackSchedule } from "../../build/validate-packs.ts";
import { change, changeClass } from "../../compare/change-schema.ts";
import type { InitResult } from "../../init/init-project.ts";
import { liveDifference, packDifference } from "../../publish/difference.ts";
import { reportedError } from "../../shared/reported-error.ts";
import type { Explained, ExplainedChange } from "../../validate/explanations/explain.ts";
import {
  absolutePath,
  count,
  fine,
  issues,
  milliseconds,
  optionalText,
  type ShapeOf,
  text,
} from "./parts.ts";

const rebuild = z.strictObject({
  ok: z.boolean(),
  event: z.literal("rebuild"),
  file: text,
  issues,
  changedFiles: z.array(text),
  durationMs: milliseconds,
  pack: buildResult.optional(),
  error: reportedError.optional(),
} satisfies ShapeOf<
  Omit<PackRebuild, "failure" | "built" | "recoveredAfter"> & {
    ok: boolean;
    pack?: BuildResult;
    error?: object;
  }
>);
const types = z.strictObject({
  ok: z.boolean(),
  event: z.literal("types"),
  file: text,
  issues,
  durationMs: milliseconds,
} satisfies ShapeOf<PackTypes & { ok: boolean }>);
const gone = z.strictObject({ ok: fine, event: z.literal("gone"), file: text } satisfies ShapeOf<
  PackGone & { ok: true }
>);
const watchEvent = z
  .union([rebuild, types, gone])
  .describe("With --watch: one line for each time.");

export const buildOutput = z.union([
  z.strictObject({
    ok: z.boolean(),
    issues,
    packs: z.array(buildResult),
    error: reportedError.optional(),
  }),
  watchEvent,
]);

const appliedFix = z.strictObject({
  code: text,
  description: text,
  file: text,
  line: count,
  column: count,
} satisfies ShapeOf<AppliedFix>);
const schedule = z.strictObject({
  file: text,
  timeZone: text,
  next: z.array(text),
} satisfies ShapeOf<PackSchedule>);

export const validateOutput = z.union([
  z.strictObject({
    ok: z.boolean(),
    issues,
    fixed: z.array(appliedFix).optional().describe("With --fix."),
    schedules: z.array(schedule).optional(),
    error: reportedError.optional(),
  }),
  watchEvent,
]);

const ok = z.boolean().describe("False for a breaking change.");

export const diffOutput = z.union([
  z.strictObject({ ok, ...packDifference.shape }),
  z.strictObject({ ok, ...liveDifference.shape }),
]);

export const docsOutput = z.strictObject({ ok: fine, path: absolutePath });

const explained = { ok: fine, code: text, meaning: text, why: text };
const summary = {
  code: text,
  kind: z.enum(["issue", "error", "change"]),
  severity: text,
  meaning: text,
};

export const explainOutput = z.union([
  z.strictObject({ ok: fine, codes: z.array(z.strictObject(summary)) }),
  z.strictObject({
    ...explained,
    kind: z.enum(["issue", "error"]),
    severity: z.enum(["error", "warning"]),
    bad: text,
    good: text,
  } satisfies ShapeOf<Explained & { ok: true }>),
  z.strictObject({
    ...explained,
    code: change.shape.code,
    kind: z.literal("change"),
    severity: changeClass,
    before: text,
    after: text,
  } satisfies ShapeOf<ExplainedChange & { ok: true }>),
]);

const scaffold = z.strictObject({
  title: text,
  formulas: count,
  tables: count.describe("The number of sync tables."),
  notChosen: count.describe("The number of operations that --include and --tag did not choose."),
  left: z.array(text).describe("What was left out, with its place, and why."),
});

export const initOutput = z.strictObject({
  ok: fine,
  directory: absolutePath,
  template: optionalText,
  scaffold: scaffold.optional(),
  files: z.array(text),
  left: z.array(text).optional(),
} satisfies ShapeOf<InitResult & { ok: true }>);

const step = z.strictObject({ title: text, durationMs: milliseconds, detail: text });

export const demoOutput = z.strictObject({
  ok: fine,
  steps: z.array(step),
  rows: z.array(z.record(text, z.unknown())),
});

export const devOutput = z
  .strictObject({
    ok: fine,
    url: text.describe("The link to open. It contains the key of this run."),
    origin: text,
    port: count,
    name: text,
    status: text,
  })
  .describe("Printed when the page is ready.");

export const completionOutput = z.strictObject({
  ok: fine,
  shell: z.enum(["bash", "zsh", "fish"]),
  script: text,
});

export const schemaOutput = z.union([
  z.strictObject({ ok: fine, commands: z.array(text) }),
  z.looseObject({ $schema: text, title: text }).describe("A JSON Schema. It has no member ok."),
]);

const tool = z.strictObject({ name: text, description: text, inputSchema: z.looseObject({}) });

export const mcpOutput = z
  .strictObject({ ok: fine, tools: z.array(tool) })
  .describe("Lists the tools instead of serving them.");
