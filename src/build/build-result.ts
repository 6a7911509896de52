import * as z from "zod";
import { bundlePart, partChange } from "../bundle/bundle-part.ts";

const file = z.string().describe("Absolute path.");
const bytes = z.int().nonnegative();

export const buildResult = z.strictObject({
  name: z.string(),
  entry: z.string(),
  bundle: file,
  sourceMap: file,
  manifest: file,
  facts: file,
  metafile: file.optional().describe("With --metafile."),
  bytes,
  gzipBytes: bytes,
  sha256: z.string(),
  parts: z.array(bundlePart).describe("The author's code and each package, largest first."),
  /**
   * The packages whose main files were taken because their files for browsers did not load; absent
   * when there are none.
   */
  mainEntries: z
    .array(z.string())
    .optional()
    .describe(
      "Packages that are bundled with their main files instead of their files for browsers or bundlers.",
    ),
  /** The changes since the build that it was compared with; undefined when it was not compared. */
  changes: z.array(partChange).optional().describe("With --compare."),
  /**
   * The files from the entry to the package or file of `why`; undefined when the bundle does not
   * contain it.
   */
  why: z.array(z.string()).optional().describe("With --why: the import chain from the entry file."),
  /** Whether the Pack was taken from the cache. `off`: the build used none. */
  cache: z.enum(["hit", "miss", "off"]),
  durationMs: z.number().nonnegative().describe("Milliseconds."),
});

/** What a build wrote for one Pack. */
export type BuildResult = z.output<typeof buildResult>;
