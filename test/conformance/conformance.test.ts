import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { walkHeadless } from "../../src/connect/headless-browser.ts";
import { startProvider } from "../../src/provider/provider.ts";
import { chooseCases } from "../support/breadth.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import {
  checksIn,
  expectNoFindings,
  isInstalled,
  runSuite,
  SAMPLE,
  scenarios,
  toolScenarios,
} from "./run-suite.ts";

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
  it.concurrent.each(
    chooseCases(
      SAMPLE.map((scenario) => [scenario]),
      3,
    ),
  )("finds nothing wrong with a client on top of connect and execute: %s", expectNoFindings);

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

/** The suite's own callback server needs a number. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
