import { dirname, join, resolve } from "node:path";
import type { Bundle } from "../bundle/bundle.ts";
import type { PackVersionDefinition } from "../define/pack.ts";
import { decodeSnapshot, encodeSnapshot } from "../define/snapshot.ts";
import type { Pack } from "../execute/open-pack.ts";
import { placeIssues } from "../execute/pack-issues.ts";
import { sha256 } from "../shared/crypto.ts";
import { createDebugLog } from "../shared/debug-log.ts";
import { readLinkStats, readStats } from "../shared/files.ts";
import { readJsonWithComments } from "../shared/json.ts";
import { createRootFinder, projectRoot } from "../shared/project-boundary.ts";
import { memoize } from "../shared/values.ts";
import { type CacheKey, type CacheKeys, createCacheKeys } from "./cache-keys.ts";
import {
  findRecord,
  listRecords,
  type RecordSubject,
  readRecordText,
  recordFor,
  recordMaker,
  saveRecord,
  toPortable,
} from "./cache-records.ts";

const debug = createDebugLog("build");

/**
 * Keeps built Packs. A cached Pack is used as long as nothing that it depends on has changed: the
 * content of each input, what each import could have meant, and the configuration files above. All
 * other files do not matter. Records contain no absolute path, so they serve in every checkout of a
 * repository, and on other machines. Those of another user of this machine are not used.
 */
export interface PackCache {
  /** @param entry absolute path */
  read(entry: string): Pick<Pack, "bundle" | "definition" | "compiled" | "issues"> | undefined;
  write(entry: string, pack: Pick<Pack, "bundle" | "definition" | "compiled" | "issues">): void;
}

export interface PackCacheOptions {
  cwd: string;
  /** Where the records are. Many projects can share it. */
  folder: string;
  /** Everything that changes the result of a build, and can be written as JSON. */
  options: object;
  /** Finds the projects of entries. @default one of its own */
  findRoot?: ((folder: string) => string) | undefined;
  /** What other caches of the same command know, too. @default its own */
  keys?: CacheKeys | undefined;
}

/** All paths are relative to the root of the repository, with forward slashes. */
interface CacheRecord {
  /** Everything that the result depends on. */
  keys: CacheKey[];
  /** The configuration above the root. */
  surroundings: string;
  bundle: Omit<Bundle, "imports" | "metafile" | "made" | "sources" | "code" | "sourceMap"> & {
    imports: [string, readonly string[]][];
    sources: string[];
    codeLength: number;
  };
  definition: string;
  /** The same in the form that the service loads. */
  compiled: string;
  issues: Pack["issues"];
}

