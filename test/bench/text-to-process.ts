import { spawn } from "node:child_process";
import { once } from "node:events";

const CHILD = `const { readSync, writeSync } = require("fs");
const bytes = Buffer.alloc(300);
for (let count; (count = readSync(0, bytes)) > 0; ) writeSync(1, bytes, 0, count);`;

/**
 * The least that a call into another process can take: a text goes there and comes back.
 * @returns milliseconds of each
 */
export async function timeTextToProcess(runs: number): Promise<number[]> {
  const child = spawn(process.execPath, ["-e", CHILD], { stdio: ["pipe", "pipe", "inherit"] });
  const text = "x".repeat(300);
  const times: number[] = [];
  try {
    for (let run = -runs; run < runs; run++) {
      const started = performance.now();
      child.stdin.write(text);
      await once(child.stdout, "data");
      if (run >= 0) times.push(performance.now() - started);
    }
    return times;
  } finally {
    child.kill();
  }
}
