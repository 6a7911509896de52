import { join } from "node:path";
import { expect, it } from "vitest";
import { vaultLocation, vaultWarning } from "../../src/accounts/vault-location.ts";
import { homeDirectory } from "../../src/shared/folders.ts";

it.each([
  [{ PACKSMITH_HOME: "/own" }, "linux", "/own"],
  [{}, "linux", join("/home/me", ".config", "packsmith")],
  [{ XDG_CONFIG_HOME: "/config" }, "linux", join("/config", "packsmith")],
  [{}, "darwin", join("/home/me", "Library", "Application Support", "packsmith")],
  [{ APPDATA: "/app" }, "win32", join("/app", "packsmith")],
] as const)("with %j on %s the vault lives in %s", (env, platform, expected) => {
  expect(homeDirectory(env, platform, "/home/me")).toBe(expected);
});

it.each([
  [{}, undefined],
  [{ DATABASE_URL: "" }, undefined],
  [{ DATABASE_URL: "mysql://app.example/x" }, undefined],
  [{ DATABASE_URL: "postgres://db.example/x" }, "postgres://db.example/x"],
  [{ DATABASE_URL: "postgresql://db.example/x" }, "postgresql://db.example/x"],
])(
  "with %j the records are on the server %s, and the key stays in the folder",
  (env, databaseUrl) => {
    expect(vaultLocation({ PACKSMITH_HOME: "/own", ...env })).toMatchObject({
      home: "/own",
      databaseUrl,
    });
  },
);

it("the connection to a vault on another machine must be encrypted, or is remarked on", () => {
  expect(vaultWarning({ DATABASE_URL: "postgres://me@db.example/packs?sslmode=disable" })).toMatch(
    /^the connection to the server of DATABASE_URL is not encrypted/,
  );
  expect(vaultWarning({ DATABASE_URL: "postgres://me@db.example/packs" })).toBeUndefined();
  expect(vaultWarning({})).toBeUndefined();
});
