// Breaks the code of the security rules, one place at a time, and runs the tests of that code. A change that no test notices fails
// the script. The sources are not touched: vitest changes the text when it loads the file.
//   node .ci/mutate.mjs [part of a file's name]
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { MUTATIONS, TESTS } from "./mutations.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const [wanted = ""] = process.argv.slice(2);
const waiting = MUTATIONS.filter(([, file]) => file.includes(wanted));
let killed = 0;
let survived = 0;

for (const [, file, text] of waiting) {
  const count = readFileSync(`${root}src/${file}`, "utf8").split(text).length - 1;
  if (count !== 1) throw new Error(`src/${file} has ${count} times: ${text}`);
}

/** Whether the tests of a file pass with a mutation. */
function passes([, file, from, to]) {
  const tests = TESTS[file].map((name) => `test/${name}`);
  const env = { ...process.env, PACKSMITH_MUTATION: JSON.stringify({ file: `${root}src/${file}`, from, to }) };
  const args = ["node_modules/vitest/vitest.mjs", "run", "--config", "test/mutation.config.ts", "--bail", "1", "--reporter", "dot", ...tests];
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: root, env, stdio: "ignore" });
    child.once("exit", (code) => resolve(code === 0));
  });
}

async function work() {
  for (let mutation = waiting.shift(); mutation !== undefined; mutation = waiting.shift()) {
    const [rule, file, from] = mutation;
    if (await passes(mutation)) {
      survived += 1;
      console.log(`not noticed  rule ${rule}: src/${file}: ${from}`);
    } else killed += 1;
  }
}

// Tests that fail without a mutation would notice everything.
for (const file of new Set(waiting.map(([, name]) => name))) {
  if (!(await passes([0, file, "", ""]))) throw new Error(`The tests of src/${file} fail without a change.`);
}
await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, work));
console.log(`${killed} of ${killed + survived} changes were noticed`);
process.exitCode = survived === 0 ? 0 : 1;
