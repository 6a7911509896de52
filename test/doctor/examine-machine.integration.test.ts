import { describe, expect, it } from "vitest";
import type { CheckName } from "../../src/doctor/examination.ts";
import { type ExamineOptions, examineMachine } from "../../src/doctor/examine-machine.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

async function examine(check: CheckName, options: Partial<ExamineOptions>) {
  using folder = makeTemporaryFolder();
  const env = { PACKSMITH_HOME: folder.path, PACKSMITH_KEY_STORE: "file", ...options.env };
  const { findings } = await examineMachine({ cwd: folder.path, ...options, env });
  return findings
    .filter((finding) => finding.check === check)
    .map(({ status, message, hint }) => [status, hint ?? message]);
}

describe("examineMachine", () => {
  it("knows which Node uses the proxies of the environment, and wants loopback excluded", async () => {
    const env = { HTTP_PROXY: "http://proxy.example:8080", NODE_USE_ENV_PROXY: "1" };
    expect(await examine("proxy", { nodeVersion: "20.20.2", env })).toEqual([
      ["note", "If direct requests fail, use Node 24 or later with NODE_USE_ENV_PROXY=1."],
    ]);
    expect(
      await examine("proxy", { nodeVersion: "24.1.0", env: { ...env, NODE_USE_ENV_PROXY: "" } }),
    ).toEqual([["note", "If direct requests fail, set NODE_USE_ENV_PROXY=1."]]);
    expect(await examine("proxy", { nodeVersion: "22.21.0", env })).toEqual([
      ["warning", "Set NO_PROXY=127.0.0.1,localhost,[::1] in addition."],
    ]);
    expect(
      await examine("proxy", {
        nodeVersion: "24.1.0",
        env: { ...env, NO_PROXY: "127.0.0.1, localhost" },
      }),
    ).toEqual([
      [
        "fine",
        "packsmith sends requests through HTTP_PROXY (proxy.example:8080), except to servers on this machine.",
      ],
    ]);
  });

  it("says which Node is needed", async () => {
    expect(await examine("node", { nodeVersion: "18.19.1" })).toEqual([
      ["problem", "Install Node 20.19 or later."],
    ]);
    expect(await examine("node", { nodeVersion: "20.9.0" })).toEqual([
      ["problem", "Install Node 20.19 or later."],
    ]);
    expect(await examine("node", { nodeVersion: "21.0.0" })).toMatchObject([
      ["fine", expect.stringContaining("Node 21.0.0")],
    ]);
  });

  it("says why a browser may not reach this machine", async () => {
    const [[status, hint] = []] = await examine("browser", {
      platform: "darwin",
      env: { SSH_CONNECTION: "a b c d" },
    });
    expect([status, hint]).toEqual(["note", expect.stringContaining("--browser system")]);
  });
});
