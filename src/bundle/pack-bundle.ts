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

/**
 * A bundle that was just made: what a sandbox loads. Whoever needs the rest, too, begins with the sandbox, whose thread works
 * meanwhile.
 */
export interface NewBundle extends Pick<PackBundle, "name" | "entry" | "code" | "sourceMap"> {
  /** When the work on it began, as `uptimeMs` tells. */
  startedAt: number;
  /** @returns absolute paths of the files that it was made of, without those of this package */
  inputPaths(): string[];
  /** Reads what it was made of, and looks for hazards there. */
  finish(): FinishedBundle;
}

export interface FinishedBundle {
  bundle: PackBundle;
  /** What the bundler takes for a mistake, and what cannot work in the Pack runtime, which may be an error. */
  warnings: Issue[];
}
