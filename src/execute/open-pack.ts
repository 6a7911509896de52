import { existsSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Bundle } from "../bundle/bundle.ts";
import { bundlePack } from "../bundle/bundle-pack.ts";
import type { BundleOptions } from "../bundle/bundle-plan.ts";
import { checkBundleSize } from "../bundle/bundle-size.ts";
import { absentClassIssue, findAbsentClass, withClass } from "../bundle/load-failure.ts";
import { findLoadableBundle } from "../bundle/loadable-bundle.ts";
import { importsLegacyPackage } from "../bundle/own-modules.ts";
import { readBundle } from "../bundle/read-build.ts";
import type { PackVersionDefinition } from "../define/pack.ts";
import { createIsolate, type Isolate } from "../sandbox/host/isolate.ts";
import type { DefinitionReader, LoadedDefinition } from "../sandbox/host/load-bundle.ts";
import {
  type InspectOptions,
  type SandboxProcess,
  startSandboxProcess,
} from "../sandbox/host/sandbox-process.ts";
import { createDebugLog } from "../shared/debug-log.ts";
import { uptimeMs } from "../shared/time.ts";
import type { Issue } from "../validate/issue.ts";
import { getFolder, invalidPack, issuesOfUpload, placeIssues } from "./pack-issues.ts";

const debug = createDebugLog("run");

export interface OpenPackOptions extends Pick<BundleOptions, "minify" | "timerStrategy" | "root"> {
  cwd: string;
  /**
   * Waits for a debugger before the Pack loads. The Pack then has no limits, only the kernel
   * isolates it, and it is not minified.
   */
  inspect?: InspectOptions | undefined;
}

/** A Pack that was bundled, loaded in an isolate and checked. */
export interface Pack extends AsyncDisposable {
  readonly bundle: Bundle;
  readonly isolate: Isolate;
  readonly definition: PackVersionDefinition;
  /** The same Pack in the form that the service loads, as inert data. */
  readonly compiled: Isolate["compiled"];
  /**
   * Errors and warnings of the definition and of the build, with files as the reader of a report
   * can open them.
   */
  readonly issues: readonly Issue[];
}

/**
 * Opens a Pack that may have issues: bundles it, loads the bundle in an isolate and validates the
 * definition that it exports. A built `bundle.js` is opened as it is, and has no issues. The Pack's
 * code never runs in this process.
 * @throws {PackError} PACK_FILE_UNREADABLE, PACK_BUILD_FAILED, PACK_LOAD_FAILED,
 *   PACK_EXPORT_MISSING, RUN_TIMEOUT, RUN_OUT_OF_MEMORY; for a built bundle also BUILD_INCOMPLETE
 *   and PACK_INVALID
 */
export async function openPack(file: string, options: OpenPackOptions): Promise<Pack> {
  const { cwd, root, timerStrategy, inspect } = options;
  const startedMs = uptimeMs();
  const built = readBundle(resolve(cwd, file));
  debug(() => `open: ${file}, ${built === undefined ? "an entry file" : "a built bundle"}`);
  if (built !== undefined) return await openBuiltBundle(built, file);
  // A debugger shows names as they are in the bundle.
  const minify = inspect === undefined && (options.minify ?? true);
  // esbuild takes the longest: the sandbox starts at the same time.
  const bundling = bundlePack({
    entry: file,
    cwd,
    root,
    minify,
    timerStrategy,
    onStart: loadRules,
  });
  const process = startSandboxProcess({ inspect });
  const bundle = await bundling.catch(async (error: unknown) => {
    await process[Symbol.asyncDispose]();
    throw error;
  });
  const pack = await openBundle(bundle, {
    file,
    cwd,
    root,
    minify,
    timerStrategy,
    inspect,
    process,
  });
  debug(() => `load: ${pack.bundle.name} in ${Math.round(uptimeMs() - startedMs)} ms`);
  return pack;
}

/**
 * Opens a Pack that must be free of errors before anything of it runs.
 * @throws {PackError} PACK_INVALID, and those of `openPack`
 */
export async function openValidPack(file: string, options: OpenPackOptions): Promise<Pack> {
  const pack = await openPack(file, options);
  return await requireValid(pack, pack.bundle.name);
}

/**
 * Loads a bundle in an isolate and validates the definition that it exports. The Pack has the
 * bundle that loaded, which may have other files of its packages.
 * @param options.process the isolate owns it from now on
 * @throws {PackError} PACK_LOAD_FAILED, PACK_EXPORT_MISSING, RUN_TIMEOUT, RUN_OUT_OF_MEMORY
 */
export async function openBundle(
  first: Bundle,
  { file, process, ...options }: OpenPackOptions & { file: string; process: SandboxProcess },
): Promise<Pack> {
  const { cwd, inspect } = options;
  const processes = [process];
  const { bundle, loaded } = await findLoadableBundle(first, options, (each) =>
    createIsolate({
      ...createScript(each),
      ...(inspect === undefined ? {} : { code: inspectedScript(each, dirname(first.entry)) }),
      process: processes.pop() ?? startSandboxProcess({ inspect }),
    }),
  );
  return await createPack(bundle, loaded, () => findIssues(bundle, loaded, { file, cwd }));
}

