import { relative } from "node:path";
import type { Command } from "commander";
import { EXIT_CODES } from "../exit-codes.ts";
import { countIssues, printIssues } from "../issues.ts";
import { type VerbContext, withCommonOptions } from "../verb.ts";

export function addBuildVerb(program: Command, { streams, output, end }: VerbContext): void {
  withCommonOptions(
    program
      .command("build")
      .description("validate Packs and write bundle.js, bundle.js.map and manifest.json for each")
      .argument("<files...>", "entry files of the Packs")
      .option("-o, --out-dir <directory>", "where to write; each Pack gets a folder of its name in it", "build")
      .option("--no-minify", "keep the bundle readable"),
  ).action(async (files: string[], options: { outDir: string; minify: boolean }) => {
    const { buildPacks } = await import("../../commands/build-packs.ts");
    const { ok, packs, issues, failure } = await buildPacks(files, { cwd: streams.cwd, outDir: options.outDir, minify: options.minify });
    if (failure !== undefined) end(EXIT_CODES[failure.exitClass]);
    if (output.json) return output.document({ ok, packs, issues, error: failure?.error });
    printIssues(issues, output);
    for (const pack of packs) {
      output.data(
        `${relative(streams.cwd, pack.bundle)}  ${kilobytes(pack.bytes)} (gzip ${kilobytes(pack.gzipBytes)})  sha256 ${pack.sha256.slice(0, 12)}  ${pack.durationMs.toFixed(0)} ms`,
      );
    }
    output.progress(
      `${ok ? output.style("good", "built") : output.style("bad", "failed")}  ${packs.length} of ${files.length}  ${countIssues(issues)}`,
    );
  });
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}
