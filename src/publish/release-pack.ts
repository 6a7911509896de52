import { rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { eachPack } from "../build/each-pack.ts";
import { createBuildRecord } from "../bundle/build-record.ts";
import type { TimerStrategy } from "../bundle/run-esbuild.ts";
import { mostSerious } from "../compare/change.ts";
import { comparePacks } from "../compare/compare-packs.ts";
import { PackError, type SourcePlace, usageError } from "../errors.ts";
import type { Pack } from "../execute/open-pack.ts";
import { replaceFile } from "../shared/atomic-write.ts";
import { notWritable } from "../shared/failures.ts";
import { readRegularFile, readRegularText } from "../shared/files.ts";
import { gitReason, requireInnerRepository, runGit, runGitWithHooks } from "../shared/git.ts";
import { createLocator } from "../validate/positions.ts";
import { readState } from "./diff-packs.ts";
import { findStateOfVersion, type PreviousRelease } from "./previous-release.ts";
import type { ReleaseResult } from "./release-result.ts";
import { type Bump, decideVersion } from "./release-version.ts";
import { findVersionPlace, type VersionPlace } from "./version-place.ts";
import { readWorkingTree, type WorkingTree } from "./working-tree.ts";
import { type ChangelogEntry, writeChangelog } from "./write-changelog.ts";

export interface ReleasePackOptions {
  cwd: string;
  /**
   * The version, or which of its numbers to raise. @default the version that the changes require
   */
  wanted?: { version: string } | { bump: Bump } | undefined;
  /** The release before: a build, a source or a git revision. @default what `findPrevious` finds */
  since?: string | undefined;
  /**
   * Finds the release before, from the version in the source. @default the commit that wrote this
   * version
   */
  findPrevious?: ((own: OwnVersion) => Promise<PreviousRelease | undefined>) | undefined;
  /** @default "CHANGELOG.md" next to the Pack */
  changelog?: string | false | undefined;
  /** Releases uncommitted changes. @default false */
  allowDirty?: boolean | undefined;
  /** Commits the version and the changelog. @default false */
  commit?: boolean | undefined;
  /** Releases breaking changes without a new major version. @default false */
  allowBreaking?: boolean | undefined;
  /**
   * Absolute paths of files that the releases of other Packs wrote: they are not open changes of
   * this one. A release adds its own.
   */
  written?: Set<string> | undefined;
  /** Writes nothing. @default false */
  dryRun?: boolean | undefined;
  /** @default "none" */
  timerStrategy?: TimerStrategy | undefined;
  /** Also checks the types, when TypeScript is installed. @default true */
  types?: boolean | undefined;
  /** The date in the changelog. @default the current time */
  now?: (() => Date) | undefined;
  /** Stops the release with the reason of the signal, and undoes what was written. */
  signal?: AbortSignal | undefined;
}

export interface OwnVersion {
  pack: Pick<Pack, "bundle" | "definition" | "compiled">;
  /** Undefined for a Pack that has none in its source. */
  current: string | undefined;
  /** Undefined when the version is not a plain text in the source. */
  place: VersionPlace | undefined;
  /** The state in the commit that wrote the current version. */
  findInGit(): Promise<PreviousRelease | undefined>;
}

/** What a release will change. */
export interface ReleasePlan {
  facts: Omit<ReleaseResult, "commit">;
  entry: string;
  tree: WorkingTree | undefined;
  edit: VersionEdit | undefined;
}

/**
 * Makes a release: writes the version into the source and the changes into the changelog. Nothing
 * leaves this machine. When it fails, the source stays as it was.
 * @throws {PackError} RELEASE_DIRTY, GIT_FAILED, RELEASE_VERSION, RELEASE_BREAKING,
 *   RELEASE_UNCHANGED, RELEASE_VERSION_PLACE, RELEASE_DETACHED, RELEASE_COMMIT_FAILED,
 *   OUTPUT_NOT_WRITABLE, and those of building and loading a Pack
 */
export async function releasePack(
  file: string,
  options: ReleasePackOptions,
): Promise<ReleaseResult> {
  const plan = await planRelease(file, options);
  return options.dryRun === true
    ? { ...plan.facts, commit: findCommit(plan) }
    : await makeRelease(file, plan, options);
}

/** Decides what a release will change, and writes nothing. @throws as `releasePack` */
export async function planRelease(file: string, options: ReleasePackOptions): Promise<ReleasePlan> {
  const { cwd } = options;
  const entry = resolve(cwd, file);
  const tree = await readWorkingTree(dirname(entry), options.allowDirty);
  const open = tree?.dirty.filter((path) => !options.written?.has(join(tree.root, path))) ?? [];
  if (open.length > 0 && options.allowDirty !== true) throw dirtyTree(open);

  const pack = await checkPack(file, options);
  const { name } = pack.bundle;
  const current = typeof pack.definition.version === "string" ? pack.definition.version : undefined;
  const before = await readPrevious(file, pack, { current, tree, options });
  const changes =
    before?.state === undefined
      ? []
      : comparePacks(before.state, createBuildRecord(pack.bundle, pack.compiled));
  const previous = before?.version;
  const { wanted, allowBreaking } = options;
  const newest = before?.newest;
  const version = decideVersion({ current, previous, newest, changes, wanted, allowBreaking });
  const edit = version === current ? undefined : planEdit(pack, version, current, file);
  const changelog =
    options.changelog === false || changes.length === 0 ? undefined : changelogPath(entry, options);
  if (options.commit === true) assertCommittable(tree, entry);
  const edited = edit?.place;
  const kind = mostSerious(changes);
  const facts = { name, version, previous, class: kind, changes, edited, changelog };
  return { facts, entry, tree, edit };
}

/** Writes what was planned. @throws as `releasePack` */
export async function makeRelease(
  file: string,
  plan: ReleasePlan,
  options: ReleasePackOptions,
): Promise<ReleaseResult> {
  const { facts, entry, tree, edit } = plan;
  const { name, version, changes, changelog } = facts;
  using changed = createUndoList();
  if (edit !== undefined) {
    await writeVersion(edit, entry, changed);
    // The types were checked before, and only the version has changed since.
    const { definition } = await checkPack(file, { ...options, types: false });
    if (definition.version !== version) throw notTaken(edit, version, file);
  }
  if (changelog !== undefined) {
    const releasedAt = options.now?.() ?? new Date();
    await addToChangelog(changelog, { version, releasedAt, changes }, changed);
  }
  options.signal?.throwIfAborted();
  const written = [edit?.path, changelog].filter((path) => path !== undefined);
  const own =
    options.commit === true && tree !== undefined && written.length > 0
      ? await commitFiles(tree, written, `Release ${name} ${version}`)
      : undefined;
  changed.keep();
  for (const path of written) options.written?.add(path);
  return { ...facts, commit: own ?? findCommit(plan) };
}

/** @throws {PackError} RELEASE_DETACHED; USAGE_INVALID without a repository */
function assertCommittable(tree: WorkingTree | undefined, entry: string): void {
  if (tree === undefined)
    throw usageError(
      `${dirname(entry)} is not in a git repository.`,
      "Remove --commit, or run git init first.",
    );
  if (tree.branch !== undefined) return;
  throw new PackError(
    "RELEASE_DETACHED",
    "No git branch is checked out, so the release commit could be lost.",
    {
      details: { commit: tree.commit },
      hint: "Check out a branch: git switch main. Or remove --commit.",
    },
  );
}

/** Commits only these files. @returns the commit. @throws {PackError} RELEASE_COMMIT_FAILED */
async function commitFiles(
  tree: WorkingTree,
  paths: readonly string[],
  message: string,
): Promise<string> {
  try {
    await requireInnerRepository(tree.root);
    return await addAndCommit(tree, paths, message);
  } catch (cause) {
    throw new PackError(
      "RELEASE_COMMIT_FAILED",
      `git did not commit the release: ${gitReason(cause)}.`,
      {
        details: { files: paths },
        hint: "Run git commit yourself to see the reason, then run the release again. packsmith restored the files.",
        cause,
      },
    );
  }
}

async function addAndCommit(
  { root, commit }: WorkingTree,
  paths: readonly string[],
  message: string,
): Promise<string> {
  try {
    // New files only become known; the commit reads them, with the filters of the repository.
    await runGit(root, "add", "--intent-to-add", "--", ...paths);
    // Two releases at once would commit the same version twice.
    const head = (
      await runGit(root, "rev-parse", "--verify", "--quiet", "HEAD").catch(() => "")
    ).trim();
    if (head !== (commit ?? "")) throw new Error("something else was committed during the release");
    await runGitWithHooks(root, "commit", "--quiet", "-m", message, "--", ...paths);
    return (await runGit(root, "rev-parse", "HEAD")).trim();
  } catch (cause) {
    await runGit(root, "reset", "--quiet", "--", ...paths).catch(() => undefined);
    throw cause;
  }
}

/** Changes of files that are undone unless `keep` is called, also when the process exits early. */
interface UndoList extends Disposable {
  add(path: string, before: string | undefined, after: string): void;
  keep(): void;
}

function createUndoList(): UndoList {
  const changes: { path: string; before: string | undefined; after: string }[] = [];
  const undo = (): void => {
    for (const { path, before, after } of changes.splice(0)) {
      try {
        // Do not overwrite what another program has written since.
        if (readRegularFile(path).toString() !== after) continue;
        if (before === undefined) rmSync(path);
        else writeFileSync(path, before);
      } catch {
        // The file cannot be written any more; the error that started the undo says why.
      }
    }
  };
  process.once("exit", undo);
  return {
    add: (path, before, after) => void changes.push({ path, before, after }),
    keep: () => void changes.splice(0),
    [Symbol.dispose]() {
      process.removeListener("exit", undo);
      undo();
    },
  };
}

/** Loads and checks the Pack. Throws when there is an error. */
export async function checkPack(
  file: string,
  { cwd, timerStrategy, types, signal }: ReleasePackOptions,
): Promise<Pick<Pack, "bundle" | "definition" | "compiled">> {
  let pack: Pick<Pack, "bundle" | "definition" | "compiled"> | undefined;
  const { failure } = await eachPack(
    [file],
    { cwd, timerStrategy, types, signal, keepSources: true },
    async (checked) => {
      pack = checked;
    },
  );
  if (failure !== undefined) throw failure.cause;
  if (pack === undefined) throw new TypeError("The Pack did not fail, but was not loaded.");
  return pack;
}

async function readPrevious(
  file: string,
  pack: Pick<Pack, "bundle" | "definition" | "compiled">,
  own: {
    current: string | undefined;
    tree: WorkingTree | undefined;
    options: ReleasePackOptions;
  },
): Promise<PreviousRelease | undefined> {
  const { current, tree, options } = own;
  const { cwd, since, findPrevious } = options;
  if (since !== undefined) {
    const state = await readState(since, { cwd, other: file });
    return { version: state.version, state };
  }
  const found = current === undefined ? undefined : findVersionPlace(pack, current);
  const findInGit = async () =>
    found === undefined || current === undefined || tree?.commit === undefined
      ? undefined
      : await findStateOfVersion(resolve(cwd, file), current, found, tree);
  return findPrevious === undefined
    ? await findInGit()
    : await findPrevious({ pack, current, place: found, findInGit });
}

/** A change of the source that sets the version. */
export interface VersionEdit {
  /** Absolute path. */
  path: string;
  place: SourcePlace;
  before: string;
  after: string;
}

/**
 * @throws {PackError} RELEASE_VERSION_PLACE when the version is not a plain string in one of the
 * Pack's own files
 */
export function planEdit(
  pack: Pick<Pack, "bundle" | "definition">,
  version: string,
  current: string | undefined,
  file: string,
): VersionEdit {
  const found = current === undefined ? undefined : findVersionPlace(pack, current);
  if (found === undefined) {
    const place = createLocator(pack.definition, pack.bundle.sources).position(["version"]) ?? {
      file: basename(file),
      line: 1,
      column: 1,
    };
    throw noPlace(place, version, current, file);
  }
  const { path, place, text, start, end } = found;
  const quote = text.charAt(start);
  const after = `${text.slice(0, start)}${quote}${version}${quote}${text.slice(end)}`;
  return { path, place, before: text, after };
}

async function writeVersion(
  { path, before, after }: VersionEdit,
  entry: string,
  changed: UndoList,
): Promise<void> {
  if (!(await replaceFile(path, before, after))) {
    throw new PackError(
      "OUTPUT_NOT_WRITABLE",
      `${relative(dirname(entry), path)} changed during the release.`,
      {
        details: { path },
        hint: "Release again when no other program writes to the file.",
      },
    );
  }
  changed.add(path, before, after);
}

async function addToChangelog(
  path: string,
  { version, releasedAt, changes }: ChangelogEntry,
  changed: UndoList,
): Promise<void> {
  const before = await readRegularText(path).catch(() => undefined);
  try {
    await writeChangelog(path, { version, releasedAt, changes });
    changed.add(path, before, await readRegularText(path));
  } catch (cause) {
    throw notWritable(
      "The changelog",
      path,
      "Check the file's permissions, choose another --changelog, or pass --no-changelog.",
      cause,
    );
  }
}

function changelogPath(entry: string, { cwd, changelog }: ReleasePackOptions): string {
  return typeof changelog === "string"
    ? resolve(cwd, changelog)
    : join(dirname(entry), "CHANGELOG.md");
}

/** The commit that the release is, when nothing needs to be written. */
function findCommit({ tree, edit, facts }: ReleasePlan): string | undefined {
  const isCommitted = tree?.dirty.length === 0 && edit === undefined;
  return isCommitted && facts.changelog === undefined ? tree.commit : undefined;
}

function dirtyTree(dirty: string[]): PackError<"RELEASE_DIRTY"> {
  const [first = "", ...others] = dirty;
  const rest = others.length === 0 ? "" : ` and ${others.length} more`;
  return new PackError(
    "RELEASE_DIRTY",
    `The release would contain uncommitted changes: ${first}${rest}.`,
    {
      details: { files: dirty },
      hint: "Commit the changes so that others can build the same release, or pass --allow-dirty.",
    },
  );
}

function noPlace(
  place: SourcePlace,
  version: string,
  current: string | undefined,
  file: string,
): PackError<"RELEASE_VERSION_PLACE"> {
  const message =
    current === undefined
      ? "The Pack has no version."
      : "packsmith cannot replace the version in the source, because the version is not a plain string.";
  const todo =
    current === undefined
      ? `Write newPack({ version: "${version}" }) in ${basename(file)}, then run the command again.`
      : `Set the version to ${version} in the code that defines it, then run the command again.`;
  return new PackError("RELEASE_VERSION_PLACE", message, {
    details: { version },
    hint: todo,
    place,
  });
}

function notTaken(
  { place }: VersionEdit,
  version: string,
  file: string,
): PackError<"RELEASE_VERSION_PLACE"> {
  return new PackError(
    "RELEASE_VERSION_PLACE",
    `Changing the version at ${place.file}:${place.line} does not change the version of ${basename(file)}.`,
    {
      details: { version },
      hint: `Set the version to ${version} in the code that defines it, then run the command again.`,
      place,
    },
  );
}