/**
 * Opens a built bundle, which runs as it is and must be free of errors.
 * @param name how an error calls the Pack
 * @throws {PackError} PACK_LOAD_FAILED, PACK_EXPORT_MISSING, PACK_INVALID
 */
export async function openBuiltBundle(bundle: Bundle, name: string): Promise<Pack> {
  const rules = loadRules();
  const isolate = await createIsolate(createScript(bundle));
  const pack = await createPack(bundle, isolate, async () => {
    const { validateDefinition } = await rules;
    const { loaded, lostParts } = isolate;
    // Whether it must be compatible was decided by its sources when it was built.
    return validateDefinition(loaded, { plain: true, lostParts, compatibility: true });
  });
  return await requireValid(pack, name);
}

/**
 * Loads and checks a Pack that is to be published: nothing of it runs afterwards. Many Packs share the sandboxes of the
 * reader.
 * @throws {PackError} PACK_FILE_UNREADABLE, PACK_BUILD_FAILED, PACK_LOAD_FAILED,
 *   PACK_EXPORT_MISSING, RUN_TIMEOUT, RUN_OUT_OF_MEMORY
 */
export async function readPack(
  file: string,
  options: OpenPackOptions,
  bundling: Promise<Bundle>,
  reader: DefinitionReader,
): Promise<Pick<Pack, "bundle" | "definition" | "compiled" | "issues">> {
  reader.prepare();
  const first = await bundling;
  const read = (each: Bundle) => reader.read(createScript(each));
  const { bundle, loaded } = await findLoadableBundle(first, options, read).catch(
    (error: unknown) => readWithoutClass(first, error, read),
  );
  const { definition, compiled } = loaded;
  const issues = await findIssues(bundle, loaded, { file, cwd: options.cwd });
  return { bundle, definition, compiled, issues: issuesOfUpload(issues, compiled) };
}

/**
 * Reads the definition of an existing Pack that does not load in the Pack runtime, because it makes
 * an object of a class that is absent there. A tool that loads it in Node accepts it.
 * @throws the error, if it is about anything else
 */
async function readWithoutClass(
  first: Bundle,
  error: unknown,
  read: (bundle: Bundle) => Promise<LoadedDefinition>,
): Promise<{ bundle: Bundle; loaded: LoadedDefinition }> {
  const isOld = first.sources.some(({ text }) => importsLegacyPackage(text));
  const name = isOld ? findAbsentClass(error) : undefined;
  if (name === undefined) throw error;
  const loaded = await read({ ...first, code: withClass(name, first.code) }).catch(() => {
    throw error;
  });
  return { bundle: { ...first, issues: [...first.issues, absentClassIssue(error)] }, loaded };
}

/** Takes some milliseconds the first time: it can be called while esbuild works. */
export function loadRules(): Promise<typeof import("../validate/validate-definition.ts")> {
  return import("../validate/validate-definition.ts");
}

async function createPack(
  bundle: Bundle,
  isolate: Isolate,
  findPackIssues: () => Promise<Issue[]>,
): Promise<Pack> {
  const { definition, compiled } = isolate;
  const close = () => isolate[Symbol.asyncDispose]();
  try {
    const issues = await findPackIssues();
    return { bundle, isolate, definition, compiled, issues, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function requireValid(pack: Pack, name: string): Promise<Pack> {
  const error = invalidPack(pack.issues, name);
  if (error === undefined) return pack;
  await pack[Symbol.asyncDispose]();
  throw error;
}

function createScript({ code, sourceMap, entry }: Bundle) {
  return { code, sourceMap: sourceMap === "" ? undefined : sourceMap, fileName: basename(entry) };
}

async function findIssues(
  bundle: Bundle,
  { loaded, lostParts }: Pick<Isolate, "loaded" | "lostParts">,
  { file, cwd }: { file: string; cwd: string },
): Promise<Issue[]> {
  const { validateDefinition } = await loadRules();
  // A Pack that imports @codahq/packs-sdk keeps building where packsmith is stricter: what worked
  // there is only a warning.
  const compatibility = bundle.sources.some(({ text }) => importsLegacyPackage(text));
  const found = [
    ...bundle.issues,
    ...checkBundleSize(bundle, compatibility ? "warning" : "error"),
    ...validateDefinition(loaded, {
      plain: true,
      lostParts,
      sources: bundle.sources,
      compatibility,
    }),
  ];
  return placeIssues(found, getFolder(file, cwd), cwd);
}

/**
 * The code of a bundle for a debugger: its source map is in the script, and names the author's
 * files by their URLs.
 * @param folder the folder of the entry, which the names in the map are relative to
 */
function inspectedScript(
  { code, sourceMap }: Pick<Bundle, "code" | "sourceMap">,
  folder: string,
): string {
  const map = JSON.parse(sourceMap) as { sources: string[] };
  const sources = map.sources.map((source) => {
    const path = resolve(folder, source);
    return existsSync(path) ? pathToFileURL(path).href : source;
  });
  const text = Buffer.from(JSON.stringify({ ...map, sources })).toString("base64");
  return `${code}\n//# sourceMappingURL=data:application/json;base64,${text}\n`;
}
