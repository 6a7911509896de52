import { execFile } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The type errors of a project that it does not have with `@codahq/packs-sdk`, each as its file,
 * line and code. Both copies are checked by the compiler of the project, or by another one if that
 * is too old to read the typings of `@codahq/packs-sdk`: then it would check nothing.
 */
export async function listNewTypeErrors(
  folders: { ours: string; theirs: string },
  fallback: string,
): Promise<{ before: number; added: string[] }> {
  addConfiguration(folders);
  const own = join(folders.theirs, "node_modules/typescript/bin/tsc");
  let compiler = existsSync(own) ? own : fallback;
  let theirs = await listTypeErrors(folders.theirs, compiler);
  if (theirs.some(({ key }) => /packs-sdk\/.*TS1\d{3}$/.test(key))) {
    compiler = fallback;
    theirs = await listTypeErrors(folders.theirs, compiler);
  }
  const ours = await listTypeErrors(folders.ours, compiler);
  const known = new Set(theirs.map(({ key }) => key));
  return {
    before: theirs.length,
    added: ours.filter(({ key }) => !known.has(key)).map(({ text }) => text),
  };
}

/** Where `packsmith init` has written a configuration, both copies get it; one without the mapping. */
function addConfiguration({ ours, theirs }: { ours: string; theirs: string }): void {
  const [from, to] = [join(ours, "tsconfig.json"), join(theirs, "tsconfig.json")];
  if (existsSync(to) || !existsSync(from)) return;
  const configuration = JSON.parse(readFileSync(from, "utf8")) as { compilerOptions: object };
  const compilerOptions = { ...configuration.compilerOptions, paths: {} };
  writeFileSync(to, JSON.stringify({ ...configuration, compilerOptions }));
}

interface TypeError {
  key: string;
  text: string;
}

async function listTypeErrors(folder: string, compiler: string): Promise<TypeError[]> {
  if (!existsSync(join(folder, "tsconfig.json"))) return [];
  const words = [compiler, "--noEmit", "--pretty", "false", "-p", "."];
  const text = await new Promise<string>((resolve) =>
    execFile(process.execPath, words, { cwd: folder, maxBuffer: 1 << 28 }, (_error, stdout) =>
      resolve(stdout),
    ),
  );
  // Places in a configuration move when the mapping is written into it.
  return [...text.matchAll(/^(\S.*?)\((\d+),\d+\): error (TS\d+): .*$/gm)].map(
    ([line, file, place, code = ""]) => ({
      key: `${file}:${place} ${WITHOUT_ADVICE[code] ?? code}`,
      text: line,
    }),
  );
}

/** An error has another code when the compiler knows a similar name. */
const WITHOUT_ADVICE: Readonly<Record<string, string>> = {
  TS2551: "TS2339",
  TS2552: "TS2304",
  TS2724: "TS2305",
};
