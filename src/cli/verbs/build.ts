import { relative } from "node:path";
import type { Command } from "commander";
import { EXIT_CODES } from "../exit-codes.ts";
import { countFixable, countIssues, parseIssueFormat, printIssues, writeIssues } from "../issues.ts";
import { type VerbContext, withCommonOptions } from "../verb.ts";
import { formatOption, printUnchecked } from "./validate.ts";

interface BuildFlags {
  outDir: string;
  minify: boolean;
  format?: string;
  types: boolean;
  debug?: boolean;
}

export function addBuildVerb(program: Command, { streams, output, end }: VerbContext): void {
  withCommonOptions(
    program
      .command("build")
      .description("validate Packs and write bundle.js, bundle.js.map and manifest.json for each")
      .argument("<files...>", "entry files of the Packs")
      .option("-o, --out-dir <directory>", "where to write; each Pack gets a folder of its name in it", "build")
      .option("--no-minify", "keep the bundle readable")
      .addOption(formatOption())
      .option("--no-types", "leave out the type check, which runs where TypeScript is installed"),
  ).action(async (files: string[], flags: BuildFlags) => {
    const format = parseIssueFormat(flags.format, output);
    const { buildPacks } = await import("../../commands/build-packs.ts");
    const { outDir, minify, types } = flags;
    const { ok, packs, issues, failure, unchecked } = await buildPacks(files, { cwd: streams.cwd, outDir, minify, types });
    if (failure !== undefined) end(EXIT_CODES[failure.exitClass]);
    if (format !== "text") return writeIssues(issues, format, output, { ok, packs, error: failure?.error });
    printIssues(issues, output, streams.cwd);
    if (flags.debug === true) printUnchecked(unchecked, output);
    for (const pack of packs) {
      output.data(
        `${relative(streams.cwd, pack.bundle)}  ${kilobytes(pack.bytes)} (gzip ${kilobytes(pack.gzipBytes)})  sha256 ${pack.sha256.slice(0, 12)}  ${pack.durationMs.toFixed(0)} ms`,
      );
    }
    output.progress(
      `${ok ? output.style("good", "built") : output.style("bad", "failed")}  ${packs.length} of ${files.length}  ${countIssues(issues)}${countFixable(issues)}`,
    );
  });
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}
