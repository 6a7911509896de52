import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { eachPack } from "../build/each-pack.ts";
import { type BuildRecord, createBuildRecord } from "../bundle/build-record.ts";
import type { TimerStrategy } from "../bundle/run-esbuild.ts";
import { type Change, type ChangeClass, mostSerious } from "../compare/change.ts";
import { type ComparedPack, comparePacks } from "../compare/compare-packs.ts";
import { PackError, type SourcePlace, usageError } from "../errors.ts";
import type { Pack } from "../execute/open-pack.ts";
import { replaceFile, writeAtomically } from "../shared/atomic-write.ts";
import { makeFolder } from "../shared/make-folder.ts";
import { gitReason, runGit, runGitWithHooks } from "../shared/run-tool.ts";
import { sha256 } from "../shared/sha256.ts";
import { systemReason } from "../shared/system-failure.ts";
import { createLocator } from "../validate/positions.ts";
import { followed, textOf } from "../validate/syntax.ts";
import { readState } from "./diff-packs.ts";
import type { ReleaseCommit, ReleaseParameters } from "./provenance.ts";
import { packRelease, readRelease } from "./release-archive.ts";
import { type Bump, compareVersions, decideVersion } from "./release-version.ts";
import { readWorkingTree, type WorkingTree } from "./working-tree.ts";
import { writeChangelog } from "./write-changelog.ts";

export interface ReleasePackOptions {
  cwd: string;
  /** The folder of the archives. @default "release" */
  outDir?: string | undefined;
  /**
   * The version, or which of its numbers to raise. @default the version that the changes require
   */
  wanted?: { version: string } | { bump: Bump } | undefined;
  /**
   * The previous release: an archive, a build, a source or a git revision. @default the newest
   * archive in `outDir`
   */
  since?: string | undefined;
  /** @default "CHANGELOG.md" next to the Pack */
  changelog?: string | false | undefined;
  /** Releases changes that are not committed. @default false */
  allowDirty?: boolean | undefined;
  /** Commits the version and the changelog, and names that commit in the archive. @default false */
  commit?: boolean | undefined;
  /** Releases breaking changes without a new major version. @default false */
  allowBreaking?: boolean | undefined;
  /** Writes nothing. @default false */
  dryRun?: boolean | undefined;
  /** @default "none" */
  timerStrategy?: TimerStrategy | undefined;
  /** Also checks the types, when TypeScript is installed. @default true */
  types?: boolean | undefined;
  /** Stops the release with the reason of the signal, and undoes what was written. */
  signal?: AbortSignal | undefined;
}

export interface ReleaseResult {
  name: string;
  version: string;
  /** The version of the previous release. */
  previous: string | undefined;
  class: ChangeClass | undefined;
  changes: Change[];
  /** Where the version was written in the source; undefined when the source had it already. */
  edited: SourcePlace | undefined;
  /** Absolute path of the changelog that lists the changes. */
  changelog: string | undefined;
  /** The commit of the sources; undefined without git, or with changes that are not committed. */
  commit: string | undefined;
  /** Absolute path of the archive; with `dryRun`, where it would be. */
  archive: string;
  /** Undefined with `dryRun`, because the version is part of the bundle and was not written. */
  bytes: number | undefined;
  sha256: string | undefined;
}

/**
 * Makes a release: writes the version into the source and the changes into the changelog, and packs
 * the build and its
 * provenance into one archive. Nothing leaves this machine. When it fails, the source stays as it
 * was.
 * @throws {PackError} RELEASE_DIRTY, GIT_FAILED, RELEASE_VERSION, RELEASE_BREAKING,
 *   RELEASE_UNCHANGED, RELEASE_VERSION_PLACE, RELEASE_INVALID,
 * OUTPUT_NOT_WRITABLE, and those of building and loading a Pack
 */
