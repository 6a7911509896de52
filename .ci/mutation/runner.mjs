// Runs tests with a change, in a process that has its own vitest.
import { fork } from "node:child_process";
import { availableParallelism, loadavg } from "node:os";
import { fileURLToPath } from "node:url";

const worker = fileURLToPath(new URL("worker.mjs", import.meta.url));

/** @returns how many milliseconds a test may take: more on a busy machine */
function limitTest() {
  return 15_000 * Math.max(1, loadavg()[0] / availableParallelism());
}

/** A change that stops the process, or never ends, is noticed. The next one starts it again. */
export class Runner {
  #child;

  /** @returns {Promise<{ test, name, reason } | null>} the first test that fails */
  async run(mutant, tests) {
    this.#child ??= await start();
    const child = this.#child;
    return new Promise((resolve) => {
      const end = (failure) => {
        clearTimeout(timer);
        child.removeAllListeners();
        resolve(failure);
      };
      const stop = (reason) => {
        this.#kill();
        end({ test: tests[0], name: "", reason });
      };
      // Each result of a test is a sign of life.
      const limitMs = limitTest();
      const timer = setTimeout(() => stop("It never ends."), 3 * limitMs);
      child.on("exit", () => stop("It ended the process."));
      child.on("message", ({ failure }) => {
        if (failure === undefined) timer.refresh();
        else end(failure);
      });
      child.send({ mutant, tests, limitMs });
    });
  }

  /** Ends the process, and what its tests have started. */
  async close() {
    const child = this.#child;
    if (!child?.connected) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    const timer = setTimeout(() => this.#kill(), 3 * limitTest());
    child.disconnect();
    await ended;
    clearTimeout(timer);
  }

  #kill() {
    try {
      // The tests run in children of the process.
      process.kill(-this.#child.pid, "SIGKILL");
    } catch {
      // It has ended.
    }
    this.#child = undefined;
  }
}

async function start() {
  const child = fork(worker, {
    detached: true,
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  await new Promise((resolve, reject) => {
    child.once("message", resolve);
    child.once("exit", () => reject(new Error("vitest does not start.")));
  });
  child.removeAllListeners();
  return child;
}
