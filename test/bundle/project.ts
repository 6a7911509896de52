import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export interface Project extends AsyncDisposable {
  directory: string;
  path(name: string): string;
}

/** A repository in a temporary folder, with the given files. */
export async function createProject(
  files: Record<string, string>,
  folder = "project",
): Promise<Project> {
  const root = await mkdtemp(join(tmpdir(), "packsmith-bundle-"));
  const directory = join(root, folder);
  await mkdir(join(directory, ".git"), { recursive: true });
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
