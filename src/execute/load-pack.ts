import { basename, dirname } from "node:path";
import { bundlePack } from "../bundle/bundle-pack.ts";
import { checkBundleSize } from "../bundle/bundle-size.ts";
import { explainLoadFailure, importOf } from "../bundle/load-failure.ts";
import { importsLegacyPackage } from "../bundle/own-modules.ts";
import type { PackBundle } from "../bundle/pack-bundle.ts";
import { packagesForBrowsers, packagesThatNeedBrowsers } from "../bundle/package-entries.ts";
import type { TimerStrategy } from "../bundle/run-esbuild.ts";
import type { PackVersionDefinition } from "../define/pack.ts";
import { isPackError } from "../errors.ts";
import type { DefinitionReader } from "../sandbox/host/definition-reader.ts";
import { createIsolate, type Isolate } from "../sandbox/host/isolate.ts";
import {
  type InspectOptions,
  type SandboxProcess,
  startSandboxProcess,
} from "../sandbox/host/sandbox-process.ts";
import type { Issue } from "../validate/issue.ts";
import { inspectedScript } from "./inspected-script.ts";
import { folderOf, invalidPack, placeIssues } from "./pack-issues.ts";

export interface LoadPackOptions {
  cwd: string;
  /** @default true */
  minify?: boolean | undefined;
  /** What the Pack's timers become. @default "none" */
  timerStrategy?: TimerStrategy | undefined;
  /**
   * The folder that the Pack's own files must be in. @default the project or workspace of the file
   */
  root?: string | undefined;
  /**
   * Waits for a debugger before the Pack loads. The Pack is not isolated then, has no limits, and
   * is not minified.
   */
  inspect?: InspectOptions | undefined;
}

