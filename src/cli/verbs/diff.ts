import { dirname, resolve } from "node:path";
import type { Command } from "commander";
import type { ChangeClass } from "../../compare/change-codes.ts";
import type { Change } from "../../compare/change-schema.ts";
import { usageError } from "../../errors.ts";
import { type Output, printable, type Tone } from "../output.ts";
import { openRegistry, type RegistryFlags, withRegistryOption } from "../registry.ts";
import { EXIT_CODES, examples, type VerbContext, withCommonOptions } from "../verb.ts";

interface DiffFlags extends RegistryFlags {
  live?: true | string;
  write?: boolean | string;
  allowBreaking?: boolean;
}

export const CHANGE_TONES: Readonly<Record<ChangeClass, Tone>> = {
  breaking: "bad",
  review: "warning",
  safe: "quiet",
};

export function addDiffVerb(program: Command, context: VerbContext): void {
  const { streams, output, end } = context;
  withCommonOptions(
    withRegistryOption(
      program
        .command("diff")
        .summary("Show what changed for the users of a Pack")
        .description(
          "Show what changed for users of a Pack, and which changes break their documents",
        )
        .addHelpText(
          "after",
          examples(
            "packsmith diff HEAD~1",
            "packsmith diff v1.2:pack.ts pack.ts",
            "packsmith diff v1.2 --write",
            "packsmith diff --live",
          ),
        )
        .argument(
          "[old]",
          "older state of the Pack: a build folder, a source file, or a git revision such as HEAD~1 or v1.2:pack.ts",
        )
        .argument(
          "[new]",
          "newer state of the Pack, in one of the same forms as the older state",
          "pack.ts",
        )
        .option(
          "--write [file]",
          "add an entry with the suggested version to this changelog (default: CHANGELOG.md)",
        )
        .option("--live [file]", "compare the source with the released version")
        .option("--allow-breaking", "exit with code 0 even if the Pack has a breaking change"),
    ),
    async () => (await import("../outputs/pack-outputs.ts")).diffOutput,
  ).action(async (before: string | undefined, after: string, flags: DiffFlags) => {
    if (flags.live !== undefined)
      return await diffLive(
        flags.live === true ? (before ?? "pack.ts") : flags.live,
        flags,
        context,
      );
    if (before === undefined)
      throw usageError(
        "There is nothing to compare with.",
        "Pass an older state of the Pack, such as HEAD~1, or pass --live.",
      );
    const [{ diffPacks }, { writeChangelog }] = await Promise.all([
      import("../../publish/diff-packs.ts"),
      import("../../publish/write-changelog.ts"),
    ]);
    const difference = await diffPacks(before, after, { cwd: streams.cwd });
    const isFine = difference.class !== "breaking" || flags.allowBreaking === true;
    if (!isFine) end(EXIT_CODES.breaking);
    const file = flags.write === true ? "CHANGELOG.md" : flags.write || undefined;
    if (file !== undefined && difference.changes.length > 0) {
      await writeChangelog(resolve(streams.cwd, file), {
        version: difference.advice ?? "Unreleased",
        changes: difference.changes,
      });
    }
    if (output.json) return output.document({ ok: isFine, ...difference });
    printChanges(difference.changes, output);
    if (difference.changes.length === 0) output.progress("nothing changed");
    if (difference.advice !== undefined)
      output.progress(`advice    ${difference.version} → ${difference.advice}`);
    if (file !== undefined && difference.changes.length > 0) output.progress(`written   ${file}`);
  });
}

async function diffLive(file: string, flags: DiffFlags, context: VerbContext): Promise<void> {
  const { streams, output, end } = context;
  const client = await openRegistry(context, flags, dirname(resolve(streams.cwd, file)));
  const { compareWithLive } = await import("../../publish/registry/live-difference.ts");
  const difference = await compareWithLive(file, { cwd: streams.cwd, client });
  const isFine = difference.class !== "breaking" || flags.allowBreaking === true;
  if (!isFine) end(EXIT_CODES.breaking);
  if (output.json) return output.document({ ok: isFine, ...difference });
  const { released, newest, uploaded, source, changes, nextVersion } = difference;
  output.progress(
    `users have  ${released ?? "no version"}${newest === released ? "" : `; uploaded since: ${newest ?? "nothing"}`}`,
  );
  for (const finding of uploaded) output.data(`${newest}  ${printable(finding)}`);
  for (const finding of source) output.data(`source  ${printable(finding)}`);
  printChanges(changes ?? [], output);
  if (uploaded.length + source.length + (changes?.length ?? 0) === 0)
    output.progress("nothing changed for users");
  if (nextVersion !== undefined) output.progress(`next        ${nextVersion}`);
}

export function printChanges(changes: readonly Change[], output: Output): void {
  for (const { class: kind, subject, message, code } of changes)
    output.data(
      `${output.dataStyle(CHANGE_TONES[kind], kind.padEnd(8))}  ${printable(subject)}  ${printable(message)}  ${code}`,
    );
}
