import type { Issue } from "../validate/issue.ts";
import type { PackBundle } from "./bundle-pack.ts";

/** A bundle is loaded for every run, into an isolate of 128 MB. */
export const MAX_BUNDLE_BYTES = 5_000_000;
const SHOWN_INPUTS = 3;

/** Rule A16: the limit of a bundle's size. @returns one issue, which names the largest inputs, or none */
export function checkBundleSize({ bytes, inputs }: Pick<PackBundle, "bytes" | "inputs">, severity: Issue["severity"]): Issue[] {
  if (bytes <= MAX_BUNDLE_BYTES) return [];
  const largest = [...inputs].sort((a, b) => b.bytes - a.bytes).slice(0, SHOWN_INPUTS);
  const names = largest.map(({ path, bytes: size }) => `${path} (${megabytes(size)})`).join(", ");
  return [
    {
      code: "BUNDLE_SIZE",
      severity,
      message: `The bundle has ${megabytes(bytes)}; ${megabytes(MAX_BUNDLE_BYTES)} are allowed. The largest inputs are ${names}.`,
      path: "",
      hint: "Import only what the Pack uses, or fetch large data when a formula runs.",
    },
  ];
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
