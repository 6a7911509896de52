/** A file that went into a bundle. */
export interface BundleInput {
  /** Relative to the entry file's folder, with forward slashes; files of this package are named by it. */
  path: string;
  bytes: number;
  /** What it left in the bundle: less than it has when parts of it are not used. */
  bundledBytes: number;
  /** Hexadecimal. */
  sha256: string;
}
