import { existsSync, statSync } from "node:fs";
import { expect, it } from "vitest";
import { homeDirectory } from "../../src/shared/folders.ts";
import { startTestService } from "../service/support.ts";
import { runCli } from "./cli-in-process.ts";
import { runFolder } from "./make-once.ts";

it("a command in the process of the tests does not use the vault of the user", async () => {
  const { stdout, stderr } = await runCli(["doctor"]);
  expect(stdout + stderr).toContain(runFolder());
  expect(stdout + stderr).not.toContain(homeDirectory(process.env));
});

it("a command in the process of the tests writes its vault to the folder of the run", async () => {
  const home = homeDirectory(process.env);
  const readTime = () => (existsSync(home) ? statSync(home).mtimeMs : undefined);
  const before = readTime();
  await using test = await startTestService();
  const env = { PACKSMITH_REGISTRY: new URL(test.service.url).origin, PACKSMITH_KEY_STORE: "file" };
  expect((await runCli(["login", "--api-token", test.service.token], { env })).code).toBe(0);
  expect(readTime()).toBe(before);
});
