import { type Command, Option } from "commander";
import type { AppliedFix } from "../../build/applied-fix.ts";
import type { PackSchedule } from "../../build/pack-schedule.ts";
import type { ValidatePacksOptions, ValidateResult } from "../../build/validate-packs.ts";
import { type PackError, usageError } from "../../errors.ts";
import { cacheFolder, homeDirectory } from "../../shared/folders.ts";
import {
  countFixable,
  countIssues,
  ISSUE_FORMATS,
  parseIssueFormat,
  printIssues,
  writeIssues,
} from "../issues.ts";
import { type Output, printable } from "../output.ts";
import { EXIT_CODES, examples, trustOption, type VerbContext, withCommonOptions } from "../verb.ts";
import { assertLines, watchUntilInterrupted } from "../watch.ts";

interface ValidateFlags {
  fix?: boolean;
  watch?: boolean;
  format?: string;
  types: boolean;
}

export function addValidateVerb(program: Command, context: VerbContext): void {
  const { streams, output, end } = context;
  withCommonOptions(
    program
      .command("validate")
      .alias("check")
      .description("Check Packs against every rule")
      .addHelpText(
        "after",
        examples(
          "packsmith validate",
          "packsmith validate packs/*/pack.ts --fix",
          "packsmith validate pack.ts --watch",
          "packsmith validate --format sarif",
        ),
      )
      .argument("[files...]", 'entry files of the Packs, or patterns such as "packs/*/pack.ts"', [
        "pack.ts",
      ])
      .option("--fix", "apply the safe fixes to your source, then check again")
      .option(
        "-w, --watch",
        "check again when a file changes, or when a new Pack matches a pattern",
      )
      .addOption(formatOption())
      .option(
        "--no-types",
        "do not check types; by default, packsmith checks types if TypeScript is installed",
      )
      .addOption(trustOption()),
    async () => (await import("../outputs/pack-outputs.ts")).validateOutput,
    "validatePacks",
  ).action(async (patterns: string[], flags: ValidateFlags) => {
    const format = parseIssueFormat(flags.format, output);
    if (flags.watch === true) {
      assertLines(format);
      if (flags.fix === true) throw noFixes();
      return await watchUntilInterrupted(patterns, context, { types: flags.types });
    }
    const { createFilePatterns } = await import("../../build/file-patterns.ts");
    const files = createFilePatterns(patterns, streams.cwd).find();
    const options = {
      cwd: streams.cwd,
      types: flags.types,
      cacheDir: cacheFolder(streams.env),
      findIssues: await findRepeats(homeDirectory(streams.env)),
      signal: context.signal,
    };
    const fixed: AppliedFix[] = [];
    let result: ValidateResult;
    if (flags.fix === true) {
      const { fixPacks } = await import("../../build/fix-packs.ts");
      const { fixed: applied, ...rest } = await fixPacks(files, options);
      fixed.push(...applied);
      result = rest;
    } else {
      const { validatePacks } = await import("../../build/validate-packs.ts");
      result = await validatePacks(files, options);
    }
    const { ok, issues, failure, unchecked, schedules } = result;
    if (failure !== undefined) end(EXIT_CODES[failure.exitClass]);
    if (format !== "text") {
      return writeIssues(issues, format, output, {
        ok,
        ...(flags.fix === true ? { fixed } : {}),
        ...(schedules.length > 0 ? { schedules } : {}),
        error: failure?.error,
      });
    }
    printFixes(fixed, output);
    printIssues(issues, output, streams.cwd);
    printSchedules(schedules, output);
    printUnchecked(unchecked, output);
    const names = files.length === 1 ? files[0] : `${files.length} Packs`;
    const count =
      fixed.length === 0
        ? countIssues(issues)
        : `${fixed.length} fixed, ${countIssues(issues)} left`;
    output.progress(
      `${ok ? output.style("good", "valid") : output.style("bad", "invalid")}  ${names}  ${count}${countFixable(issues)}`,
    );
  });
}

/** Compares with the metadata of issuers that connections on this machine have read. */
async function findRepeats(home: string): Promise<ValidatePacksOptions["findIssues"]> {
  const { hasKeptMetadata } = await import("../../connect/kept-metadata.ts");
  if (!hasKeptMetadata(home)) return undefined;
  const { findRepeatedIssues } = await import("../../connect/repeated-issues.ts");
  return (pack) => findRepeatedIssues(pack, home);
}

function printSchedules(schedules: readonly PackSchedule[], output: Output): void {
  for (const { file, timeZone, next } of schedules) {
    const times = next.map((time) =>
      new Date(time).toLocaleString("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short" }),
    );
    output.progress(
      `schedule  ${file}  ${times.length === 0 ? "never runs again" : `next: ${times.join(", ")} (${timeZone})`}`,
    );
  }
}

function noFixes(): PackError {
  const hint = "Run packsmith validate --fix, then run packsmith validate --watch.";
  return usageError("--watch and --fix cannot be used together.", hint);
}

/** The option that chooses how issues are written. */
export function formatOption(): Option {
  return new Option(
    "--format <name>",
    `output format for problems: ${ISSUE_FORMATS.join(", ")} (default: text)`,
  );
}

/** Says that Packs had no type check: "no problems" would promise too much. */
export function printUnchecked(unchecked: readonly string[], output: Output): void {
  const [first] = unchecked;
  if (first === undefined) return;
  const packs = unchecked.length === 1 ? printable(first) : `${unchecked.length} Packs`;
  output.progress(
    output.style("quiet", `types  not checked: TypeScript is not installed for ${packs}`),
  );
}

function printFixes(fixed: readonly AppliedFix[], output: Output): void {
  for (const { file, line, column, description } of fixed) {
    output.progress(`${output.style("good", "fixed")}  ${file}:${line}:${column}  ${description}`);
  }
}
