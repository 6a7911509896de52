import type { BuildResult } from "../../build/build-result.ts";
import type { BundlePart, PartChange } from "../../bundle/bundle-part.ts";

/** The bundle of the latest build. */
export interface BundleView
  extends Pick<BuildResult, "name" | "bytes" | "gzipBytes" | "durationMs"> {
  /** Revision of the Pack that the bundle belongs to. */
  revision: number;
  /** The limit for the size of a bundle. */
  maxBytes: number;
  /** First characters of its SHA-256. */
  sha256: string;
  /** The bundle is from an older version, because the current one does not build. */
  isStale: boolean;
  /** The author's code and each package, largest first. */
  parts: PartView[];
  /** The largest first. */
  files: FileView[];
  /** The changes since each earlier bundle that exists. */
  growth: GrowthView[];
}

export interface PartView extends BundlePart {
  files: number;
}

export interface FileView {
  path: string;
  part: string;
  /** Its size in the bundle. */
  bytes: number;
  /** The size of the source file. */
  sourceBytes: number;
}

/**
 * How the bundle changed since an earlier one. `start`: the first one of this server · `save`: the
 * one before the latest save ·
 * `build`: the last one that `packsmith build` wrote.
 */
export interface GrowthView {
  since: "start" | "save" | "build";
  bytes: number;
  gzipBytes: number;
  /** Parts that changed, the largest change first. */
  parts: PartChange[];
  /** Files that changed, the largest change first. */
  files: PartChange[];
}

/** A rectangle of the treemap. */
export interface TileView {
  path: string;
  part: string;
  bytes: number;
  /** Rank of its part by size, from 0. It decides the colour. */
  group: number;
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Why a file is in the bundle: the chain of imports from the entry file to it. */
export interface WhyView {
  chain: string[] | undefined;
}
