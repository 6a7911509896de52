import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

/**
 * The type errors of a project that it does not have with `@codahq/packs-sdk`, each as its file,
 * line and code. Both copies are checked by the compiler of the project.
 */
export async function listNewTypeErrors(
  folders: { ours: string; theirs: string },
  fallback: string,
): Promise<{ before: number; added: string[] }> {
  const theirs = await listTypeErrors(folders.theirs, fallback);
  const ours = await listTypeErrors(folders.ours, fallback);
  const known = new Set(theirs.map(({ key }) => key));
  return {
    before: theirs.length,
    added: ours.filter(({ key }) => !known.has(key)).map(({ text }) => text),
  };
}

interface TypeError {
  key: string;
  text: string;
}

async function listTypeErrors(folder: string, fallback: string): Promise<TypeError[]> {
  if (!existsSync(join(folder, "tsconfig.json"))) return [];
  const own = join(folder, "node_modules/typescript/bin/tsc");
  const words = [existsSync(own) ? own : fallback, "--noEmit", "--pretty", "false", "-p", "."];
  const text = await new Promise<string>((resolve) =>
    execFile(process.execPath, words, { cwd: folder, maxBuffer: 1 << 28 }, (_error, stdout) =>
      resolve(stdout),
    ),
  );
  // Places in a configuration move when the mapping is written into it.
  return [...text.matchAll(/^(\S.*?)\((\d+),\d+\): error (TS\d+): .*$/gm)].map(
    ([line, file, place, code]) => ({ key: `${file}:${place} ${code}`, text: line }),
  );
}
