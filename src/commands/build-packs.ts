import { resolve } from "node:path";
import { createManifest } from "../bundle/manifest.ts";
import { packNameOf } from "../bundle/pack-name.ts";
import { writeBundle } from "../bundle/write-bundle.ts";
import { PackError } from "../errors.ts";
import { eachPack, type PacksResult } from "./each-pack.ts";

export interface BuildPacksOptions {
  cwd: string;
  /** Each Pack gets a folder of its name in it. */
  outDir: string;
  /** @default true */
  minify?: boolean | undefined;
  /** Type-checks the Packs, too, where TypeScript is installed. @default true */
  types?: boolean | undefined;
}

export interface BuiltPack {
  name: string;
  entry: string;
  /** Absolute paths of what was written. */
  bundle: string;
  sourceMap: string;
  manifest: string;
  bytes: number;
  gzipBytes: number;
  sha256: string;
  durationMs: number;
}

export interface BuildResult extends PacksResult {
  ok: boolean;
  packs: BuiltPack[];
}

/**
 * Builds Packs one after the other. A Pack with an error in its definition or its types is not written, and does not stop the rest.
 * @throws {PackError} PACK_NAME_CONFLICT when two Packs would be written to the same folder
 */
export async function buildPacks(files: readonly string[], options: BuildPacksOptions): Promise<BuildResult> {
  const { cwd, outDir, minify = true, types } = options;
  await assertDistinctNames(files, cwd);
  const packs: BuiltPack[] = [];
  const result = await eachPack(files, { cwd, minify, types }, async (pack, { file, loadMs }) => {
    const startedMs = performance.now();
    if (pack.issues.some(({ severity }) => severity === "error")) return;
    const written = await writeBundle(pack.bundle, createManifest(pack.bundle, pack.definition), resolve(cwd, outDir));
    const { name, bytes, gzipBytes, sha256 } = pack.bundle;
    packs.push({
      name,
      entry: resolve(cwd, file),
      ...written,
      bytes,
      gzipBytes,
      sha256,
      durationMs: loadMs + performance.now() - startedMs,
    });
  });
  return { ok: result.failure === undefined, packs, ...result };
}

async function assertDistinctNames(files: readonly string[], cwd: string): Promise<void> {
  const byName = new Map<string, string>();
  for (const file of files) {
    const entry = resolve(cwd, file);
    const name = await packNameOf(entry);
    const other = byName.get(name);
    if (other !== undefined && other !== entry) {
      throw new PackError("PACK_NAME_CONFLICT", `${other} and ${entry} are both named "${name}", so one would overwrite the other.`, {
        details: { name, files: [other, entry] },
        hint: "Give one of them another name in the package.json beside it.",
      });
    }
    byName.set(name, entry);
  }
}
