import { resolve } from "node:path";
import type { HazardStore } from "../bundle/bundle-hazards.ts";
import { cacheFolder } from "../shared/folders.ts";
import type { CacheKeys } from "./cache-keys.ts";
import { openHazardCache } from "./hazard-cache.ts";
import { openTypeCache, type TypeCache } from "./type-cache.ts";

/** Where builds and checks keep their results. */
export interface CacheOptions {
  cwd: string;
  /** Keeps results until one of their inputs changes, for builds and checks. @default true */
  cache?: boolean | undefined;
  /** Where to keep them. @default `PACKSMITH_CACHE`, or the user's folder for caches */
  cacheDir?: string | undefined;
}

export function resolveCacheFolder({ cwd, cacheDir }: CacheOptions): string {
  return cacheDir === undefined ? cacheFolder(process.env) : resolve(cwd, cacheDir);
}

/** @returns undefined without a cache */
export function openChosenHazardCache(options: CacheOptions): HazardStore | undefined {
  return options.cache === false ? undefined : openHazardCache(resolveCacheFolder(options));
}

/** @returns undefined without a cache */
export function openChosenTypeCache(
  options: CacheOptions,
  keys?: CacheKeys,
): TypeCache | undefined {
  if (options.cache === false) return undefined;
  return openTypeCache({ cwd: options.cwd, folder: resolveCacheFolder(options), keys });
}
