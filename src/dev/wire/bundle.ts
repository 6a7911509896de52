/** What a Pack's bundle holds, as it was last built. */
export interface BundleView {
  /** Of the build; undefined until there was one that could be bundled. */
  revision: number;
  name: string;
  bytes: number;
  gzipBytes: number;
  /** The most that a bundle may have. */
  maxBytes: number;
  /** First characters of its SHA-256. */
  sha256: string;
  durationMs: number;
  /** The bundle is that of an older version, because this one does not build. */
  isStale: boolean;
  /** The author's code and each package, the largest first. */
  parts: PartView[];
  /** The largest first. */
  files: FileView[];
  /** What it is compared with, as far as there is such a bundle. */
  growth: GrowthView[];
}

export interface PartView {
  name: string;
  bytes: number;
  files: number;
}

export interface FileView {
  path: string;
  part: string;
  /** What it takes of the bundle. */
  bytes: number;
  /** What it has itself. */
  sourceBytes: number;
}

/**
 * How the bundle changed since an earlier one: `start` the first one of this server · `save` the one before the latest save ·
 * `build` what `packsmith build` wrote last.
 */
export interface GrowthView {
  since: "start" | "save" | "build";
  bytes: number;
  gzipBytes: number;
  /** Parts that changed, the largest change first. */
  parts: ChangeView[];
  /** Files that changed, the largest change first. */
  files: ChangeView[];
}

export interface ChangeView {
  name: string;
  /** Positive when it grew. */
  bytes: number;
}

/** A rectangle of the treemap. */
export interface TileView {
  path: string;
  part: string;
  bytes: number;
  /** Place of its part among all, the largest is 0: what its colour is chosen by. */
  group: number;
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Why a file is in the bundle: the files from the entry to it, each imported by the one before. */
export interface WhyView {
  chain: string[] | undefined;
}
