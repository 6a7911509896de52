import type { Issue, SourceFile } from "../validate/issue.ts";
import type { BundleInput } from "./bundle-input.ts";
import type { ImportGraph } from "./import-graph.ts";

/** A Pack as one script. */
export interface PackBundle {
  name: string;
  /** Absolute path of the entry file. */
  entry: string;
  code: string;
  /** JSON text, with the sources in it. */
  sourceMap: string;
  bytes: number;
  gzipBytes: number;
  /** Of the code, in hexadecimal. */
  sha256: string;
  inputs: BundleInput[];
  /** Which of the inputs imports which. */
  imports: ImportGraph;
  /** The author's own files, the entry first: what the positions of issues are found in. */
  sources: SourceFile[];
  durationMs: number;
}

/** A bundle that was just made. What takes longer is still under way, or has not begun. */
export interface NewBundle extends Omit<PackBundle, "gzipBytes"> {
  gzipBytes: Promise<number>;
  /**
   * Looks for what the bundler takes for a mistake, and for what cannot work in the Pack runtime, which may be an error. Whoever
   * needs the bundle, too, begins with that: another thread works on it meanwhile.
   */
  findWarnings(): Promise<Issue[]>;
}

/** Waits for what is under way. */
export async function finished({ findWarnings: _, gzipBytes, ...bundle }: NewBundle): Promise<PackBundle> {
  return { ...bundle, gzipBytes: await gzipBytes };
}
