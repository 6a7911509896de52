import { findInstalledPackage } from "../shared/installed-packages.ts";
import type { BundlePart, PartChange } from "./bundle-part.ts";

/** A file that went into a bundle. */
export interface BundleInput {
  /**
   * Relative to the folder of the entry file, with forward slashes. Files of this package begin
   * with `packsmith/`.
   */
  path: string;
  bytes: number;
  /**
   * How many bytes of the bundle come from this file: fewer than it has when parts of it are not
   * used.
   */
  bundledBytes: number;
  /** Hexadecimal. */
  sha256: string;
}

/** Name of the part with the author's own files. */
export const OWN_CODE = "your code";

/** The name of the part that an input belongs to. */
export function getPart(path: string): string {
  const polyfill = /^packsmith\/polyfills\/(\w+)/.exec(path)?.[1];
  if (polyfill !== undefined) return `node:${polyfill}`;
  if (path.startsWith("packsmith/")) return "packsmith";
  return findInstalledPackage(path)?.name ?? OWN_CODE;
}

/** @returns the parts of a bundle, the largest first */
export function bundleParts(
  inputs: readonly Pick<BundleInput, "path" | "bundledBytes">[],
): BundlePart[] {
  const sizes = new Map<string, number>();
  for (const { path, bundledBytes } of inputs)
    sizes.set(getPart(path), (sizes.get(getPart(path)) ?? 0) + bundledBytes);
  return [...sizes]
    .map(([name, bytes]) => ({ name, bytes }))
    .filter(({ bytes }) => bytes > 0)
    .sort((a, b) => b.bytes - a.bytes || (a.name < b.name ? -1 : 1));
}

/** @returns the parts that changed, the largest change first */
export function compareParts(
  before: readonly BundlePart[],
  after: readonly BundlePart[],
): PartChange[] {
  const sizeIn = (parts: readonly BundlePart[], name: string): number =>
    parts.find((part) => part.name === name)?.bytes ?? 0;
  return [...new Set([...before, ...after].map(({ name }) => name))]
    .map((name) => ({ name, bytes: sizeIn(after, name) - sizeIn(before, name) }))
    .filter(({ bytes }) => bytes !== 0)
    .sort((a, b) => Math.abs(b.bytes) - Math.abs(a.bytes) || (a.name < b.name ? -1 : 1));
}
