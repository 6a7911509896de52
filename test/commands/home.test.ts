import { join } from "node:path";
import { expect, it } from "vitest";
import { homeDirectory } from "../../src/commands/home.ts";

it.each([
  [{ PACKSMITH_HOME: "/own" }, "linux", "/own"],
  [{}, "linux", join("/home/me", ".config", "packsmith")],
  [{ XDG_CONFIG_HOME: "/config" }, "linux", join("/config", "packsmith")],
  [{}, "darwin", join("/home/me", "Library", "Application Support", "packsmith")],
  [{ APPDATA: "/app" }, "win32", join("/app", "packsmith")],
] as const)("with %j on %s the vault lives in %s", (env, platform, expected) => {
  expect(homeDirectory(env, platform, "/home/me")).toBe(expected);
});
