import { dirname, relative, resolve } from "node:path";
import { type Command, Option } from "commander";
import { usageError } from "../../errors.ts";
import type { ReleasePackOptions } from "../../publish/release-pack.ts";
import type { ReleaseResult } from "../../publish/release-result.ts";
import type { Bump } from "../../publish/release-version.ts";
import { editText, findEditor } from "../edit-text.ts";
import { type Output, printable } from "../output.ts";
import { parseTimerStrategy } from "../parse-flags.ts";
import { openRegistry, type RegistryFlags, withRegistryOption } from "../registry.ts";
import { examples, type VerbContext, withCommonOptions } from "../verb.ts";
import { CHANGE_TONES } from "./diff.ts";

interface ReleaseFlags extends RegistryFlags {
  version?: string;
  bump?: Bump;
  since?: string;
  changelog?: string | false;
  allowDirty?: boolean;
  allowBreaking?: boolean;
  dryRun?: boolean;
  timerStrategy: string;
  types: boolean;
  commit?: boolean;
  publish?: true | string;
  notes?: string;
  gitTag?: boolean;
  allowOlderSdkVersion?: boolean;
}

export function addReleaseVerb(program: Command, context: VerbContext): void {
  const { streams, output, signal } = context;
  withCommonOptions(
    withRegistryOption(
      program
        .command("release")
        .summary("Raise the version, and publish it")
        .description("Raise the version of a Pack by what changed for its users, and publish it")
        .addHelpText(
          "after",
          examples(
            "packsmith release",
            "packsmith release --bump minor --dry-run",
            'packsmith release --publish --commit --notes "Adds due dates"',
          ),
        )
        .argument("[file]", "entry file of the Pack", "pack.ts")
        .option("--version <version>", "the new version (default: follows from what changed)")
        .addOption(
          new Option("--bump <number>", "which number of the version to raise")
            .choices(["patch", "minor", "major"])
            .conflicts("version"),
        )
        .option(
          "--since <old>",
          "the release before: the folder of a build, or a git revision (default: the commit that wrote the version)",
        )
        .option(
          "--changelog <file>",
          "changelog to add to (default: CHANGELOG.md next to the Pack)",
        )
        .option("--no-changelog", "write no changelog")
        .option("--allow-dirty", "release even if something is not committed")
        .option("--allow-breaking", "release a breaking change without a new major version")
        .option("--dry-run", "show what would be done, and write nothing")
        .option("--timer-strategy <name>", "what setTimeout does: none, error or fake", "none")
        .option("--no-types", "skip the type check, which runs if TypeScript is installed")
        .option("--commit", "commit the new version and the changelog")
        .option(
          "--publish [version]",
          "also upload the version, and release it to users; with a version, release one that was uploaded",
        )
        .option(
          "--notes <text>",
          "with --publish: what is new, for the users of the Pack (default: from the changelog, or the list of changes)",
        )
        .option("--git-tag", "with --publish: tag the commit as pack/ID/vVERSION")
        .option(
          "--allow-older-sdk-version",
          "with --publish: upload even if the newest version was built with a later SDK",
        ),
    ),
    async () => (await import("../outputs/registry-outputs.ts")).releaseOutput,
    "releasePack",
  ).action(async (file: string, flags: ReleaseFlags) => {
    const { cwd } = streams;
    const { releasePack } = await import("../../publish/release-pack.ts");
    const { version, bump, since, changelog, allowDirty, allowBreaking, dryRun, types } = flags;
    const wanted =
      version === undefined ? (bump === undefined ? undefined : { bump }) : { version };
    const timerStrategy = parseTimerStrategy(flags.timerStrategy);
    const options = {
      cwd,
      wanted,
      since,
      changelog,
      allowDirty,
      allowBreaking,
      dryRun,
      timerStrategy,
      types,
      signal,
      commit: flags.commit,
    };
    if (flags.publish !== undefined) return await publish(file, flags, options, context);
    const result = await releasePack(file, options);
    if (output.json) return output.document({ ok: true, dryRun: dryRun === true, ...result });
    printRelease(result, dryRun === true, output, cwd);
  });
}

async function publish(
  file: string,
  flags: ReleaseFlags,
  options: ReleasePackOptions,
  context: VerbContext,
): Promise<void> {
  const { streams, output } = context;
  if (options.dryRun === true)
    throw usageError(
      "--dry-run does not publish.",
      "Run packsmith release --dry-run and packsmith upload --dry-run.",
    );
  const client = await openRegistry(context, flags, dirname(resolve(streams.cwd, file)));
  const { publishRelease } = await import("../../publish/registry/publish-release.ts");
  const version = flags.publish === true ? undefined : flags.publish;
  const { notes, gitTag, allowOlderSdkVersion } = flags;
  const editor = output.json ? undefined : findEditor(streams);
  const editNotes =
    editor === undefined
      ? undefined
      : (proposed: string) => editText(proposed, "release-notes.md", editor);
  const published = await publishRelease(file, {
    ...options,
    client,
    version,
    notes,
    editNotes,
    gitTag,
    allowOlderSdkVersion,
  });
  if (output.json) return output.document({ ok: true, ...published });
  const { packId, release, isCurrent, made, tag } = published;
  if (made !== undefined) printRelease(made, false, output, streams.cwd);
  if (isCurrent) output.progress(`${release.packVersion} is what users have already`);
  else
    output.data(
      `${output.style("good", "released")}  Pack ${packId}  ${release.packVersion}  release ${release.releaseId}`,
    );
  if (tag !== undefined)
    output.progress(`tag        ${tag.name}${tag.isNew ? "" : ", which was there"}`);
}

function printRelease(result: ReleaseResult, isDry: boolean, output: Output, cwd: string): void {
  const { name, version, previous, changes, edited, changelog, commit } = result;
  for (const change of changes) {
    const label = output.style(CHANGE_TONES[change.class], change.class.padEnd(9));
    output.progress(
      `${label}  ${printable(change.subject)}  ${printable(change.message)}  ${change.code}`,
    );
  }
  output.progress(`version    ${previous === undefined ? "" : `${previous} → `}${version}`);
  if (edited !== undefined)
    output.progress(`edited     ${edited.file}:${edited.line}:${edited.column}`);
  if (changelog !== undefined) output.progress(`changelog  ${relative(cwd, changelog)}`);
  if (commit !== undefined) output.progress(`commit     ${commit}`);
  if (isDry)
    output.progress(
      `${output.style("good", "would be")}   ${name} ${version}; nothing was written`,
    );
  else output.data(`${name} ${version}`);
}
