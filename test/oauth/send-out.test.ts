import { describe, expect, it } from "vitest";
import { usesProxies } from "../../src/oauth/send-out.ts";

describe("usesProxies", () => {
  it.each([
    ["20.19.0", { NODE_USE_ENV_PROXY: "1" }, false],
    ["22.20.0", { NODE_USE_ENV_PROXY: "1" }, false],
    ["22.21.0", { NODE_USE_ENV_PROXY: "1" }, true],
    ["24.1.0", { NODE_OPTIONS: "--max-old-space-size=100 --use-env-proxy" }, true],
    ["24.1.0", { HTTP_PROXY: "http://proxy.example" }, false],
  ])("of Node %s with %j is %j", (version, env, expected) => {
    expect(usesProxies(env, version)).toBe(expected);
  });

  it("is told by the command line of Node, too", () => {
    expect(usesProxies({}, "24.1.0", ["--use-env-proxy"])).toBe(true);
    expect(usesProxies({}, "20.19.0", ["--use-env-proxy"])).toBe(false);
  });
});
