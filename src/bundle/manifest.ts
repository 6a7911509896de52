import { hash } from "node:crypto";
import { packageVersion } from "../shared/own-package.ts";
import type { BundleInput } from "./bundle-parts.ts";
import type { PackBundle } from "./pack-bundle.ts";

/** A build writes this next to the bundle: the definition without its functions, and the hashes of everything. It contains no secrets. */
export interface PackManifest {
  formatVersion: 1;
  name: string;
  /** The Pack's own version, when its definition has one. */
  version?: string | undefined;
  packsmithVersion: string;
  bundle: { file: "bundle.js"; bytes: number; gzipBytes: number; sha256: string };
  sourceMap: { file: "bundle.js.map"; sha256: string };
  inputs: BundleInput[];
  /** The Pack's definition as the platform reads it: compiled, without functions, with its members in a stable order. */
  definition: Record<string, unknown>;
}

/**
 * @param bundle the result of `bundlePack`
 * @param compiled the Pack in the form that the service loads
 */
export function createManifest(bundle: PackBundle, compiled: object): PackManifest {
  const data = metadataOf(compiled);
  return {
    formatVersion: 1,
    name: bundle.name,
    ...(typeof data["version"] === "string" ? { version: data["version"] } : {}),
    packsmithVersion: packageVersion(),
    bundle: { file: "bundle.js", bytes: bundle.bytes, gzipBytes: bundle.gzipBytes, sha256: bundle.sha256 },
    sourceMap: { file: "bundle.js.map", sha256: hash("sha256", bundle.sourceMap) },
    inputs: bundle.inputs,
    definition: data,
  };
}

/** The metadata of a Pack, as an upload carries it: the compiled form as JSON, without its functions. */
export function metadataOf(compiled: object): Record<string, unknown> {
  return withoutFunctions(compiled) as Record<string, unknown>;
}

/** Functions and `undefined` are left out, patterns and dates become text, and the members of every object are sorted. */
function withoutFunctions(value: unknown): unknown {
  if (value instanceof RegExp) return String(value);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (Array.isArray(value)) return value.filter((item) => typeof item !== "function").map(withoutFunctions);
  if (typeof value !== "object" || value === null) return typeof value === "bigint" || typeof value === "symbol" ? String(value) : value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => typeof member !== "function" && member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, withoutFunctions(member)]),
  );
}
