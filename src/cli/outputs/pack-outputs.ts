import * as z from "zod";
import { appliedFix } from "../../build/applied-fix.ts";
import { buildResult } from "../../build/build-result.ts";
import { packSchedule } from "../../build/pack-schedule.ts";
import { packGone, packRebuild, packTypes } from "../../build/rebuild-event.ts";
import { initResult } from "../../init/init-result.ts";
import { liveDifference, packDifference } from "../../publish/difference.ts";
import { reportedError } from "../../shared/reported-error.ts";
import {
  explained,
  explainedChange,
  explainedCode,
} from "../../validate/explanations/explained.ts";
import { absolutePath, count, fine, issues, milliseconds, text } from "./parts.ts";

const watchEvents = [
  z.strictObject({
    ok: z.boolean(),
    ...packRebuild.shape,
    pack: buildResult.optional(),
    error: reportedError.optional(),
  }),
  z.strictObject({ ok: z.boolean(), ...packTypes.shape }),
  z.strictObject({ ok: fine, ...packGone.shape }),
];
const watchEvent = z
  .union(watchEvents)
  .describe("With --watch, the command prints one line for each build.");

export const builtPacks = z.strictObject({
  ok: z.boolean(),
  issues,
  packs: z.array(buildResult),
  error: reportedError.optional(),
});

export const buildOutput = z.union([builtPacks, watchEvent]);

export const validatedPacks = z.strictObject({
  ok: z.boolean(),
  issues,
  fixed: z.array(appliedFix).optional().describe("With --fix."),
  schedules: z.array(packSchedule).optional(),
  error: reportedError.optional(),
});

export const validateOutput = z.union([validatedPacks, watchEvent]);

const ok = z.boolean().describe("False if the Pack has a breaking change.");

export const diffOutput = z.union([
  z.strictObject({ ok, ...packDifference.shape }),
  z.strictObject({ ok, ...liveDifference.shape }),
]);

export const docsOutput = z.strictObject({ ok: fine, path: absolutePath });

export const explainOutput = z.union([
  z.strictObject({ ok: fine, codes: z.array(explainedCode) }),
  z.strictObject({ ok: fine, ...explained.shape }),
  z.strictObject({ ok: fine, ...explainedChange.shape }),
]);

export const initOutput = z.strictObject({ ok: fine, ...initResult.shape });

const step = z.strictObject({ title: text, durationMs: milliseconds, detail: text });

export const demoOutput = z.strictObject({
  ok: fine,
  steps: z.array(step),
  rows: z.array(z.record(text, z.unknown())),
});

export const devOutput = z
  .strictObject({
    ok: fine,
    url: text.describe(
      "The link to open. The link contains an access key that is valid only for this run.",
    ),
    origin: text,
    port: count,
    name: text,
    status: text,
  })
  .describe("The command prints this output when the page is ready.");

export const completionOutput = z.strictObject({
  ok: fine,
  shell: z.enum(["bash", "zsh", "fish"]),
  script: text,
});

export const schemaOutput = z.union([
  z.strictObject({ ok: fine, commands: z.array(text) }),
  z
    .looseObject({ $schema: text, title: text })
    .describe("The output is a JSON Schema without the field ok."),
]);

const tool = z.strictObject({
  name: text,
  title: text,
  description: text,
  inputSchema: z.looseObject({}),
  outputSchema: z.looseObject({}),
  annotations: z.record(text, z.boolean()),
});

export const mcpOutput = z
  .strictObject({ ok: fine, tools: z.array(tool) })
  .describe("The command lists the tools instead of starting the server.");

export const trustOutput = z.strictObject({
  ok: fine,
  folders: z
    .array(
      z.strictObject({
        folder: absolutePath.describe("The project or workspace."),
        isTrusted: z.boolean().describe("False if packsmith asked you and you answered no."),
      }),
    )
    .describe(
      "With --list: all folders that you have trusted or refused. Otherwise: the folder that you passed.",
    ),
});
