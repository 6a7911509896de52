// Breaks the code of the security rules, one place at a time, and runs the tests of that code. A
// change that no test notices fails the script. The sources are not touched: vitest changes the
// text when it loads the file.
//   node .ci/mutate.mjs [part of a file's name]
// Changes that were noticed are kept in node_modules/.cache, so that an interrupted run goes on
// where it was. They are tried again when the file or one of its tests changes.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { MUTATIONS, TESTS } from "./mutations.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const cache = `${root}node_modules/.cache/packsmith-mutations.json`;
const testFiles = readdirSync(`${root}test`, { recursive: true }).filter((name) =>
  name.endsWith(".test.ts"),
);
const noticed = new Set(readCache());
const [wanted = ""] = process.argv.slice(2);
const chosen = MUTATIONS.filter(([, file]) => file.includes(wanted));
for (const [, file, text] of chosen) {
  const count = readFileSync(`${root}src/${file}`, "utf8").split(text).length - 1;
  if (count !== 1) throw new Error(`src/${file} has ${count} times: ${text}`);
}

const waiting = chosen.filter((mutation) => !noticed.has(keyOf(mutation)));
let survived = 0;

/** @returns a text that is another one after a change of the file or of one of its tests */
function keyOf([, file, from, to]) {
  const tests = testFiles.filter((name) => TESTS[file].some((part) => name.startsWith(part)));
  const texts = [`src/${file}`, ...tests.map((name) => `test/${name}`)].map((path) =>
    readFileSync(root + path, "utf8"),
  );
  return createHash("sha256")
    .update(JSON.stringify([from, to, ...texts]))
    .digest("hex");
}

/** Whether the tests of a file pass with a mutation. */
function passes([, file, from, to]) {
  const tests = TESTS[file].map((name) => `test/${name}`);
  const env = {
    ...process.env,
    PACKSMITH_MUTATION: JSON.stringify({ file: `${root}src/${file}`, from, to }),
  };
  const args = [
    "node_modules/vitest/vitest.mjs",
    "run",
    "--config",
    "test/mutation.config.ts",
    "--bail",
    "1",
    "--reporter",
    "dot",
    ...tests,
  ];
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
    } else {
      noticed.add(keyOf(mutation));
      writeFileSync(cache, JSON.stringify([...noticed]));
    }
  }
}

function readCache() {
  try {
    return JSON.parse(readFileSync(cache, "utf8"));
  } catch {
    return [];
  }
}

mkdirSync(dirname(cache), { recursive: true });
// Tests that fail without a mutation would notice everything.
for (const file of new Set(waiting.map(([, name]) => name))) {
  if (!(await passes([0, file, "", ""])))
    throw new Error(`The tests of src/${file} fail without a change.`);
}
await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, work));
console.log(`${chosen.length - survived} of ${chosen.length} changes were noticed`);
process.exitCode = survived === 0 ? 0 : 1;
