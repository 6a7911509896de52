import { execFileSync, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { walkHeadless } from "../../src/connect/headless-browser.ts";
import { startProvider } from "../../src/provider/provider.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

/**
 * A folder in which `node@24` and `@modelcontextprotocol/conformance` are installed; CI makes one.
 */
const folder = process.env["PACKSMITH_CONFORMANCE"] ?? "";
const suite = join(folder, "node_modules/@modelcontextprotocol/conformance/dist/index.js");
const node24 = join(folder, "node_modules/.bin/node");
const isInstalled = folder !== "" && existsSync(suite);

const client = fileURLToPath(new URL("mcp-client.ts", import.meta.url));
/** The list of the suite, from the heading of the scenarios for clients on. */
const listing = isInstalled
  ? (execFileSync(node24, [suite, "list"], { encoding: "utf8" })
      .split("Client scenarios")[1]
      ?.split("Authorization server scenarios")[0] ?? "")
  : "";
const clientScenarios = [...listing.matchAll(/^ *- (\S+)/gm)].map(([, name = ""]) => name);
/** All scenarios for clients that are about authorization. */
const scenarios = clientScenarios.filter((name) => name.startsWith("auth/"));
/** All about tools. Skills that a server offers are an extension, which packsmith does not use. */
const toolScenarios = clientScenarios.filter((name) => !/^(auth\/|sep-2640-)/.test(name));

/** How long the suite waits for a client. Its default of 30 s is too short on a busy machine. */
const PATIENCE_MS = 100_000;

interface Check {
  id: string;
  status: string;
  description: string;
  errorMessage?: string;
}

describe.skipIf(!isInstalled)("the conformance suite of the Model Context Protocol", () => {
  it("has the scenarios that this file is about", () => {
    expect(scenarios.length).toBeGreaterThanOrEqual(26);
    expect(scenarios).toEqual(
      expect.arrayContaining([
        "auth/metadata-default",
        "auth/scope-step-up",
        "auth/resource-mismatch",
      ]),
    );
  });

  it("has the scenarios about tools that this file is about", () => {
    expect(toolScenarios).toEqual(
      expect.arrayContaining([
        ...["tools_call", "sse-retry", "request-metadata", "elicitation-sep1034-client-defaults"],
        ...["http-custom-headers", "http-invalid-tool-headers", "sep-2322-client-request-state"],
      ]),
    );
  });

  // Most of the time of a scenario is waiting.
  it.concurrent.each([...scenarios, ...toolScenarios].map((scenario) => [scenario]))(
    "finds nothing wrong with a client on top of connect and execute: %s",
    async (scenario) => {
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
      expect(checks.filter(({ status }) => status === "FAILURE" || status === "WARNING")).toEqual(
        [],
      );
      expect(
        checks.some(({ status }) => status === "SUCCESS"),
        log,
      ).toBe(true);
      expect(code, log).toBe(0);
    },
  );

  it("finds nothing wrong with the local provider as an authorization server", async () => {
    const port = await freePort();
    using output = makeTemporaryFolder();
    await using provider = await startProvider({
      clients: [{ clientId: "conformance", redirectUris: [`http://127.0.0.1:${port}/callback`] }],
    });
    const settings = [
      "--url",
      provider.issuer,
      "--client-id",
      "conformance",
      "--port",
      String(port),
      "-o",
      output.path,
    ];
    const { code, log } = await runSuite(["authorization", ...settings], async (text) => {
      const [url] = /http:\/\/127\.0\.0\.1:\d+\/authorize\?\S+/.exec(text) ?? [];
      if (url !== undefined) await walkHeadless(url);
      return url !== undefined;
    });
    const checks = checksIn(output.path);
    expect(checks.filter(({ status }) => status !== "SUCCESS")).toEqual([]);
    expect(checks.map(({ id }) => id)).toEqual(
      expect.arrayContaining(["authorization-server-metadata", "authorization-code-grant"]),
    );
    expect(code, log).toBe(0);
  });
});

/** @param onOutput called with all output so far until it returns true */
function runSuite(
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

function checksIn(directory: string): Check[] {
  const files = readdirSync(directory, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith("checks.json"),
  );
  return files.flatMap(
    (name) => JSON.parse(readFileSync(join(directory, name), "utf8")) as Check[],
  );
}

/** The suite's own callback server needs a number. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