export async function releasePack(
  file: string,
  options: ReleasePackOptions,
): Promise<ReleaseResult> {
  const { cwd, outDir = "release", dryRun = false, timerStrategy = "none" } = options;
  const folder = resolve(cwd, outDir);
  const entry = resolve(cwd, file);
  const tree = await readWorkingTree(dirname(entry), folder, options.allowDirty);
  if (tree !== undefined && tree.dirty.length > 0 && options.allowDirty !== true)
    throw dirtyTree(tree);

  const pack = await checkedPack(file, options);
  const { name } = pack.bundle;
  const current = typeof pack.definition.version === "string" ? pack.definition.version : undefined;
  const before = await readPrevious(name, folder, options, file);
  const changes =
    before === undefined ? [] : comparePacks(before, createBuildRecord(pack.bundle, pack.compiled));
  const previous = before?.version;
  const { wanted, allowBreaking } = options;
  const version = decideVersion({ current, previous, changes, wanted, allowBreaking });
  const archive = join(folder, `${name}-${version}.tgz`);
  const edit = version === current ? undefined : versionEdit(pack, version, current, file);
  const parameters: ReleaseParameters = {
    entry: entryName(entry, tree),
    minify: true,
    timerStrategy,
  };
  const changelog =
    options.changelog === false || changes.length === 0 ? undefined : changelogPath(entry, options);
  const facts = {
    name,
    version,
    previous,
    class: mostSerious(changes),
    changes,
    edited: edit?.place,
    changelog,
    archive,
  };
  const commits = options.commit === true;
  if (commits) assertCommittable(tree, entry);
  const commit = commitOf(tree, edit, entry);
  if (dryRun) return { ...facts, commit: commit?.commit, bytes: undefined, sha256: undefined };

  using changed = createUndoList();
  if (edit !== undefined) await writeVersion(edit, entry, changed);
  // The types were checked above, and only the version has changed since.
  const released =
    edit === undefined ? pack : await checkedPack(file, { ...options, types: false });
  if (edit !== undefined && released.definition.version !== version)
    throw notTaken(edit, version, file);
  if (changelog !== undefined) await addToChangelog(changelog, version, changes, changed);
  const written = [edit?.path, changelog].filter((path) => path !== undefined);
  const own =
    commits && tree !== undefined && written.length > 0
      ? await commitFiles(tree, written, `Release ${name} ${version}`)
      : undefined;
  // From here the files are part of a commit.
  if (own !== undefined) changed.keep();
  const origin = own === undefined ? commit : { commit: own, modified: [] };
  const bytes = packRelease(
    released.bundle,
    createBuildRecord(released.bundle, released.compiled),
    {
      parameters,
      commit: origin,
    },
  );
  await writeArchive(archive, bytes);
  changed.keep();
  return {
    ...facts,
    commit: origin?.commit,
    bytes: bytes.byteLength,
    sha256: sha256(bytes, "hex"),
  };
}

/** @throws {PackError} RELEASE_DETACHED; USAGE_INVALID without a repository */
function assertCommittable(tree: WorkingTree | undefined, entry: string): void {
  if (tree === undefined)
    throw usageError(
      `${dirname(entry)} is not in a git repository.`,
      "Leave out --commit, or run git init first.",
    );
  if (tree.branch !== undefined) return;
  throw new PackError(
    "RELEASE_DETACHED",
    "No branch is checked out, so a commit of the release would be lost.",
    {
      details: { commit: tree.commit },
      hint: "Check out a branch: git switch main. Or leave out --commit.",
    },
  );
}

