import { statSync } from "node:fs";
import { relative, resolve } from "node:path";
import type { Command } from "commander";
import type { BuildResult } from "../../build/build-result.ts";
import { sizeText } from "../../bundle/bundle-size.ts";
import { usageError } from "../../errors.ts";
import { systemReason } from "../../shared/failures.ts";
import { cacheFolder, makeFolder } from "../../shared/folders.ts";
import { uptimeMs } from "../../shared/time.ts";
import {
  countFixable,
  countIssues,
  parseIssueFormat,
  printIssues,
  writeIssues,
} from "../issues.ts";
import { createProgress, type Output, printable } from "../output.ts";
import { parseSize, parseTimerStrategy, TIMER_STRATEGY_TEXT } from "../parse-flags.ts";
import { EXIT_CODES, examples, trustOption, type VerbContext, withCommonOptions } from "../verb.ts";
import { assertLines, watchUntilInterrupted } from "../watch.ts";
import { formatOption, printUnchecked } from "./validate.ts";

interface BuildFlags {
  outDir: string;
  minify: boolean;
  timerStrategy?: string;
  format?: string;
  types: boolean;
  cache: boolean;
  cacheDir?: string;
  budget?: string;
  why?: string;
  compare?: string;
  metafile?: boolean;
  watch?: boolean;
}

/** More parts than these are summed up. */
const SHOWN_PARTS = 4;

export function addBuildVerb(program: Command, context: VerbContext): void {
  const { streams, output, end } = context;
  withCommonOptions(
    program
      .command("build")
      .description("Validate and bundle Packs")
      .addHelpText(
        "after",
        examples(
          "packsmith build",
          "packsmith build packs/*/pack.ts --budget 200kb",
          "packsmith build pack.ts --watch",
          "packsmith build pack.ts --why lodash",
        ),
      )
      .argument("[files...]", 'entry files of the Packs, or patterns such as "packs/*/pack.ts"', [
        "pack.ts",
      ])
      .option(
        "-o, --out-dir <directory>",
        "write each Pack into a subfolder of this folder",
        "build",
      )
      .option("--no-minify", "do not minify the bundle")
      .option("--timer-strategy <name>", TIMER_STRATEGY_TEXT)
      .option("--budget <size>", "fail if a bundle is larger than this size (for example, 200kb)")
      .option("--why <name>", "show which imports include a package or a file in the bundle")
      .option(
        "--compare <build>",
        'compare file sizes with another build: a folder, a build.json, or "last" for the previous build',
      )
      .option(
        "--metafile",
        "write esbuild's metafile next to the bundle, for bundle analyzers; builds again even if nothing has changed",
      )
      .option(
        "-w, --watch",
        "build again when a file changes, or when a new Pack matches a pattern",
      )
      .addOption(formatOption())
      .option(
        "--no-types",
        "do not check types; by default, packsmith checks types if TypeScript is installed",
      )
      .addOption(trustOption())
      .option("--no-cache", "build again even if nothing has changed")
      .option(
        "--cache-dir <directory>",
        "use this folder for the build cache (default: PACKSMITH_CACHE, or a folder in your user profile)",
      ),
    async () => (await import("../outputs/pack-outputs.ts")).buildOutput,
    "buildPacks",
  ).action(async (patterns: string[], flags: BuildFlags) => {
    if (flags.outDir === "")
      throw usageError(
        "The value of --out-dir is empty.",
        "Pass a folder, such as --out-dir build, or remove --out-dir.",
      );
    const format = parseIssueFormat(flags.format, output);
    const [{ buildPacks }, { createFilePatterns }] = await Promise.all([
      import("../../build/build-packs.ts"),
      import("../../build/file-patterns.ts"),
    ]);
    const {
      outDir,
      minify,
      types,
      cache,
      cacheDir = cacheFolder(streams.env),
      why,
      compare,
      metafile,
    } = flags;
    const isChosen = flags.cacheDir !== undefined || streams.env["PACKSMITH_CACHE"] !== undefined;
    const options = {
      outDir,
      minify,
      types,
      why,
      compare,
      metafile,
      timerStrategy: parseTimerStrategy(flags.timerStrategy),
      budgetBytes: flags.budget === undefined ? undefined : parseSize(flags.budget),
    };
    if (flags.watch === true) {
      assertLines(format);
      return await watchUntilInterrupted(patterns, context, options);
    }
    if (cache !== false && isChosen) warnAboutCache(resolve(streams.cwd, cacheDir), output);
    const files = createFilePatterns(patterns, streams.cwd).find();
    const { ok, packs, issues, failure, unchecked } = await buildPacks(files, {
      ...options,
      cwd: streams.cwd,
      cache,
      cacheDir,
      signal: context.signal,
      onProgress: createProgress(output, uptimeMs),
    });
    if (failure !== undefined) end(EXIT_CODES[failure.exitClass]);
    if (format !== "text")
      return writeIssues(issues, format, output, { ok, packs, error: failure?.error });
    printIssues(issues, output, streams.cwd);
    printUnchecked(unchecked, output);
    for (const pack of packs) printPack(pack, flags, output, streams.cwd);
    const counts = `${packs.length} of ${files.length}`;
    const summary = ok
      ? `${output.style("good", "built")}  ${counts}`
      : `${output.style("bad", "failed")}  ${counts} built`;
    output.progress(`${summary}  ${countIssues(issues)}${countFixable(issues)}`);
  });
}

/** A cache that cannot be used costs time only, so the build goes on. */
function warnAboutCache(folder: string, output: Output): void {
  try {
    makeFolder(folder);
    // A file at the path fails with ENOTDIR.
    statSync(`${folder}/.`);
  } catch (error) {
    output.progress(
      `${output.style("warning", "warning")}: packsmith cannot cache builds in ${printable(folder)}: ${systemReason(error) ?? "the folder cannot be written to"}. Pass another folder with --cache-dir or PACKSMITH_CACHE.`,
    );
  }
}

function printPack(pack: BuildResult, { why }: BuildFlags, output: Output, cwd: string): void {
  output.data(
    `${relative(cwd, pack.bundle)}  ${sizeText(pack.bytes)} (gzip ${sizeText(pack.gzipBytes)})  sha256 ${pack.sha256.slice(0, 12)}  ${pack.durationMs.toFixed(0)} ms`,
  );
  if (pack.parts.length > 1) output.progress(`  ${output.style("quiet", partsText(pack))}`);
  for (const { name, bytes } of pack.changes ?? [])
    output.progress(`  ${bytes > 0 ? "+" : "−"}${sizeText(Math.abs(bytes))}  ${name}`);
  if (pack.changes?.length === 0) output.progress("  nothing grew or shrank");
  if (why !== undefined)
    output.progress(
      `  ${pack.why === undefined ? `no file imports ${why}` : pack.why.join(" → ")}`,
    );
  if (pack.metafile !== undefined) output.progress(`  ${relative(cwd, pack.metafile)}`);
}

function partsText({ parts }: BuildResult): string {
  const shown = parts.slice(0, SHOWN_PARTS).map(({ name, bytes }) => `${name} ${sizeText(bytes)}`);
  const others = parts.slice(SHOWN_PARTS).reduce((sum, { bytes }) => sum + bytes, 0);
  return [...shown, ...(others > 0 ? [`others ${sizeText(others)}`] : [])].join(" · ");
}
