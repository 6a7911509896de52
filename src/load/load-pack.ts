import { basename } from "node:path";
import { bundlePack } from "../bundle/bundle-pack.ts";
import { checkBundleSize } from "../bundle/bundle-size.ts";
import { ownCycle } from "../bundle/import-graph.ts";
import { importsOlderName } from "../bundle/own-modules.ts";
import type { FinishedBundle, NewBundle, PackBundle } from "../bundle/pack-bundle.ts";
import type { TimerStrategy } from "../bundle/run-esbuild.ts";
import type { PackVersionDefinition } from "../define/pack.ts";
import { isPackError, PackError } from "../errors.ts";
import type { DefinitionReader } from "../sandbox/host/definition-reader.ts";
import { createIsolate, type Isolate } from "../sandbox/host/isolate.ts";
import { type SandboxWorker, startSandboxWorker } from "../sandbox/host/sandbox-worker.ts";
import type { Issue } from "../validate/issue.ts";
import { invalidPack } from "./invalid-pack.ts";
import { folderOf, placeIssues } from "./issue-files.ts";

export interface LoadPackOptions {
  cwd: string;
  /** @default true */
  minify?: boolean | undefined;
  /** What the Pack's timers become. @default "none" */
  timerStrategy?: TimerStrategy | undefined;
}

/** A Pack that was bundled, loaded in an isolate and checked. */
export interface LoadedPack extends AsyncDisposable {
  readonly bundle: PackBundle;
  readonly isolate: Isolate;
  readonly definition: PackVersionDefinition;
  /** Errors and warnings of the definition and of the build. */
  readonly issues: readonly Issue[];
}

/** What is left of a Pack when its isolate has ended. */
export type CheckedPack = Pick<LoadedPack, "bundle" | "definition" | "issues">;

/**
 * Bundles a Pack, loads the bundle in an isolate and validates the definition that it exports. The Pack's code never runs
 * in this process.
 * @throws {PackError} PACK_FILE_UNREADABLE, PACK_BUILD_FAILED, PACK_LOAD_FAILED, PACK_EXPORT_MISSING, RUN_TIMEOUT, RUN_OUT_OF_MEMORY
 */
export async function loadPack(file: string, { cwd, minify = true, timerStrategy }: LoadPackOptions): Promise<LoadedPack> {
  // esbuild is what takes longest: the worker starts while it works.
  const bundling = bundlePack({ entry: file, cwd, minify, timerStrategy, onStart: loadRules });
  const worker = startSandboxWorker({});
  const bundle = await bundling.catch(async (error: unknown) => {
    await worker[Symbol.asyncDispose]();
    throw error;
  });
  return await loadBundled(bundle, { file, cwd, worker });
}

/**
 * Loads a bundle in an isolate and validates the definition that it exports.
 * @param options.worker the isolate owns it from now on
 * @throws {PackError} PACK_LOAD_FAILED, PACK_EXPORT_MISSING, RUN_TIMEOUT, RUN_OUT_OF_MEMORY
 */
export async function loadBundled(
  made: NewBundle,
  { file, cwd, worker }: { file: string; cwd: string; worker: SandboxWorker },
): Promise<LoadedPack> {
  const loading = createIsolate({ ...scriptOf(made), worker });
  const {
    bundle,
    loaded: isolate,
    warnings,
  } = await finishMeanwhile(made, loading).catch(async (error: unknown) => {
    await (await loading.catch(() => undefined))?.[Symbol.asyncDispose]();
    throw error;
  });
  const issues = await issuesOf(bundle, warnings, isolate, { file, cwd });
  return { bundle, isolate, definition: isolate.definition, issues, [Symbol.asyncDispose]: () => isolate[Symbol.asyncDispose]() };
}

/**
 * The same for a Pack that nothing runs of afterwards. Many Packs share the reader's sandboxes.
 * @throws {PackError} PACK_FILE_UNREADABLE, PACK_BUILD_FAILED, PACK_LOAD_FAILED, PACK_EXPORT_MISSING, RUN_TIMEOUT, RUN_OUT_OF_MEMORY
 */
export async function checkPack(file: string, cwd: string, bundling: Promise<NewBundle>, reader: DefinitionReader): Promise<CheckedPack> {
  reader.prepare();
  const made = await bundling;
  const { bundle, loaded, warnings } = await finishMeanwhile(made, reader.read(scriptOf(made)));
  return { bundle, definition: loaded.definition, issues: await issuesOf(bundle, warnings, loaded, { file, cwd }) };
}

/** A sandbox loads the bundle meanwhile. @throws what `loading` throws, with what may have caused it */
async function finishMeanwhile<Loaded>(made: NewBundle, loading: Promise<Loaded>): Promise<FinishedBundle & { loaded: Loaded }> {
  const finishing = (async () => made.finish())();
  const [loaded, finished] = await Promise.all([
    loading.catch(async (error: unknown) => {
      throw explainLoadFailure(error, await finishing);
    }),
    finishing,
  ]);
  return { ...finished, loaded };
}

/** Their library takes as long to load as esbuild takes to build a small Pack: they load meanwhile. */
export function loadRules(): Promise<typeof import("../validate/validate-definition.ts")> {
  return import("../validate/validate-definition.ts");
}

function scriptOf({ code, sourceMap, entry }: NewBundle) {
  return { code, sourceMap, fileName: basename(entry) };
}

async function issuesOf(
  bundle: PackBundle,
  warnings: readonly Issue[],
  { definition, lostParts }: Pick<Isolate, "definition" | "lostParts">,
  { file, cwd }: { file: string; cwd: string },
): Promise<Issue[]> {
  const { validateDefinition } = await loadRules();
  // A Pack that imports the older package keeps building where packsmith is stricter: what it could do before is a warning.
  const compatibility = bundle.sources.some(({ text }) => importsOlderName(text));
  const found = [
    ...warnings,
    ...checkBundleSize(bundle, compatibility ? "warning" : "error"),
    ...validateDefinition(definition, { plain: true, lostParts, sources: bundle.sources, compatibility }),
  ];
  return placeIssues(found, folderOf(file, cwd), cwd);
}

/**
 * A Pack that throws while it loads mostly does so where it uses what the runtime does not have, or where files import each other
 * and one of them runs before the other.
 */
function explainLoadFailure(error: unknown, { bundle, warnings }: FinishedBundle): unknown {
  if (!isPackError(error, "PACK_LOAD_FAILED")) return error;
  const [hazard] = warnings.filter(({ code }) => code !== "BUILD_WARNING");
  const cycle = ownCycle(bundle.imports);
  if (hazard === undefined && cycle === undefined) return error;
  const hint =
    hazard === undefined
      ? `${error.hint ?? ""} These files import each other, so that one runs before the other is ready: ${cycle?.join(" → ")}.`.trim()
      : `Look at ${hazard.file}:${hazard.line}:${hazard.column} (${hazard.code}): ${hazard.message}`;
  return new PackError(error.code, error.message, { details: error.details, hint, cause: error });
}

/**
 * Loads a Pack that must be free of errors before anything of it runs.
 * @throws {PackError} PACK_INVALID beside those of `loadPack`
 */
export async function loadValidPack(file: string, options: LoadPackOptions): Promise<LoadedPack> {
  const pack = await loadPack(file, options);
  const error = invalidPack(pack.issues, pack.bundle.name);
  if (error === undefined) return pack;
  await pack[Symbol.asyncDispose]();
  throw error;
}
