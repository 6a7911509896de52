import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runReader } from "../../src/shared/run-reader.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const options = { cwd: "/", env: process.env, timeoutMs: 30_000, maxBytes: 1000 };
const shell = (script: string) => ["/bin/sh", "-c", script] as const;

describe.skipIf(process.platform === "win32")("a program that reads what someone else made", () => {
  it("prints, or fails with what it wrote on standard error", async () => {
    expect(await runReader(shell("printf done"), options)).toBe("done");
    await expect(runReader(shell("echo fatal: no >&2; exit 128"), options)).rejects.toMatchObject({
      code: 128,
      stderr: "fatal: no\n",
      isEnded: false,
    });
    await expect(runReader(["/nowhere/git"], options)).rejects.toMatchObject({ isEnded: false });
  });

  it("reads nothing from the terminal", async () => {
    expect(await runReader(shell("cat"), options)).toBe("");
  });

  it("is ended with what it has started when it takes too long", async () => {
    const seen = runReader(shell("sleep 1000 & echo $!; while :; do :; done"), {
      ...options,
      timeoutMs: 500,
    });
    await expect(seen).rejects.toMatchObject({
      isEnded: true,
      stderr: "fatal: it did not finish in time",
    });
  });

  it("is ended when it prints too much", async () => {
    await expect(runReader(shell("while :; do echo more; done"), options)).rejects.toMatchObject({
      stderr: "fatal: it prints more than 0.001 MB",
    });
  });

  it.runIf(process.platform === "linux")(
    "is ended when it waits for what never comes",
    async () => {
      using folder = makeTemporaryFolder();
      const script = "mkfifo pipe; echo $$ >id; (cat pipe)";
      await expect(
        runReader(shell(script), { ...options, cwd: folder.path }),
      ).rejects.toMatchObject({ stderr: "fatal: it waits for a file that is not a regular file" });
      const id = readFileSync(join(folder.path, "id"), "utf8").trim();
      // A process that was killed has its id until its parent has noticed.
      await expect.poll(() => isThere(-Number(id))).toBe(false);
    },
  );

  it.runIf(process.platform === "linux")("cannot write a file of any size", async () => {
    using folder = makeTemporaryFolder();
    await expect(
      runReader(shell("exec truncate -s 3G file"), { ...options, cwd: folder.path }),
    ).rejects.toMatchObject({ stderr: expect.stringMatching(/more than 1 GiB|too large/) });
  });

  it.runIf(process.platform === "linux")("has limits of memory and of processor time", async () => {
    expect(await runReader(shell("ulimit -d; ulimit -t"), options)).toBe("524288\n10\n");
    const killed = runReader(shell("kill -s XCPU $$"), options);
    await expect(killed).rejects.toMatchObject({
      isEnded: true,
      stderr: "fatal: it needs more than 10 s of processor time",
    });
  });
});

/** Whether a process, or a group with a negative id, is there. */
function isThere(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
}
