import { hash } from "node:crypto";
import { gzipSync } from "node:zlib";
import type { Metafile } from "esbuild";
import type { Issue, SourceFile } from "../validate/issue.ts";
import type { BundleInput } from "./bundle-parts.ts";
import type { ImportGraph } from "./import-graph.ts";

/** A Pack as one script, with everything that is known about it before it is loaded. */
export interface Bundle {
  name: string;
  /** Absolute path of the entry file. */
  entry: string;
  code: string;
  /** JSON text, with the sources in it; empty when there is none. */
  sourceMap: string;
  bytes: number;
  gzipBytes: number;
  /** Of the code, in hexadecimal. */
  sha256: string;
  inputs: BundleInput[];
  /** Absolute paths of the inputs that do not belong to this package. */
  inputPaths: string[];
  /** The packages whose main files were taken because their files for browsers did not load. */
  mainEntries: string[];
  /** What esbuild says about the build. Undefined for a Pack from the cache. */
  metafile: Metafile | undefined;
  /** How it was made. Undefined for a Pack from the cache. */
  made: Making | undefined;
  /** Which of the inputs imports which. */
  imports: ImportGraph;
  /** The author's own files, the entry first: what the positions of issues are found in. */
  sources: SourceFile[];
  /**
   * What the bundler reports, and code that cannot work in the Pack runtime. Files are relative to
   * the folder of the entry.
   */
  issues: Issue[];
  durationMs: number;
}

export interface Making {
  /** When its files began to be read, in milliseconds since the epoch. */
  readSinceMs: number;
  /**
   * Absolute paths of the source maps that inputs name, and of the sources that these name, whether
   * they exist or not.
   */
  sourceMaps: string[];
}

/** A bundle that was built before: what only its sources know is empty. */
export function measureBundle({
  name,
  entry,
  code,
  sourceMap,
}: Pick<Bundle, "name" | "entry" | "code" | "sourceMap">): Bundle {
  return {
    name,
    entry,
    code,
    sourceMap,
    bytes: Buffer.byteLength(code),
    gzipBytes: gzipSync(code).byteLength,
    sha256: hash("sha256", code),
    inputs: [],
    inputPaths: [],
    mainEntries: [],
    metafile: undefined,
    made: undefined,
    imports: new Map(),
    sources: [],
    issues: [],
    durationMs: 0,
  };
}
