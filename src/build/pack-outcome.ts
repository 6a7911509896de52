import type { HazardStore } from "../bundle/bundle-hazards.ts";
import type { OpenPackOptions, Pack } from "../execute/open-pack.ts";
import type { Failure } from "../shared/failures.ts";
import type { PackCache } from "./pack-cache.ts";
import type { TypeCache } from "./type-cache.ts";

export interface EachPackOptions extends OpenPackOptions {
  /** Also checks the types, when TypeScript is installed. @default true */
  types?: boolean | undefined;
  /** Packs from earlier builds. @default none */
  cache?: PackCache | undefined;
  /** What earlier checks of the types found. @default none */
  typeCache?: TypeCache | undefined;
  /** What was found in files of packages before. @default none */
  hazardStore?: HazardStore | undefined;
  /** Finds the projects of folders. @default one of its own */
  findRoot?: ((folder: string) => string) | undefined;
  /** Keeps the texts of the sources, which you need to change them. @default false */
  keepSources?: boolean | undefined;
  /** Stops the work with the reason of the signal, but never while `use` is running. */
  signal?: AbortSignal | undefined;
  /** Called after each Pack. */
  onLoaded?: ((done: number) => void) | undefined;
}

/**
 * The entry file of a Pack, how long it took to load, in milliseconds, and whether it came from the
 * cache.
 */
export interface PackTurn {
  file: string;
  loadMs: number;
  isCached: boolean;
}

export type PackOutcome =
  | { turn: PackTurn; pack: Pick<Pack, "bundle" | "definition" | "compiled" | "issues"> }
  | { turn: PackTurn; failure: Failure };
