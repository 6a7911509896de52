import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";
import { createProcessName, hasEnded } from "../../src/accounts/process-name.ts";

it("knows that a process of this machine runs, and that it has ended", async () => {
  const own = createProcessName();
  expect(hasEnded(own)).toBe(false);
  expect(createProcessName()).not.toBe(own);
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
  const name = own.replace(`:${process.pid}:`, `:${child.pid}:`);
  expect(hasEnded(name)).toBe(false);
  child.kill("SIGKILL");
  await once(child, "close");
  expect(hasEnded(name)).toBe(true);
});

it("knows nothing about a process of another machine or of an earlier version", () => {
  const [, pid, id] = createProcessName().split(":");
  for (const name of [
    `0123456789abcdef:${pid}:${id}`,
    "0f8fad5b-d9cb-469f-a165-70867728950e",
    "crashed",
    "",
    ":",
    "a:b",
  ]) {
    expect(hasEnded(name)).toBe(false);
  }
});
