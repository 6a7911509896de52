import type { Command } from "commander";
import { EXIT_CODES } from "../exit-codes.ts";
import { printable } from "../output.ts";
import { type VerbContext, withCommonOptions } from "../verb.ts";

/** `doctor --leaks`: looks for secrets in a project. */
export function addDoctorVerb(program: Command, { streams, output, redactor, end }: VerbContext): void {
  withCommonOptions(
    program
      .command("doctor")
      .description("look for trouble in a project")
      .requiredOption(
        "--leaks [directory]",
        "look for secrets of the connected accounts, and for what looks like a secret; prints places, never secrets",
      ),
  ).action(async (flags: { leaks: string | true }) => {
    const [{ findLeaks }, { vaultLocation }] = await Promise.all([
      import("../../commands/find-leaks.ts"),
      import("../../commands/home.ts"),
    ]);
    const report = await findLeaks({
      directory: flags.leaks === true ? undefined : flags.leaks,
      cwd: streams.cwd,
      ...vaultLocation(streams.env),
      redactor,
    });
    const { leaks, files, skipped, accounts } = report;
    if (leaks.length > 0) end(EXIT_CODES.problem);
    if (output.json) return output.document({ ok: leaks.length === 0, ...report });
    for (const { file, line, column, kind, message } of leaks) {
      output.data(`${printable(file)}:${line}:${column}  ${output.style("bad", kind)}  ${printable(message)}`);
    }
    for (const file of skipped) output.progress(`${output.style("warning", "skipped")}  ${printable(file)} is too large to be read`);
    const looked = `${files} files, the secrets of ${accounts} ${accounts === 1 ? "account" : "accounts"}`;
    if (leaks.length === 0) return output.progress(`${output.style("good", "no secret found")}  ${looked}`);
    output.progress(`${output.style("bad", `${leaks.length} found`)}  ${looked}`);
    output.progress("  → Take each out, and have the provider issue a new one: what was written down once may have been read.");
  });
}
