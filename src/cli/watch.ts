import { relative } from "node:path";
import type { PackRebuild, RebuildEvent } from "../build/rebuild-event.ts";
import type { RebuildPacksOptions } from "../build/rebuild-packs.ts";
import { sizeText } from "../bundle/bundle-size.ts";
import { usageError } from "../errors.ts";
import { countIssues, printIssues } from "./issues.ts";
import type { Output } from "./output.ts";
import { untilInterrupted, type VerbContext } from "./verb.ts";

/**
 * Rebuilds Packs until it is interrupted: one line for each time, after the problems that there
 * are.
 */
export async function watchUntilInterrupted(
  patterns: readonly string[],
  { streams, output, signal }: VerbContext,
  options: Omit<RebuildPacksOptions, "cwd" | "onEvent">,
): Promise<void> {
  const { rebuildPacks } = await import("../build/rebuild-packs.ts");
  await using watch = await rebuildPacks(patterns, {
    ...options,
    cwd: streams.cwd,
    onEvent: (event) =>
      output.json ? output.document(toDocument(event)) : printEvent(event, output, streams.cwd),
  });
  const names = patterns.length === 1 ? patterns[0] : `${watch.files.length} Packs`;
  if (!output.json)
    output.progress(output.style("quiet", `watching  ${names}  stop it with Ctrl+C`));
  await Promise.race([untilInterrupted(signal), watch.ended]);
}

/**
 * @throws {PackError} USAGE_INVALID when `--watch` and a format that is one document exclude each
 * other
 */
export function assertLines(format: string): void {
  if (format === "text" || format === "json") return;
  throw usageError(
    `--watch and --format ${format} cannot be used together.`,
    "Remove one of the two options. --json prints one line for each build.",
  );
}

function toDocument(event: RebuildEvent): object {
  if (event.event === "types")
    return { ok: event.issues.every(({ severity }) => severity !== "error"), ...event };
  if (event.event === "gone") return { ok: true, ...event };
  const { failure, built, recoveredAfter: _, ...rest } = event;
  return {
    ok: failure === undefined,
    ...rest,
    ...(built === undefined ? {} : { pack: built }),
    error: failure?.error,
  };
}

function printEvent(event: RebuildEvent, output: Output, cwd: string): void {
  if (event.event === "gone") {
    output.progress(`${output.style("quiet", "gone")}  ${event.file}`);
    return;
  }
  printIssues(event.issues, output, cwd);
  const duration = `${event.durationMs.toFixed(0)} ms`;
  if (event.event === "types") {
    const label =
      event.issues.length === 0 ? output.style("good", "types") : output.style("bad", "types");
    output.progress(`${label}  ${event.file}  ${countIssues(event.issues)}  ${duration}`);
    return;
  }
  const { file, changedFiles } = event;
  const changed =
    changedFiles.length === 0 ? "" : `  ${output.style("quiet", changedText(changedFiles))}`;
  output.progress(
    `${formatLabel(event, output)}  ${file}  ${formatFacts(event, cwd)}  ${duration}${changed}`,
  );
}

function formatLabel({ failure, built, recoveredAfter }: PackRebuild, { style }: Output): string {
  if (failure !== undefined) return style("bad", "failed");
  if (recoveredAfter > 0) return style("good", "fixed");
  return style("good", built === undefined ? "valid" : "built");
}

function formatFacts({ built, issues }: PackRebuild, cwd: string): string {
  if (built === undefined) return countIssues(issues);
  const size = `${sizeText(built.bytes)} (gzip ${sizeText(built.gzipBytes)})`;
  return [
    relative(cwd, built.bundle),
    size,
    ...(issues.length === 0 ? [] : [countIssues(issues)]),
  ].join("  ");
}

function changedText(files: readonly string[]): string {
  const [first = "", ...others] = files;
  return others.length === 0 ? `← ${first}` : `← ${first} and ${others.length} more`;
}
