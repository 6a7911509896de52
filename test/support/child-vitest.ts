import { spawn } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeTemporaryFolder } from "./temporary-folder.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

export const PRESET = `import { packsmith } from "packsmith/vitest";
import { defineConfig } from "vitest/config";
export default defineConfig({ plugins: [packsmith()], test: { globals: true, testTimeout: 120_000 } });
`;

/**
 * Links this package, vitest and others of our packages into a folder, as an installation would.
 */
export function linkPackages(folder: string, packages: readonly string[] = []): void {
  mkdirSync(join(folder, "node_modules"), { recursive: true });
  symlinkSync(root, join(folder, "node_modules", "packsmith"), "junction");
  for (const name of ["vitest", ...packages])
    symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name), "junction");
}

/** Runs a project's tests in a vitest of its own. */
export async function runVitestProject(
  files: Readonly<Record<string, string>>,
  packages: readonly string[] = [],
  options: readonly string[] = [],
): Promise<{ code: number | null; output: string }> {
  using folder = makeTemporaryFolder();
  const all = {
    "package.json": JSON.stringify({ type: "module" }),
    ...("vitest.config.mts" in files ? {} : { "vitest.config.ts": PRESET }),
    ...files,
  };
  for (const [name, text] of Object.entries(all)) {
    mkdirSync(join(folder.path, name, ".."), { recursive: true });
    writeFileSync(join(folder.path, name), text);
  }
  linkPackages(folder.path, packages);
  return await runVitest(folder.path, options);
}

/** One process for all files. For tests of other things than what files share. */
export const IN_ONE_PROCESS = ["--maxWorkers=1", "--no-isolate"];

/**
 * Runs vitest in a folder. On a busy machine, a test that builds a Pack may take longer than the
 * limit of vitest, 5 seconds.
 */
export function runVitest(
  cwd: string,
  options: readonly string[] = [],
): Promise<{ code: number | null; output: string }> {
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn(
    process.execPath,
    [join(root, "node_modules/vitest/vitest.mjs"), "run", "--testTimeout=120000", ...options],
    {
      cwd,
      env: { PATH, HOME, NO_COLOR: "1", CI: "1" },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      output += String(chunk);
    });
  }
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, output }));
  });
}
