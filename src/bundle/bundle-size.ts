import { PackError } from "../errors.ts";
import type { Issue } from "../validate/issue.ts";
import { type BundleInput, bundleParts } from "./bundle-parts.ts";

/** A bundle is loaded for every run, into an isolate of 128 MB. */
export const MAX_BUNDLE_BYTES = 5_000_000;
/**
 * A larger bundle is not loaded at all: it would use up the memory of the isolate before it could
 * report anything.
 */
const MAX_LOADED_BYTES = 20_000_000;
const SHOWN_PARTS = 3;
const HINT = "Import only what the Pack uses, or request large data when a formula runs.";

interface Sizes {
  bytes: number;
  inputs: readonly Pick<BundleInput, "path" | "bundledBytes">[];
}

/**
 * Checks the platform's limit for a bundle. @returns one issue, which names the largest parts, or
 * none
 */
export function checkBundleSize(bundle: Sizes, severity: Issue["severity"]): Issue[] {
  if (bundle.bytes <= MAX_BUNDLE_BYTES) return [];
  return [{ code: "BUNDLE_SIZE", severity, message: tooLarge(bundle), path: "", hint: HINT }];
}

/** @throws {PackError} PACK_BUILD_FAILED when a bundle is far too large to be loaded */
export function assertLoadable(bytes: number, inputs: Sizes["inputs"]): void {
  if (bytes <= MAX_LOADED_BYTES) return;
  const message = tooLarge({ bytes, inputs });
  const problem = {
    code: "BUNDLE_SIZE",
    message,
    hint: HINT,
    file: undefined,
    line: undefined,
    column: undefined,
  };
  throw new PackError("PACK_BUILD_FAILED", message, {
    details: { problems: [problem] },
    hint: HINT,
  });
}

function tooLarge(bundle: Sizes): string {
  return `The bundle has ${sizeText(bundle.bytes)}; the limit is ${sizeText(MAX_BUNDLE_BYTES)}. ${largestParts(bundle)}`;
}

/** Checks the author's own limit. @returns one issue, which names the largest parts, or none */
export function checkBudget(bundle: Sizes, budgetBytes: number): Issue[] {
  if (bundle.bytes <= budgetBytes) return [];
  const message = `The bundle has ${sizeText(bundle.bytes)}, ${sizeText(bundle.bytes - budgetBytes)} over its budget of ${sizeText(budgetBytes)}. ${largestParts(bundle)}`;
  const hint =
    "Run packsmith build with --why and the name of a package to see which imports include the package. Or raise --budget.";
  return [{ code: "BUNDLE_BUDGET", severity: "error", message, path: "", hint }];
}

function largestParts({ inputs }: Sizes): string {
  const names = bundleParts(inputs)
    .slice(0, SHOWN_PARTS)
    .map(({ name, bytes }) => `${name} (${sizeText(bytes)})`);
  return names.length === 0 ? "" : `The largest parts are ${names.join(", ")}.`;
}

/** `4.5 kB`, `1.2 MB`: decimal units, as browsers and package managers count. */
export function sizeText(bytes: number): string {
  return bytes < 1_000_000
    ? `${(bytes / 1_000).toFixed(1)} kB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
