import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { PackError } from "../errors.ts";
import { createDebugLog } from "../shared/debug-log.ts";
import { systemReason } from "../shared/failures.ts";
import { readRegularFile } from "../shared/files.ts";
import { type ProjectBoundary, projectBoundary, realPath } from "../shared/project-boundary.ts";
import { buildFailed } from "./build-problems.ts";
import type { HazardStore } from "./bundle-hazards.ts";
import { linkedParts } from "./linked-parts.ts";
import { importsLegacyPackage } from "./own-modules.ts";
import { readTimerStrategy } from "./pack-options.ts";
import type { PackageEntries } from "./package-entries.ts";
import type { ScriptOptions, TimerStrategy } from "./run-esbuild.ts";
import { specialConfigurations } from "./special-files.ts";

const debug = createDebugLog("build");

/** A Pack as its author has it: files on disk. */
export interface PackSource {
  /** Path of the entry file. */
  entry: string;
  /** The folder that `entry` is relative to. @default process.cwd() */
  cwd?: string | undefined;
  /**
   * The folder that the Pack's own files must be in. @default the project or workspace of the entry
   */
  root?: string | undefined;
}

export interface BundleOptions extends PackSource {
  /** @default true */
  minify?: boolean | undefined;
  /** How to replace timers, which the Pack runtime does not have. @default what the project says, or "none" */
  timerStrategy?: TimerStrategy | undefined;
  /** Which files of packages count. @default "browser" */
  packageEntries?: PackageEntries | undefined;
  /** What was found in files of packages before. @default none */
  hazardStore?: HazardStore | undefined;
}

/** Everything that decides the result of a build, except for the files. */
export interface BundlePlan extends ScriptOptions {
  /** Absolute. */
  entry: string;
  boundary: ProjectBoundary;
  hazardStore: HazardStore | undefined;
}

/** @returns a text that is the same for plans of which one pass of esbuild can build the Packs */
export function planKey({
  lenient,
  format,
  timerStrategy,
  parts,
  packageEntries,
}: BundlePlan): string {
  return [lenient, format, timerStrategy, packageEntries, ...parts].join(" ");
}

/** @throws {PackError} PACK_FILE_UNREADABLE, PACK_BUILD_FAILED */
export function planBundle(options: BundleOptions): BundlePlan {
  const { entry: given, cwd = ".", root, minify = true, packageEntries = "browser" } = options;
  const entry = resolve(cwd, given);
  const timerStrategy = options.timerStrategy ?? readTimerStrategy(entry) ?? "none";
  const special = specialConfigurations(entry);
  if (special.length > 0) throw buildFailed(special, undefined);
  const boundary = projectBoundary(entry, { root });
  // A link may lead to a device that never ends. `filesOutside` refuses the entry.
  const text = boundary.includes(realPath(entry)) ? readEntry(entry) : "";
  debug(() => `resolve: ${entry}, which may read ${boundary.root}`);
  return {
    entry,
    boundary,
    minify,
    timerStrategy,
    // A Pack that imports @codahq/packs-sdk keeps building: what worked there is only a warning.
    lenient: importsLegacyPackage(text),
    format: outputFormat(text),
    parts: linkedParts(entry, text, boundary),
    packageEntries,
    hazardStore: options.hazardStore,
  };
}

/** @returns undefined when the entry file cannot be read */
export function planIfReadable(options: BundleOptions): BundlePlan | undefined {
  try {
    return planBundle(options);
  } catch {
    return undefined;
  }
}

function readEntry(entry: string): string {
  try {
    return readRegularFile(entry).toString();
  } catch (cause) {
    const reason = systemReason(cause);
    const packFile = join(entry, "pack.ts");
    throw new PackError(
      "PACK_FILE_UNREADABLE",
      `The Pack file ${basename(entry) || entry} cannot be read${reason === undefined ? "" : `: ${reason}`}.`,
      {
        details: { file: entry },
        hint: existsSync(packFile)
          ? `Pass the entry file in that folder: ${packFile}`
          : "Check the path. Pass the path of the entry file, such as pack.ts.",
        cause,
      },
    );
  }
}

/**
 * Chooses the format that esbuild writes. As CommonJS it adds half a kilobyte of helpers; an ES
 * module ends with the list of its
 * exports, which `assembleBundle` turns into a script. Only a Pack that adds exports while it runs needs
 * CommonJS.
 * @param text the text of the entry file
 */
export function outputFormat(text: string): "cjs" | "esm" {
  return /\bexport\s*\*|\bmodule\b|\bexports\b/.test(text) ? "cjs" : "esm";
}
