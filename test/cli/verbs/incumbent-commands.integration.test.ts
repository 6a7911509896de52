import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { git } from "../../publish/registry/git.ts";
import { hello } from "../../publish/registry/registry.ts";
import { startPublishCli, versioned } from "./publish-cli.ts";

const FILE = "packs/one/pack.ts";

describe("scripts that were written for @codahq/packs-sdk", () => {
  it("register and whoami take a token, with a warning that the shell keeps it, and never show it", async () => {
    await using cli = await startPublishCli(["one"]);
    const { token } = cli.test.service;
    for (const verb of ["register", "whoami"]) {
      const done = await cli.run(verb, token);
      expect([verb, done.code]).toEqual([verb, 0]);
      expect(done.stderr).toContain("the history of your shell now contains the token");
      expect(done.stdout + done.stderr).not.toContain(token);
    }
    expect((await cli.run("whoami", "wrong-token")).code).toBe(12);
    for (const verb of ["login", "whoami"])
      expect((await cli.run(verb, "--help")).stdout).not.toMatch(/\[token\]|api-token|register/);
  });

  it("create, upload and release FILE VERSION publish a Pack", async () => {
    await using cli = await startPublishCli(["one"]);
    const { token } = cli.test.service;
    const created = await cli.run("create", FILE, "-n", "Tasks", "-d", "Todo", "--apiToken", token);
    expect([created.code, created.stdout]).toEqual([0, "1001  Tasks\n"]);
    cli.commit("Create");
    expect((await cli.run("upload", FILE, "-n", "First", "-o", "tmp")).code).toBe(0);
    const released = await cli.run("release", FILE, "1.0.0", "--notes", "First", "--gitTag=false");
    expect([released.code, released.stdout]).toEqual([
      0,
      "released  Pack 1001  1.0.0  release 1\n",
    ]);
    expect(git(cli.cwd, "tag")).toBe("");
  });

  it("link takes the folder first, or the Pack", async () => {
    await using cli = await startPublishCli(["one", "two", "three"]);
    await cli.run("create", FILE);
    for (const words of [
      ["packs/two", "1001"],
      ["1001", "packs/three"],
    ])
      expect(await cli.run("link", ...words)).toMatchObject({ code: 0 });
    for (const name of ["two", "three"])
      expect(readFileSync(join(cli.cwd, `packs/${name}/.coda-pack.json`), "utf8")).toContain(
        "1001",
      );
    expect((await cli.run("link", "packs/two", "packs/three")).code).toBe(2);
  });

  it("setOption keeps the options of a Pack, which the commands then use", async () => {
    await using cli = await startPublishCli(["one"]);
    await cli.run("create", FILE);
    for (const [option, value] of [
      ["timerStrategy", "error"],
      ["gitTag", "true"],
      ["apiEndpoint", "https://packs.example"],
    ])
      expect(await cli.run("setOption", FILE, option ?? "", value ?? "")).toMatchObject({
        code: 0,
        stderr: "written  packs/one/.coda-pack.json\n",
      });
    const kept = JSON.parse(readFileSync(join(cli.cwd, "packs/one/.coda-pack.json"), "utf8"));
    expect(kept.options).toEqual({
      timerStrategy: "error",
      gitTag: true,
      apiEndpoint: "https://packs.example",
    });
    expect((await cli.run("setOption", FILE, "timerStrategy", "slow")).code).toBe(2);
    expect((await cli.run("setOption", FILE, "colour", "red")).code).toBe(2);
    cli.commit("Options");
    await cli.run("release", FILE, "--publish", "--no-types", "--notes", "First");
    expect(git(cli.cwd, "tag")).toBe("pack/1001/v1.0.0");
    const build = () => cli.run("build", FILE, "--minify=false", "--no-types", "--no-cache");
    const waiting = hello().replace("async () =>", "async () => setTimeout(() => {}, 1) &&");
    cli.write(FILE, versioned("1.0.1", waiting));
    expect((await build()).stdout).not.toContain("TIMER_ABSENT");
    await cli.run("setOption", FILE, "timerStrategy", "none");
    expect((await build()).stdout).toContain("TIMER_ABSENT");
  });
});
