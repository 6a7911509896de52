import { dirname, relative, resolve } from "node:path";
import { type Command, Option } from "commander";
import { isPackError, usageError } from "../../errors.ts";
import type { ReleasePackOptions } from "../../publish/release-pack.ts";
import type { ReleaseResult } from "../../publish/release-result.ts";
import type { Bump } from "../../publish/release-version.ts";
import { editText, findEditor } from "../edit-text.ts";
import {
  type ManyFlags,
  printTitle,
  runPacks,
  runSources,
  withContinuation,
} from "../many-packs.ts";
import { type Output, printable } from "../output.ts";
import { parseTimerStrategy, TIMER_STRATEGY_TEXT } from "../parse-flags.ts";
import { chooseRegistry, openRegistry } from "../registry.ts";
import { examples, trustOption, type VerbContext, withCommonOptions } from "../verb.ts";
import { CHANGE_TONES } from "./diff.ts";

interface ReleaseFlags extends ManyFlags {
  version?: string;
  bump?: Bump;
  since?: string;
  changelog?: string | false;
  allowDirty?: boolean;
  allowBreaking?: boolean;
  dryRun?: boolean;
  timerStrategy?: string;
  types: boolean;
  commit?: boolean;
  publish?: true | string;
  notes?: string;
  gitTag?: boolean;
  allowOlderSdkVersion?: boolean;
}

export function addReleaseVerb(program: Command, context: VerbContext): void {
  const command = program
    .command("release")
    .summary("Choose the next version, and publish the Pack")
    .description(
      "Choose the next version of each Pack from the changes that affect its users, and publish the Packs",
    )
    .addHelpText(
      "after",
      examples(
        "packsmith release",
        "packsmith release --bump minor --dry-run",
        'packsmith release --publish --commit --notes "Adds due dates"',
        'packsmith release "packs/*/pack.ts" --publish --commit',
      ),
    );
  addVersionOptions(command);
  addPublishOptions(command);
  withCommonOptions(
    withContinuation(command),
    async () => (await import("../outputs/registry-outputs.ts")).releaseOutput,
    "releasePack",
  ).action(async (patterns: string[], flags: ReleaseFlags) => {
    const { files, version: uploaded } = splitVersion(patterns);
    const publish = flags.publish ?? uploaded;
    const options = readOptions(flags, context);
    if (publish === undefined) return await releaseSources(files, flags, options, context);
    await publishSources(files, flags, { ...options, publish }, context);
  });
}

function addVersionOptions(command: Command): void {
  command
    .option("--version <version>", "new version (default: chosen from the changes)")
    .addOption(
      new Option("--bump <number>", "part of the version to raise")
        .choices(["patch", "minor", "major"])
        .conflicts("version"),
    )
    .option(
      "--since <old>",
      "previous release: the folder of a build, or a git revision (default: the commit that wrote the current version)",
    )
    .option("--changelog <file>", "changelog to add to (default: CHANGELOG.md next to the Pack)")
    .option("--no-changelog", "do not write a changelog")
    .option("--allow-dirty", "release even if there are uncommitted changes")
    .option("--allow-breaking", "release a breaking change without a new major version")
    .option("--dry-run", "show the planned changes without writing them")
    .option("--timer-strategy <name>", TIMER_STRATEGY_TEXT)
    .option(
      "--no-types",
      "do not check types; by default, packsmith checks types if TypeScript is installed",
    )
    .addOption(trustOption());
}

function addPublishOptions(command: Command): void {
  command
    .option("--commit", "commit the new version and the changelog")
    .option(
      "--publish [version]",
      "also upload the version, and release it to users. With VERSION: release this uploaded version",
    )
    .option(
      "--notes <text>",
      "with --publish: notes for users (default: the changelog entry, or the list of changes)",
    )
    .option(
      "--git-tag",
      "with --publish: tag the commit as pack/ID/vVERSION (default: gitTag in .coda-pack.json)",
    )
    .addOption(new Option("--no-git-tag").hideHelp())
    .option(
      "--allow-older-sdk-version",
      "with --publish: upload even if the newest version was built with a later SDK",
    );
}

/** `release FILE VERSION` is how the command line of `@codahq/packs-sdk` publishes a version. */
function splitVersion(patterns: readonly string[]): {
  files: string[];
  version: string | undefined;
} {
  const last = patterns.at(-1) ?? "";
  return patterns.length === 2 && /^\d+(?:\.\d+){0,2}(?:-prerelease\.\d+)?$/.test(last)
    ? { files: patterns.slice(0, 1), version: last }
    : { files: [...patterns], version: undefined };
}

