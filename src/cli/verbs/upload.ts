import type { Command } from "commander";
import { sizeText } from "../../bundle/bundle-size.ts";
import type { UploadStep } from "../../publish/registry/upload-options.ts";
import type { UploadResult } from "../../publish/registry/upload-result.ts";
import { printIssues } from "../issues.ts";
import {
  createClients,
  endWithOutcome,
  findPackFiles,
  type ManyFlags,
  withContinuation,
} from "../many-packs.ts";
import { type Output, printable } from "../output.ts";
import { parseTimerStrategy, TIMER_STRATEGY_TEXT } from "../parse-flags.ts";
import { EXIT_CODES, examples, trustOption, type VerbContext, withCommonOptions } from "../verb.ts";
import { printChanges } from "./diff.ts";

interface UploadFlags extends ManyFlags {
  notes?: string;
  dryRun?: boolean;
  allowBreaking?: boolean;
  allowOlderSdkVersion?: boolean;
  timerStrategy?: string;
  types: boolean;
}

export function addUploadVerb(program: Command, context: VerbContext): void {
  const { streams, output, end, signal } = context;
  withCommonOptions(
    withContinuation(
      program
        .command("upload")
        .description("Build, validate and upload new versions of Packs")
        .addHelpText(
          "after",
          examples(
            "packsmith upload",
            'packsmith upload --notes "Adds due dates"',
            'packsmith upload "packs/*/pack.ts" --dry-run',
          ),
        )
        .option("--notes <text>", "notes about what changed in this version")
        .option(
          "--dry-run",
          "show what the upload would contain and what would change for users, without uploading",
        )
        .option(
          "--allow-breaking",
          "with --dry-run: exit with code 0 even if the Pack has a breaking change",
        )
        .option(
          "--allow-older-sdk-version",
          "upload even if the newest version was built with a later SDK",
        )
        .option("--timer-strategy <name>", TIMER_STRATEGY_TEXT)
        .option(
          "--no-types",
          "do not check types; by default, packsmith checks types if TypeScript is installed",
        )
        .addOption(trustOption()),
    ),
    async () => (await import("../outputs/registry-outputs.ts")).uploadOutput,
  ).action(async (patterns: string[], flags: UploadFlags) => {
    const files = await findPackFiles(patterns, context);
    const { uploadPacks } = await import("../../publish/registry/upload-pack.ts");
    const { issues, ...outcome } = await uploadPacks(files, {
      cwd: streams.cwd,
      getClient: createClients(context, flags),
      signal,
      notes: flags.notes,
      dryRun: flags.dryRun,
      types: flags.types,
      allowOlderSdkVersion: flags.allowOlderSdkVersion,
      timerStrategy: parseTimerStrategy(flags.timerStrategy),
      onProgress: createProgress(output),
    });
    if (!output.json) {
      printIssues(issues, output, streams.cwd);
      for (const result of outcome.results) printResult(result, output);
    }
    const isBreaking = outcome.results.some((result) => result.class === "breaking");
    const isFine = !isBreaking || flags.allowBreaking === true;
    if (!isFine) end(EXIT_CODES.breaking);
    endWithOutcome(context, outcome, {
      flags,
      isFine,
      mayContinue: true,
      word: ({ state }) => STATES[state],
      more: { issues },
    });
  });
}

const STATES: Readonly<Record<UploadResult["state"], string>> = {
  uploaded: "uploaded",
  known: "unchanged",
  "dry-run": "to upload",
};

function printResult(result: UploadResult, output: Output): void {
  const { file, packId, version, isChosen, findings, bytes, state, warnings } = result;
  printChanges(result.changes ?? [], output);
  if (result.released !== undefined)
    output.progress(`users have  ${result.released}${describeEffect(result)}`);
  for (const finding of findings) output.progress(`changed   ${printable(finding)}`);
  for (const { path, message } of warnings)
    output.progress(
      `${output.style("warning", "warning")}   ${printable(path)}  ${printable(message)}`,
    );
  if (isChosen && state !== "known")
    output.progress(`version   ${version}, chosen from the changes`);
  const size = bytes === 0 ? "" : `  ${sizeText(bytes)}`;
  if (state === "uploaded")
    output.data(`${output.style("good", "uploaded")}  ${file}  Pack ${packId}  ${version}${size}`);
  if (state === "known")
    output.data(`unchanged  ${file}  Pack ${packId}  ${version} has the same content`);
  if (state === "dry-run") output.data(`would upload  ${file}  Pack ${packId}  ${version}${size}`);
}

function describeEffect({ changes }: UploadResult): string {
  if (changes === undefined)
    return "; not compared, because git does not contain the source of this version";
  return changes.length === 0 ? "; no changes for users" : "";
}

/**
 * A line for each tenth on a terminal; elsewhere only the end counts, which the result shows. A
 * repeated upload is always reported.
 */
function createProgress(output: Output): (step: UploadStep) => void {
  const shown = new Map<string, number>();
  return ({ file, sentBytes, totalBytes, attempt }) => {
    const key = `${attempt} ${file}`;
    if (attempt > 1 && !shown.has(key))
      output.progress(
        `${output.style("warning", "again")}  ${file}  the store failed; this is attempt ${attempt}`,
      );
    const tenth = Math.floor((sentBytes / totalBytes) * 10);
    const isWanted =
      output.width !== undefined && totalBytes >= 1_000_000 && (shown.get(key) ?? -1) < tenth;
    shown.set(key, Math.max(tenth, shown.get(key) ?? 0));
    if (isWanted)
      output.progress(
        output.style("quiet", `sent  ${file}  ${sizeText(sentBytes)} of ${sizeText(totalBytes)}`),
      );
  };
}
