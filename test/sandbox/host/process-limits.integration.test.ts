import { spawn } from "node:child_process";
import { expect, it } from "vitest";
import { startTimeLimit } from "../../../src/sandbox/host/process-limits.ts";
import { processorMs, residentBytes } from "../../../src/shared/process-tree.ts";
import { isLong } from "../../support/breadth.ts";

/** A process that computes, or waits. */
function start(code: string): { pid: number } & Disposable {
  const child = spawn(process.execPath, ["-e", code], { stdio: "ignore" });
  return { pid: child.pid as number, [Symbol.dispose]: () => void child.kill("SIGKILL") };
}

it.runIf(isLong && process.platform !== "win32")(
  "a limit of processor time does not count the time in which a process waits",
  async () => {
    using busy = start("for (;;);");
    using idle = start("setInterval(() => {}, 1000)");
    await expect.poll(() => processorMs(busy.pid)).toBeGreaterThan(100);
    await new Promise<void>(
      (resolve) => void startTimeLimit(busy.pid, { ms: 100, of: "processor" }, resolve),
    );
    const order: string[] = [];
    await new Promise<void>((resolve) => {
      startTimeLimit(idle.pid, { ms: 500, of: "processor" }, () =>
        resolve(void order.push("processor")),
      );
      startTimeLimit(idle.pid, { ms: 1000, of: "wall" }, () => void order.push("wall"));
    });
    // Of the process that waits, the shorter limit is reached later.
    expect(order).toEqual(["wall", "processor"]);
  },
);

it("a limit that has ended does nothing", async () => {
  let isExceeded = false;
  startTimeLimit(process.pid, { ms: 1, of: "wall" }, () => {
    isExceeded = true;
  })();
  await new Promise<void>(
    (resolve) => void startTimeLimit(process.pid, { ms: 5, of: "wall" }, resolve),
  );
  expect(isExceeded).toBe(false);
});

it.runIf(process.platform !== "win32")("the use of a process is known until it ends", async () => {
  expect(residentBytes(process.pid)).toBeGreaterThan(1024 * 1024);
  expect(residentBytes(2 ** 22 + 1)).toBeUndefined();
});