function readOptions(flags: ReleaseFlags, { streams, signal }: VerbContext): ReleasePackOptions {
  const { version, bump, since, changelog, allowDirty, allowBreaking, dryRun, types } = flags;
  const wanted = version === undefined ? (bump === undefined ? undefined : { bump }) : { version };
  return {
    cwd: streams.cwd,
    wanted,
    since,
    changelog,
    allowDirty,
    allowBreaking,
    dryRun,
    timerStrategy: parseTimerStrategy(flags.timerStrategy),
    types,
    signal,
    commit: flags.commit,
    // What was written for one Pack is not a change of the next.
    written: new Set<string>(),
  };
}

/** Raises versions in the source, and sends nothing. */
async function releaseSources(
  patterns: readonly string[],
  flags: ReleaseFlags,
  options: ReleasePackOptions,
  context: VerbContext,
): Promise<void> {
  const { output, streams } = context;
  const { releasePack } = await import("../../publish/release-pack.ts");
  await runSources<SourceRelease>(context, {
    patterns,
    flags,
    async work(file) {
      const findPrevious = await createPreviousFinder(file, flags, context);
      const more = { dryRun: options.dryRun === true, file };
      const release = releasePack(file, { ...options, findPrevious });
      return await release.then(
        (made) => ({ ...more, ...made }),
        (error: unknown) => {
          if (flags.continue !== true || !isPackError(error, "RELEASE_UNCHANGED")) throw error;
          return { ...more, version: error.details.previous, isUnchanged: true as const };
        },
      );
    },
    print(result, isOne) {
      printTitle(output, result.file, isOne);
      if ("isUnchanged" in result)
        output.progress(`nothing has changed since version ${result.version}`);
      else printRelease(result, result.dryRun, output, streams.cwd);
    },
    mayContinue: true,
    word: (result) => ("isUnchanged" in result ? "unchanged" : "released"),
  });
}

type SourceRelease = { file: string; dryRun: boolean } & (
  | ReleaseResult
  | { version: string; isUnchanged: true }
);

/**
 * Finds what users have, for a Pack that is in a registry.
 * @returns undefined without a registry or a token: then the commit that wrote the version counts
 */
async function createPreviousFinder(
  file: string,
  flags: ReleaseFlags,
  context: VerbContext,
): Promise<ReleasePackOptions["findPrevious"]> {
  const { output, streams } = context;
  const folder = dirname(resolve(streams.cwd, file));
  const { readPackId } = await import("../../publish/registry/pack-id-file.ts");
  const packId = readPackId(folder, await chooseRegistry(context, flags, folder));
  if (packId === undefined || flags.since !== undefined) return undefined;
  try {
    const client = await openRegistry(context, flags, folder);
    const { findPreviousRelease } = await import("../../publish/registry/released-state.ts");
    return (own) => findPreviousRelease(own, packId, client);
  } catch (error) {
    if (!isPackError(error, "REGISTRY_TOKEN_MISSING")) throw error;
    output.progress("without a token, packsmith compares with the commit that wrote the version");
    return undefined;
  }
}

async function publishSources(
  patterns: readonly string[],
  flags: ReleaseFlags,
  { publish, ...options }: ReleasePackOptions & { publish: true | string },
  context: VerbContext,
): Promise<void> {
  const { streams, output } = context;
  if (options.dryRun === true)
    throw usageError(
      "--dry-run and --publish cannot be used together.",
      "Run packsmith release --dry-run and packsmith upload --dry-run.",
    );
  const { publishRelease } = await import("../../publish/registry/publish-release.ts");
  const { readPackIdFile } = await import("../../publish/registry/pack-id-file.ts");
  const version = publish === true ? undefined : publish;
  const { notes, allowOlderSdkVersion } = flags;
  const editor = output.json ? undefined : findEditor(streams);
  const editNotes =
    editor === undefined
      ? undefined
      : (proposed: string) => editText(proposed, "release-notes.md", editor, streams.env);
  await runPacks(context, {
    patterns,
    flags,
    async work({ file, folder, client }) {
      const gitTag = flags.gitTag ?? readPackIdFile(folder).options?.gitTag;
      const more = { client, version, notes, editNotes, gitTag, allowOlderSdkVersion };
      return { file, ...(await publishRelease(file, { ...options, ...more })) };
    },
    print({ file, packId, release, isCurrent, made, tag }, isOne) {
      printTitle(output, file, isOne);
      if (made !== undefined) printRelease(made, false, output, streams.cwd);
      if (isCurrent) output.progress(`users already have ${release.packVersion}`);
      else
        output.data(
          `${output.style("good", "released")}  Pack ${packId}  ${release.packVersion}  release ${release.releaseId}`,
        );
      if (tag !== undefined)
        output.progress(`tag        ${tag.name}${tag.isNew ? "" : " (already exists)"}`);
    },
    mayContinue: true,
    word: ({ isCurrent }) => (isCurrent ? "unchanged" : "released"),
  });
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
