import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";

const COMPILERS = { "4.9": "typescript-4.9", "5.9": "typescript-5.9", "7": "typescript" } as const;

/** The compilers that authors have: existing projects keep 5.9. */
export type CompilerVersion = keyof typeof COMPILERS;

/** Runs the real compiler on a project and gives what it prints: nothing when all is well. */
export function typeCheck(project: string, version: CompilerVersion): Promise<string> {
  const tsc = fileURLToPath(
    new URL(`../../node_modules/${COMPILERS[version]}/bin/tsc`, import.meta.url),
  );
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [tsc, "-p", project, "--pretty", "false"],
      { cwd: project },
      (_error, stdout, stderr) => resolve(stdout + stderr),
    );
  });
}
