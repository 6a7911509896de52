import type { Command } from "commander";
import { sizeText } from "../../bundle/bundle-size.ts";
import { exitClassOf } from "../../errors.ts";
import type { RegistryClient } from "../../publish/registry/registry-client.ts";
import type { UploadStep } from "../../publish/registry/upload-pack.ts";
import type { UploadResult } from "../../publish/registry/upload-result.ts";
import { printIssues } from "../issues.ts";
import { type Output, printable } from "../output.ts";
import { parseTimerStrategy } from "../parse-flags.ts";
import { openRegistry, type RegistryFlags, withRegistryOption } from "../registry.ts";
import { EXIT_CODES, examples, type VerbContext, withCommonOptions } from "../verb.ts";

interface UploadFlags extends RegistryFlags {
  notes?: string;
  dryRun?: boolean;
  allowOlderSdkVersion?: boolean;
  timerStrategy: string;
  types: boolean;
}

export function addUploadVerb(program: Command, context: VerbContext): void {
  const { streams, output, end, signal } = context;
  withCommonOptions(
    withRegistryOption(
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
        .argument(
          "[files...]",
          'entry files, or patterns such as "packs/*/pack.ts" (default: pack.ts)',
        )
        .option("--notes <text>", "what is new in this version")
        .option("--dry-run", "show what would be uploaded, and upload nothing")
        .option(
          "--allow-older-sdk-version",
          "upload even if the newest version was built with a later SDK",
        )
        .option("--timer-strategy <name>", "what setTimeout does: none, error or fake", "none")
        .option("--no-types", "skip the type check, which runs if TypeScript is installed"),
    ),
    async () => (await import("../outputs/registry-outputs.ts")).uploadOutput,
  ).action(async (patterns: string[], flags: UploadFlags) => {
    const { uploadPacks } = await import("../../publish/registry/upload-pack.ts");
    const { createFilePatterns } = await import("../../build/file-patterns.ts");
    const files = createFilePatterns(
      patterns.length === 0 ? ["pack.ts"] : patterns,
      streams.cwd,
    ).find();
    const clients = new Map<string, Promise<RegistryClient>>();
    const clientOf = (folder: string) => {
      const known = clients.get(folder) ?? openRegistry(context, flags, folder);
      clients.set(folder, known);
      return known;
    };
    const { results, failures, issues } = await uploadPacks(files, {
      cwd: streams.cwd,
      clientOf,
      signal,
      notes: flags.notes,
      dryRun: flags.dryRun,
      types: flags.types,
      allowOlderSdkVersion: flags.allowOlderSdkVersion,
      timerStrategy: parseTimerStrategy(flags.timerStrategy),
      onProgress: progressOf(output),
    });
    const [first] = failures;
    if (first !== undefined) end(EXIT_CODES[exitClassOf(first.failure.cause.code)]);
    if (output.json) {
      const failed = failures.map(({ file, failure }) => ({ file, error: failure.error }));
      return output.document({ ok: first === undefined, results, failures: failed, issues });
    }
    printIssues(issues, output, streams.cwd);
    for (const result of results) printResult(result, output);
    for (const { file, failure } of failures) {
      if (failures.length + results.length > 1)
        output.progress(output.style("strong", printable(file)));
      output.error(failure.cause, false);
    }
    if (failures.length + results.length > 1) output.progress(summaryOf(results, failures.length));
  });
}

const STATES: Readonly<Record<UploadResult["state"], string>> = {
  uploaded: "uploaded",
  known: "unchanged",
  "dry-run": "to upload",
};

/** `4 uploaded, 2 unchanged, 1 failed`. */
function summaryOf(results: readonly UploadResult[], failed: number): string {
  const counts = Object.entries(STATES).map(
    ([state, word]) => [results.filter((each) => each.state === state).length, word] as const,
  );
  return [...counts, [failed, "failed"] as const]
    .flatMap(([number, word]) => (number === 0 ? [] : [`${number} ${word}`]))
    .join(", ");
}

function printResult(
  { file, packId, version, isChosen, findings, bytes, state, warnings }: UploadResult,
  output: Output,
): void {
  for (const finding of findings) output.progress(`changed   ${printable(finding)}`);
  for (const { path, message } of warnings)
    output.progress(
      `${output.style("warning", "warning")}   ${printable(path)}  ${printable(message)}`,
    );
  if (isChosen && state !== "known")
    output.progress(`version   ${version}, which follows from what changed`);
  const size = bytes === 0 ? "" : `  ${sizeText(bytes)}`;
  if (state === "uploaded")
    output.data(`${output.style("good", "uploaded")}  ${file}  Pack ${packId}  ${version}${size}`);
  if (state === "known")
    output.data(`unchanged  ${file}  Pack ${packId}  ${version} is this version already`);
  if (state === "dry-run") output.data(`would upload  ${file}  Pack ${packId}  ${version}${size}`);
}

/**
 * A line for each tenth on a terminal; elsewhere only the end counts, which the result shows. A
 * repeated upload is always reported.
 */
function progressOf(output: Output): (step: UploadStep) => void {
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
