import { readFile } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { readBuild } from "../bundle/read-build.ts";
import type { TimerStrategy } from "../bundle/run-esbuild.ts";
import type { PackVersionDefinition } from "../define/pack.ts";
import { createIsolate, type Isolate } from "../sandbox/host/isolate.ts";
import { createDebugLog } from "../shared/debug-log.ts";
import { uptimeMs } from "../shared/uptime.ts";
import { type LoadPackOptions, loadRules, loadValidPack } from "./load-pack.ts";
import { invalidPack } from "./pack-issues.ts";

const debug = createDebugLog("run");

/** A Pack that is free of errors, ready to run. */
export interface OpenPack extends AsyncDisposable {
  /** The name of its output folder. */
  readonly name: string;
  readonly isolate: Isolate;
  readonly definition: PackVersionDefinition;
}

export interface OpenPackOptions {
  cwd: string;
  /** What `setTimeout` and the other timers do in the Pack. @default "none" */
  timerStrategy?: TimerStrategy | undefined;
  /** Waits for a debugger before the Pack loads; not for a built bundle. */
  inspect?: LoadPackOptions["inspect"];
}

/**
 * Opens a Pack to run it. An entry file is built first; a built `bundle.js` runs as it is.
 * @throws {PackError} BUILD_INCOMPLETE and those of `loadValidPack`
 */
export async function openPack(
  file: string,
  { cwd, timerStrategy, inspect }: OpenPackOptions,
): Promise<OpenPack> {
  const startedMs = uptimeMs();
  const path = resolve(cwd, file);
  const bundle = await readBundle(path);
  debug(() => `open: ${file}, ${bundle === undefined ? "an entry file" : "a built bundle"}`);
  if (bundle !== undefined) {
    readBuild(dirname(path));
    return await openBundle(bundle, file, basename(dirname(path)));
  }
  const pack = await loadValidPack(file, { cwd, timerStrategy, inspect });
  const { isolate, definition } = pack;
  debug(() => `load: ${pack.bundle.name} in ${Math.round(uptimeMs() - startedMs)} ms`);
  return {
    name: pack.bundle.name,
    isolate,
    definition,
    [Symbol.asyncDispose]: () => pack[Symbol.asyncDispose](),
  };
}

export interface BuiltBundle {
  code: string;
  sourceMap: string | undefined;
}

/** A build writes `bundle.js` and its source map. Every other file is a source. */
async function readBundle(path: string): Promise<BuiltBundle | undefined> {
  if (basename(path) !== "bundle.js") return undefined;
  const [code, sourceMap] = await Promise.all([readText(path), readText(`${path}.map`)]);
  return code === undefined || !/\bmodule\.exports\b/.test(code)
    ? undefined
    : { code, sourceMap: isJson(sourceMap) ? sourceMap : undefined };
}

/**
 * Opens a built bundle, which runs as it is.
 * @throws {PackError} PACK_LOAD_FAILED, PACK_EXPORT_MISSING, PACK_INVALID
 */
export async function openBundle(
  { code, sourceMap }: BuiltBundle,
  file: string,
  name: string,
): Promise<OpenPack> {
  const rules = loadRules();
  const isolate = await createIsolate({ code, sourceMap, fileName: "bundle.js" });
  try {
    const { validateDefinition } = await rules;
    const { definition, lostParts } = isolate;
    // Whether it must be compatible was decided by its sources when it was built.
    const error = invalidPack(
      validateDefinition(definition, { plain: true, lostParts, compatibility: true }),
      file,
    );
    if (error !== undefined) throw error;
    return {
      name,
      isolate,
      definition,
      [Symbol.asyncDispose]: () => isolate[Symbol.asyncDispose](),
    };
  } catch (error) {
    await isolate[Symbol.asyncDispose]();
    throw error;
  }
}

async function readText(path: string): Promise<string | undefined> {
  return await readFile(path, "utf8").catch(() => undefined);
}

/** With a damaged source map, stack traces have no positions; the Pack still runs. */
function isJson(text: string | undefined): boolean {
  try {
    return text !== undefined && typeof JSON.parse(text) === "object";
  } catch {
    return false;
  }
}
