import * as z from "zod";

export const bundlePart = z.strictObject({
  /** Name of the package; `your code` for the Pack's own files. */
  name: z.string(),
  bytes: z.int().nonnegative(),
});

/** How much of a bundle one package, or the author's own code, takes. */
export type BundlePart = z.output<typeof bundlePart>;

export const partChange = z.strictObject({
  name: z.string(),
  /** Positive when it grew. */
  bytes: z.int(),
});

/** How the size of a part changed between two builds. */
export type PartChange = z.output<typeof partChange>;