export function openPackCache({
  cwd,
  folder,
  options,
  findRoot = createRootFinder(),
  keys = createCacheKeys(),
}: PackCacheOptions): PackCache {
  const maker = recordMaker();
  const readNameOnce = memoize(readProjectName);
  /** The builds of this package, the options, and where the command ran. */
  const versionOf = memoize((root) => JSON.stringify([...maker, toPortable(root, cwd), options]));
  const subjectOf = (root: string, entry: string): RecordSubject => ({
    folder: join(folder, nameSubject(readNameOnce(root), root, entry)),
    start: sha256(versionOf(root) + keys.contentOf(entry), "hex"),
  });
  /** Why a record does not count; undefined for one that does. */
  const findChange = ({ surroundings, keys: kept }: CacheRecord, root: string) => {
    const changed =
      surroundings === keys.describeSurroundings(root)
        ? keys.findChanged(kept, root)
        : "the configuration above the project";
    return changed === undefined ? undefined : `${changed} has changed`;
  };
  return {
    read(entry) {
      const root = findRoot(dirname(entry));
      const reasons: string[] = [];
      const built = findRecord(subjectOf(root, entry), (path) => {
        const candidate = readBuilt(path);
        const reason = candidate === undefined ? undefined : findChange(candidate.record, root);
        if (reason !== undefined) reasons.push(reason);
        return reason === undefined ? candidate : undefined;
      });
      if (built === undefined) {
        const [reason = "there is no build of this content with these options and this packsmith"] =
          reasons;
        debug(() => `cache: ${entry} missed: ${reason}`);
        return undefined;
      }
      debug(() => `cache: ${entry} hit`);
      const { code, sourceMap } = built;
      const { bundle: kept, definition, compiled, issues } = built.record;
      const { codeLength: _, ...bundle } = kept;
      return {
        bundle: {
          ...bundle,
          code,
          sourceMap,
          entry,
          inputPaths: bundle.inputPaths.map((path) => resolve(root, path)),
          metafile: undefined,
          made: undefined,
          imports: new Map(bundle.imports),
          sources: bundle.sources.map((path) => ({ path, text: "" })),
        },
        definition: decodeSnapshot(definition) as PackVersionDefinition,
        compiled: decodeSnapshot(compiled) as Pack["compiled"],
        issues: placeIssues(issues, root, cwd),
      };
    },
    write(entry, { bundle, definition, compiled, issues }) {
      const root = findRoot(dirname(entry));
      const { metafile, made, code, sourceMap, ...kept } = bundle;
      if (metafile === undefined || made === undefined) return;
      const portable = (path: string): string => toPortable(root, path);
      const built = keys.make({ ...bundle, metafile, made }, root);
      const changed = findChangedSince(made.readSinceMs, built, root);
      if (changed !== undefined)
        return debug(() => `cache: ${entry} is not kept: ${changed} changed while it was built`);
      const record: CacheRecord = {
        keys: built,
        surroundings: keys.describeSurroundings(root),
        bundle: {
          ...kept,
          entry: portable(entry),
          codeLength: code.length,
          inputPaths: bundle.inputPaths.map(portable),
          imports: [...bundle.imports],
          sources: bundle.sources.map(({ path }) => path),
        },
        definition: encodeSnapshot(definition),
        compiled: encodeSnapshot(compiled),
        issues: placeIssues(issues, cwd, root),
      };
      const place = recordFor(subjectOf(root, entry), [record.surroundings, record.keys]);
      saveRecord(place, `${JSON.stringify(record)}\n${code}${sourceMap}`);
    },
  };
}

/**
 * A file that changed after esbuild may have read it. What an import could have meant, and was not
 * there, has no time.
 */
function findChangedSince(
  sinceMs: number,
  keys: readonly CacheKey[],
  root: string,
): string | undefined {
  return keys
    .filter(([, question, answer]) => answer !== "" && IS_OF_FILE.has(question))
    .map(([path]) => path)
    .find((path) =>
      [readStats, readLinkStats].some(
        // The clock counts whole milliseconds, and esbuild takes some to start.
        (read) => (read(resolve(root, path))?.ctimeMs ?? 0) > sinceMs + 1,
      ),
    );
}

const IS_OF_FILE = new Set<CacheKey[1]>(["content", "manifest", "config", "file?", "real"]);

/** The definition of a Pack in its last build, even when something has changed since. */
export function cachedDefinition(entry: string, folder: string): PackVersionDefinition | undefined {
  const root = projectRoot(dirname(entry));
  const kept = join(folder, nameSubject(readProjectName(root), root, entry));
  const [newest] = listRecords({ folder: kept, start: "" });
  const built = newest === undefined ? undefined : readBuilt(newest);
  return built && (decodeSnapshot(built.record.definition) as PackVersionDefinition);
}

interface Built {
  record: CacheRecord;
  code: string;
  sourceMap: string;
}

/** The code and its source map follow the record as they are: as JSON, they would take longer. */
function readBuilt(path: string): Built | undefined {
  const text = readRecordText(path) ?? "";
  const end = text.indexOf("\n");
  const record = parseRecord(text.slice(0, Math.max(0, end)));
  if (record === undefined) return undefined;
  const codeEnd = end + 1 + record.bundle.codeLength;
  return { record, code: text.slice(end + 1, codeEnd), sourceMap: text.slice(codeEnd) };
}

/** @returns undefined for another form, which another packsmith may have written */
function parseRecord(json: string): CacheRecord | undefined {
  try {
    const record = JSON.parse(json) as CacheRecord;
    return typeof record.bundle.codeLength === "number" ? record : undefined;
  } catch {
    return undefined;
  }
}

function readProjectName(root: string): unknown {
  return readJsonWithComments(join(root, "package.json"))?.["name"];
}

/** The name of a folder for each entry file, which has a record for each content of that file. */
function nameSubject(projectName: unknown, root: string, entry: string): string {
  return sha256(JSON.stringify([projectName, toPortable(root, entry)]), "hex");
}
