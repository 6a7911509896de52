import { execFileSync, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

/**
 * A folder in which `node@24` and `@modelcontextprotocol/conformance` are installed; CI makes one.
 */
const folder = process.env["PACKSMITH_CONFORMANCE"] ?? "";
const suite = join(folder, "node_modules/@modelcontextprotocol/conformance/dist/index.js");
const node24 = join(folder, "node_modules/.bin/node");
export const isInstalled = folder !== "" && existsSync(suite);

const client = fileURLToPath(new URL("mcp-client.ts", import.meta.url));
/** The list of the suite, from the heading of the scenarios for clients on. */
const listing = isInstalled
  ? (execFileSync(node24, [suite, "list"], { encoding: "utf8" })
      .split("Client scenarios")[1]
      ?.split("Authorization server scenarios")[0] ?? "")
  : "";
const clientScenarios = [...listing.matchAll(/^ *- (\S+)/gm)].map(([, name = ""]) => name);
/** All scenarios for clients that are about authorization. */
export const scenarios = clientScenarios.filter((name) => name.startsWith("auth/"));
/** All about tools. Skills that a server offers are an extension, which packsmith does not use. */
export const toolScenarios = clientScenarios.filter((name) => !/^(auth\/|sep-2640-)/.test(name));

/** One scenario for each part of the client. The others are in the suite test:long. */
export const SAMPLE = ["auth/scope-step-up", "auth/resource-mismatch", "tools_call"];

/** How long the suite waits for a client. Its default of 30 s is too short on a busy machine. */
const PATIENCE_MS = 100_000;

interface Check {
  id: string;
  status: string;
  description: string;
  errorMessage?: string;
}

/** Expects that the suite finds nothing wrong with the client of this folder. */
export async function expectNoFindings(scenario: string): Promise<void> {
  using output = makeTemporaryFolder();
  const settings = [
    "--command",
    `${node24} ${client}`,
    "--scenario",
    scenario,
    "--timeout",
    String(PATIENCE_MS),
    "-o",
    output.path,
  ];
  const { code, log } = await runSuite(["client", ...settings]);
  const checks = checksIn(output.path);
  expect(checks.filter(({ status }) => status === "FAILURE" || status === "WARNING")).toEqual([]);
  expect(
    checks.some(({ status }) => status === "SUCCESS"),
    log,
  ).toBe(true);
  expect(code, log).toBe(0);
}

/** @param onOutput called with all output so far until it returns true */
export function runSuite(
  args: string[],
  onOutput?: (text: string) => Promise<boolean>,
): Promise<{ code: number | null; log: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(node24, [suite, ...args], {
      env: { PATH: process.env["PATH"], HOME: process.env["HOME"], NO_COLOR: "1" },
    });
    let log = "";
    let isDone = onOutput === undefined;
    const collect = (chunk: unknown): void => {
      log += String(chunk);
      if (isDone || !log.includes("state=")) return;
      isDone = true;
      void onOutput?.(log).then((found) => (isDone = found), reject);
    };
    child.stdout.on("data", collect);
    child.stderr.on("data", collect);
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, log }));
  });
}

export function checksIn(directory: string): Check[] {
  const files = readdirSync(directory, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith("checks.json"),
  );
  return files.flatMap(
    (name) => JSON.parse(readFileSync(join(directory, name), "utf8")) as Check[],
  );
}
