// Checks everything except the tests. The checks do not need each other, so that as many run at the
// same time as the machine has cores. What each prints is shown when it ends.
import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";

/** Scripts of package.json, the slowest ones first. */
const CHECKS = ["check:types", "check:package", "check:docs", "check:unused", "check:format"];

const root = fileURLToPath(new URL("..", import.meta.url));
const waiting = [...CHECKS];
const failed = [];

const build = await run(process.execPath, [".ci/build.mjs", "--if-changed"]);
process.stdout.write(build.output);
if (build.code !== 0) process.exit(build.code);
await Promise.all(Array.from({ length: availableParallelism() }, runWaiting));
if (failed.length > 0) {
  console.log(`\nfailed: ${failed.join(", ")}`);
  process.exitCode = 1;
}

async function runWaiting() {
  for (let script = waiting.shift(); script !== undefined; script = waiting.shift()) {
    const { code, output } = await run("npm", ["run", script]);
    process.stdout.write(output);
    if (code !== 0) failed.push(script);
  }
}

/** @returns the exit code, and everything that was printed */
function run(command, args) {
  const child = spawn(command, args, {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    // npm is a script there.
    shell: process.platform === "win32" && command === "npm",
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text) => (output += text));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code: code ?? 1, output }));
  });
}
