import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { readManifest } from "./repository.ts";

export interface SuiteResult {
  passed: number;
  failed: number;
  started: boolean;
  /** The end of its output, if it did not pass. */
  output?: string;
}

const LIMIT_MS = 5 * 60_000;
const RUNNER = /\b(?:mocha|ts-mocha|jest|vitest|kava)\b/;

/** The script `test` of a project, if it starts a test runner. */
export function findSuite(folder: string): string | undefined {
  const script = readManifest(folder).scripts?.["test"];
  return script !== undefined && RUNNER.test(script) ? script : undefined;
}

/**
 * Runs the script as it is: with `@codahq/packs-sdk`, with packsmith's hooks, and with its preset
 * for vitest. A suite whose types do not fit the published package of today is not type-checked.
 */
export async function runSuites({
  script,
  ours,
  theirs,
  node,
}: {
  script: string;
  ours: string;
  theirs: string;
  node: string;
}): Promise<Record<string, SuiteResult>> {
  let variables: Record<string, string> = {};
  let before = await runScript(script, theirs, variables, node);
  if (!before.started) {
    variables = { TS_NODE_TRANSPILE_ONLY: "true" };
    before = await runScript(script, theirs, variables, node);
  }
  const hooks = { ...variables, NODE_OPTIONS: "--import=packsmith/register" };
  return {
    theirs: before,
    ours: await runScript(script, ours, hooks, process.execPath),
    preset: await runPreset(ours),
  };
}

async function runPreset(folder: string): Promise<SuiteResult> {
  const config = join(folder, "vitest.packsmith.config.mjs");
  await writeFile(
    config,
    'import { packsmith } from "packsmith/vitest";\nexport default { plugins: [packsmith()] };\n',
  );
  const words = "node_modules/vitest/vitest.mjs run --config vitest.packsmith.config.mjs";
  return await runScript(`node ${words}`, folder, {}, process.execPath);
}

async function runScript(
  script: string,
  cwd: string,
  variables: Record<string, string>,
  node: string,
): Promise<SuiteResult> {
  const path = [join(cwd, "node_modules/.bin"), join(node, ".."), process.env["PATH"]];
  const child = spawn("sh", ["-c", script], {
    cwd,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: path.join(delimiter), HOME: process.env["HOME"], ...variables },
  });
  const timer = setTimeout(() => process.kill(-(child.pid ?? 0), "SIGKILL"), LIMIT_MS);
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => (output += String(chunk)));
  const code = await new Promise((resolve) => child.on("close", resolve));
  clearTimeout(timer);
  return readSuite(`${output}\nexit code ${code}`);
}

/** Reads what mocha, jest and vitest print at their end. */
export function readSuite(output: string): SuiteResult {
  const text = output.replace(/\u001b\[[0-9;]*m/g, "");
  const count = (...patterns: RegExp[]) =>
    Number(patterns.map((pattern) => pattern.exec(text)?.[1]).find(Boolean) ?? 0);
  const passed = count(/^\s*(\d+) passing/m, /^\s*Tests:?\s.*?(\d+) passed/m);
  const failed = count(/^\s*(\d+) failing/m, /^\s*Tests:?\s.*?(\d+) failed/m);
  const failedFiles = count(/^\s*Test (?:Files|Suites:)\s.*?(\d+) failed/m);
  const started =
    /^\s*\d+ passing|^\s*Tests:?\s+\d/m.test(text) && !(failed === 0 && failedFiles > 0);
  if (started && failed === 0) return { passed, failed, started };
  return { passed, failed, started, output: text.slice(-6_000) };
}
