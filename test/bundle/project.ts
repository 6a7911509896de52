import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { bundlePack } from "../../src/bundle/bundle-pack.ts";
import type { BundleOptions } from "../../src/bundle/bundle-plan.ts";
import type { NewBundle, PackBundle } from "../../src/bundle/pack-bundle.ts";
import type { Issue } from "../../src/validate/issue.ts";

export interface Project extends AsyncDisposable {
  directory: string;
  path(name: string): string;
}

/** A temporary folder with the given files. */
export async function createProject(files: Record<string, string>, folder = "project"): Promise<Project> {
  const root = await mkdtemp(join(tmpdir(), "packsmith-bundle-"));
  const directory = join(root, folder);
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(directory, name)), { recursive: true });
    await writeFile(join(directory, name), text);
  }
  return {
    directory,
    path: (name) => join(directory, name),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  };
}

/** A bundle, and what was found beside it. */
export async function bundleWhole(options: BundleOptions): Promise<PackBundle & { warnings: Issue[] }> {
  return whole(await bundlePack(options));
}

export function whole(made: NewBundle): PackBundle & { warnings: Issue[] } {
  const { bundle, warnings } = made.finish();
  return { ...bundle, warnings };
}
