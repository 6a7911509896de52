import { resolve } from "node:path";
import type { Command } from "commander";
import { usageError } from "../../errors.ts";
import { readStats } from "../../shared/files.ts";
import type { TrustedFolder } from "../../shared/trusted-folders.ts";
import { printable } from "../output.ts";
import { examples, type VerbContext, withCommonOptions } from "../verb.ts";

interface TrustFlags {
  list?: boolean;
  remove?: boolean;
}

export function addTrustVerb(program: Command, { streams, output }: VerbContext): void {
  withCommonOptions(
    program
      .command("trust")
      .summary("Allow the programs of a project to run")
      .description(
        "Allow the programs of a project to run as you: its TypeScript compiler, and its git hooks and filters",
      )
      .addHelpText(
        "after",
        examples(
          "packsmith trust",
          "packsmith trust ../tasks-pack",
          "packsmith trust --list",
          "packsmith trust --remove",
        ),
      )
      .argument("[folder]", "project folder", ".")
      .option("--list", "list the folders with your answers")
      .option("--remove", "forget your answer for the folder; packsmith then asks again"),
    async () => (await import("../outputs/pack-outputs.ts")).trustOutput,
  ).action(async (folder: string, { list, remove }: TrustFlags) => {
    const trust = await import("../../shared/trusted-folders.ts");
    const { env, cwd } = streams;
    if (list === true && remove === true)
      throw usageError(
        "--list and --remove cannot be used together.",
        "Remove one of the two options.",
      );
    if (list === true) {
      const folders = trust.listAnswers(env);
      if (output.json) return output.document({ ok: true, folders });
      for (const each of folders) output.data(`${wordFor(each)}  ${printable(each.folder)}`);
      return;
    }
    const root = trust.trustRoot(resolve(cwd, folder));
    if (remove === true) trust.removeAnswer(root, env);
    else if (readStats(resolve(cwd, folder))?.isDirectory() !== true)
      throw usageError(`${printable(folder)} is not a folder.`, "Pass the folder of a project.");
    else trust.storeAnswer({ folder: root, isTrusted: true }, env);
    if (output.json)
      return output.document({
        ok: true,
        folders: trust.listAnswers(env).filter((each) => each.folder === root),
      });
    output.progress(
      `${output.style("good", remove === true ? "forgotten" : "trusted")}  ${printable(root)}`,
    );
  });
}

function wordFor({ isTrusted }: TrustedFolder): string {
  return isTrusted ? "trusted    " : "not trusted";
}