/** A Pack that was bundled, loaded in an isolate and checked. */
export interface LoadedPack extends AsyncDisposable {
  readonly bundle: PackBundle;
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

/** A loaded Pack without its isolate: nothing more of it can run. */
export type CheckedPack = Pick<LoadedPack, "bundle" | "definition" | "compiled" | "issues">;

/**
 * Bundles a Pack, loads the bundle in an isolate and validates the definition that it exports. The
 * Pack's code never runs
 * in this process.
 * @throws {PackError} PACK_FILE_UNREADABLE, PACK_BUILD_FAILED, PACK_LOAD_FAILED,
 *   PACK_EXPORT_MISSING, RUN_TIMEOUT, RUN_OUT_OF_MEMORY
 */
export async function loadPack(file: string, options: LoadPackOptions): Promise<LoadedPack> {
  const { cwd, root, timerStrategy, inspect } = options;
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
  return await loadBundle(bundle, { file, cwd, root, minify, timerStrategy, inspect, process });
}

/**
 * Loads a bundle in an isolate and validates the definition that it exports. A bundle that does not
 * load is made again with the
 * main files of its packages; the result names the bundle that loaded.
 * @param options.process the isolate owns it from now on
 * @throws {PackError} PACK_LOAD_FAILED, PACK_EXPORT_MISSING, RUN_TIMEOUT, RUN_OUT_OF_MEMORY
 */
export async function loadBundle(
  first: PackBundle,
  { file, process, ...options }: LoadPackOptions & { file: string; process: SandboxProcess },
): Promise<LoadedPack> {
  const { cwd, inspect } = options;
  const processes = [process];
  const { bundle, loaded: isolate } = await orMainEntries(first, options, (source) =>
    createIsolate({
      ...source,
      ...(inspect === undefined ? {} : { code: inspectedScript(source, dirname(first.entry)) }),
      process: processes.pop() ?? startSandboxProcess({ inspect }),
    }),
  );
  try {
    const { definition, compiled } = isolate;
    const issues = await issuesOf(bundle, isolate, { file, cwd });
    return {
      bundle,
      isolate,
      definition,
      compiled,
      issues,
      [Symbol.asyncDispose]: () => isolate[Symbol.asyncDispose](),
    };
  } catch (error) {
    await isolate[Symbol.asyncDispose]();
    throw error;
  }
}

/**
 * Does the same for a Pack of which nothing runs afterwards. Many Packs share the sandboxes of the
 * reader.
 * @throws {PackError} PACK_FILE_UNREADABLE, PACK_BUILD_FAILED, PACK_LOAD_FAILED,
 *   PACK_EXPORT_MISSING, RUN_TIMEOUT, RUN_OUT_OF_MEMORY
 */
export async function checkPack(
  file: string,
  options: LoadPackOptions,
  bundling: Promise<PackBundle>,
  reader: DefinitionReader,
): Promise<CheckedPack> {
  reader.prepare();
  const { bundle, loaded } = await orMainEntries(await bundling, options, (source) =>
    reader.read(source),
  );
  const issues = await issuesOf(bundle, loaded, { file, cwd: options.cwd });
  return { bundle, definition: loaded.definition, compiled: loaded.compiled, issues };
}

/**
 * Loads a bundle. When its code throws, and packages in it have other files than those for
 * browsers, bundles the Pack again with
 * those, which may need Node in other places. When that does not help, the first failure counts.
 * Packages that need a browser are
 * bundled with their main files at once, because only their functions fail without one.
 */
async function orMainEntries<Loaded>(
  bundle: PackBundle,
  { root, minify, timerStrategy }: LoadPackOptions,
  load: (source: ReturnType<typeof scriptOf>) => Promise<Loaded>,
): Promise<{ bundle: PackBundle; loaded: Loaded }> {
  const loadAs = async (made: PackBundle) => ({ bundle: made, loaded: await load(scriptOf(made)) });
  const loadMain = async () => {
    const other = await bundlePack({
      entry: bundle.entry,
      root,
      minify,
      timerStrategy,
      packageEntries: "main",
    });
    return await loadAs(other).catch((error: unknown) => {
      throw explainLoadFailure(error, other);
    });
  };
  const needBrowsers = packagesThatNeedBrowsers(bundle.inputPaths);
  let ofMain: unknown;
  if (needBrowsers.length > 0) {
    try {
      return await loadMain();
    } catch (error) {
      ofMain = error;
    }
  }
  try {
    return await loadAs(
      needBrowsers.length === 0
        ? bundle
        : withIssue(bundle, browserNeeded(needBrowsers, ofMain, bundle)),
    );
  } catch (error) {
    const failure = explainLoadFailure(error, bundle);
    const hasOthers = ofMain === undefined && packagesForBrowsers(bundle.inputPaths).length > 0;
    if (!isPackError(error, "PACK_LOAD_FAILED") || !hasOthers) throw failure;
    try {
      return await loadMain();
    } catch {
      throw failure;
    }
  }
}

function withIssue(bundle: PackBundle, issue: Issue): PackBundle {
  return { ...bundle, issues: [...bundle.issues, issue] };
}

/** The packages are in the bundle with their files for browsers, because the main ones failed. */
function browserNeeded(names: readonly string[], failure: unknown, bundle: PackBundle): Issue {
  const [name = ""] = names;
  const reason = isPackError(failure) ? ` ${failure.message}` : "";
  const place = importOf(name, bundle);
  return {
    code: "BUILD_WARNING",
    severity: "warning",
    path: "",
    message: `${name} needs a browser, because its main files do not work here.${reason}`,
    hint:
      (isPackError(failure, "PACK_LOAD_FAILED") ? failure.hint : undefined) ??
      `Test the formulas that use ${name}.`,
    ...(place === undefined ? {} : place),
  };
}

/** Takes some milliseconds the first time: it can be called while esbuild works. */
export function loadRules(): Promise<typeof import("../validate/validate-definition.ts")> {
  return import("../validate/validate-definition.ts");
}

function scriptOf({ code, sourceMap, entry }: PackBundle) {
  return { code, sourceMap, fileName: basename(entry) };
}

async function issuesOf(
  bundle: PackBundle,
  { definition, lostParts }: Pick<Isolate, "definition" | "lostParts">,
  { file, cwd }: { file: string; cwd: string },
): Promise<Issue[]> {
  const { validateDefinition } = await loadRules();
  // A Pack that imports @codahq/packs-sdk keeps building where packsmith is stricter: what worked
  // there is only a warning.
  const compatibility = bundle.sources.some(({ text }) => importsLegacyPackage(text));
  const found = [
    ...bundle.issues,
    ...checkBundleSize(bundle, compatibility ? "warning" : "error"),
    ...validateDefinition(definition, {
      plain: true,
      lostParts,
      sources: bundle.sources,
      compatibility,
    }),
  ];
  return placeIssues(found, folderOf(file, cwd), cwd);
}

/**
 * Loads a Pack that must be free of errors before anything of it runs.
 * @throws {PackError} PACK_INVALID, and those of `loadPack`
 */
export async function loadValidPack(file: string, options: LoadPackOptions): Promise<LoadedPack> {
  const pack = await loadPack(file, options);
  const error = invalidPack(pack.issues, pack.bundle.name);
  if (error === undefined) return pack;
  await pack[Symbol.asyncDispose]();
  throw error;
}
