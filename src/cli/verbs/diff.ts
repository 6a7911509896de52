import { resolve } from "node:path";
import type { Command } from "commander";
import type { ChangeClass } from "../../compare/change.ts";
import { printable, type Tone } from "../output.ts";
import { EXIT_CODES, examples, type VerbContext, withCommonOptions } from "../verb.ts";

interface DiffFlags {
  write?: boolean | string;
}

export const CHANGE_TONES: Readonly<Record<ChangeClass, Tone>> = { breaking: "bad", review: "warning", safe: "quiet" };

export function addDiffVerb(program: Command, { streams, output, end }: VerbContext): void {
  withCommonOptions(
    program
      .command("diff")
      .description("Show what changed for users of a Pack, and which changes break their docs")
      .addHelpText(
        "after",
        examples("packsmith diff HEAD~1", "packsmith diff v1.2:pack.ts pack.ts", "packsmith diff release/tasks-1.2.0.tgz --write"),
      )
      .argument("<old>", "the folder of a build, a release, a Pack's source, or a git revision such as HEAD~1 or v1.2:pack.ts")
      .argument("[new]", "the same forms", "pack.ts")
      .option("--write [file]", "put the entry of the advised version into a changelog (default: CHANGELOG.md)"),
  ).action(async (before: string, after: string, flags: DiffFlags) => {
    const [{ diffPacks }, { writeChangelog }] = await Promise.all([
      import("../../publish/diff-packs.ts"),
      import("../../publish/write-changelog.ts"),
    ]);
    const difference = await diffPacks(before, after, { cwd: streams.cwd });
    if (difference.class === "breaking") end(EXIT_CODES.breaking);
    const file = flags.write === true ? "CHANGELOG.md" : flags.write || undefined;
    if (file !== undefined && difference.changes.length > 0) {
      await writeChangelog(resolve(streams.cwd, file), difference.advice ?? "Unreleased", difference.changes);
    }
    if (output.json) return output.document({ ok: difference.class !== "breaking", ...difference });
    for (const change of difference.changes) {
      const label = output.style(CHANGE_TONES[change.class], change.class.padEnd(8));
      output.data(`${label}  ${printable(change.subject)}  ${printable(change.message)}  ${change.code}`);
    }
    if (difference.changes.length === 0) output.progress("nothing changed");
    if (difference.advice !== undefined) output.progress(`advice    ${difference.version} → ${difference.advice}`);
    if (file !== undefined && difference.changes.length > 0) output.progress(`written   ${file}`);
  });
}