/** Commits only these files. @returns the commit. @throws {PackError} RELEASE_COMMIT_FAILED */
async function commitFiles(
  { root, commit }: WorkingTree,
  paths: readonly string[],
  message: string,
): Promise<string> {
  try {
    await runGit(root, "add", "--", ...paths);
    // Two releases at once would commit the same version twice.
    const head = (
      await runGit(root, "rev-parse", "--verify", "--quiet", "HEAD").catch(() => "")
    ).trim();
    if (head !== (commit ?? "")) throw new Error("something else was committed during the release");
    await runGitWithHooks(root, "commit", "--quiet", "-m", message, "--", ...paths);
    return (await runGit(root, "rev-parse", "HEAD")).trim();
  } catch (cause) {
    await runGit(root, "reset", "--quiet", "--", ...paths).catch(() => undefined);
    throw new PackError(
      "RELEASE_COMMIT_FAILED",
      `git did not commit the release: ${gitReason(cause)}.`,
      {
        details: { files: paths },
        hint: "Run git commit yourself to see why, then release again. The files are as they were before.",
        cause,
      },
    );
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
        if (readFileSync(path, "utf8") !== after) continue;
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
async function checkedPack(
  file: string,
  { cwd, timerStrategy, types, signal }: ReleasePackOptions,
): Promise<Pick<Pack, "bundle" | "definition" | "compiled" | "issues">> {
  let pack: Pick<Pack, "bundle" | "definition" | "compiled" | "issues"> | undefined;
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

type PreviousRelease = ComparedPack & Pick<BuildRecord, "version">;

async function readPrevious(
  name: string,
  folder: string,
  { cwd, since }: ReleasePackOptions,
  file: string,
): Promise<PreviousRelease | undefined> {
  if (since !== undefined) return await readState(since, { cwd, other: file });
  const names = await readdir(folder).catch((): string[] => []);
  const versions = names.flatMap((each) =>
    each.startsWith(`${name}-`)
      ? (/^-(\d[\d.]*(?:-prerelease\.\d+)?)\.tgz$/.exec(each.slice(name.length))?.[1] ?? [])
      : [],
  );
  const newest = versions.sort(compareVersions).at(-1);
  return newest === undefined
    ? undefined
    : (await readRelease(join(folder, `${name}-${newest}.tgz`))).build;
}

/** A change of the source that sets the version. */
interface VersionEdit {
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
function versionEdit(
  { bundle, definition }: Pick<Pack, "bundle" | "definition" | "compiled" | "issues">,
  version: string,
  current: string | undefined,
  file: string,
): VersionEdit {
  const locator = createLocator(definition, bundle.sources);
  const found = current === undefined ? undefined : locator.find(["version"]);
  const { module, node } = found?.isExact === true ? followed(found.value) : {};
  if (
    module === undefined ||
    node === undefined ||
    textOf(node) !== current ||
    current === undefined
  ) {
    const place = locator.position(["version"]) ?? { file: basename(file), line: 1, column: 1 };
    throw noPlace(place, version, current, file);
  }
  const quote = module.text.charAt(node.start);
  const after = `${module.text.slice(0, node.start)}${quote}${version}${quote}${module.text.slice(node.end)}`;
  const path = resolve(dirname(bundle.entry), module.path);
  return { path, place: lineOf(module.path, module.text, node.start), before: module.text, after };
}

function lineOf(file: string, text: string, offset: number): SourcePlace {
  const before = text.slice(0, offset);
  return { file, line: before.split("\n").length, column: offset - before.lastIndexOf("\n") };
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
  version: string,
  changes: readonly Change[],
  changed: UndoList,
): Promise<void> {
  const before = await readFile(path, "utf8").catch(() => undefined);
  try {
    await writeChangelog(path, version, changes);
    changed.add(path, before, await readFile(path, "utf8"));
  } catch (cause) {
    throw notWritable(
      "The changelog",
      path,
      "Check the file's permissions, choose another --changelog, or pass --no-changelog.",
      cause,
    );
  }
}

async function writeArchive(path: string, bytes: Uint8Array): Promise<void> {
  const existing = await readFile(path).catch(() => undefined);
  if (existing?.equals(bytes)) return;
  const version = basename(path);
  if (existing !== undefined) {
    throw new PackError("RELEASE_VERSION", `${version} already exists with other content.`, {
      details: { version, previous: undefined },
      hint: "Choose another version. If you have not shared the archive yet, you can delete it and release again.",
    });
  }
  try {
    makeFolder(dirname(path));
    await writeAtomically(path, bytes);
  } catch (cause) {
    throw notWritable(
      "The release",
      path,
      "Check the folder's permissions and the free space, or choose another --out-dir.",
      cause,
    );
  }
}

function notWritable(
  what: string,
  path: string,
  hint: string,
  cause: unknown,
): PackError<"OUTPUT_NOT_WRITABLE"> {
  const reason = systemReason(cause);
  const message = `${what} cannot be written to ${path}${reason === undefined ? "" : `: ${reason}`}.`;
  return new PackError("OUTPUT_NOT_WRITABLE", message, { details: { path }, hint, cause });
}

function changelogPath(entry: string, { cwd, changelog }: ReleasePackOptions): string {
  return typeof changelog === "string"
    ? resolve(cwd, changelog)
    : join(dirname(entry), "CHANGELOG.md");
}

/** A path that does not depend on where the repository is. */
function entryName(entry: string, tree: WorkingTree | undefined): string {
  const path = tree === undefined ? "" : relative(tree.root, entry);
  return path === "" || path.startsWith("..") ? basename(entry) : path.split(sep).join("/");
}

function commitOf(
  tree: WorkingTree | undefined,
  edit: VersionEdit | undefined,
  entry: string,
): ReleaseCommit | undefined {
  if (tree?.commit === undefined || tree.dirty.length > 0) return undefined;
  return {
    commit: tree.commit,
    modified: edit === undefined ? [] : [relative(dirname(entry), edit.path).split(sep).join("/")],
  };
}

function dirtyTree({ dirty }: WorkingTree): PackError<"RELEASE_DIRTY"> {
  const [first = "", ...others] = dirty;
  const rest = others.length === 0 ? "" : ` and ${others.length} more`;
  return new PackError(
    "RELEASE_DIRTY",
    `The release would contain changes that are not committed: ${first}${rest}.`,
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
      : "The version in the source is not a plain string that can be replaced.";
  const todo =
    current === undefined
      ? `Write newPack({ version: "${version}" }) in ${basename(file)}, then release again.`
      : `Set it to ${version} where it is defined, then release again.`;
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
      hint: `Set it to ${version} where it is defined, then release again.`,
      place,
    },
  );
}
