// Runs the unit suite, and if it passes the integration and e2e suites at the same time: both wait
// more than they compute. What the e2e suite prints follows when the integration suite has ended,
// and the failures of the integration suite are repeated below that, where one looks first.
// With arguments it runs vitest with them once, over these three suites or those that are named:
//   npm test -- test/oauth/routes.test.ts
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";

const root = fileURLToPath(new URL("..", import.meta.url));
const args = process.argv.slice(2);

const namesSuites = args.some((word) => word.startsWith("--project"));

if (args.length > 0)
  process.exitCode = (await runVitest(namesSuites ? args : ["--project=!long", ...args])).code;
else process.exitCode = (await runVitest(suite("unit"))).code || (await runBoth());

/** @returns the first exit code that is not 0 */
async function runBoth() {
  console.log(
    "\nThe e2e suite runs as well; what it prints is below that of the integration suite.",
  );
  // It waits most, and takes longest.
  const second = runVitest([...suite("e2e"), "--maxWorkers=3"], () => {});
  const first = await runVitest(suite("integration"), (chunk) => process.stdout.write(chunk));
  const { code, output } = await second;
  process.stdout.write(output);
  if (first.code !== 0)
    console.log(`\nThe integration suite failed:\n${findFailures(first.output)}`);
  return first.code || code;
}

function suite(name) {
  return ["--project", name];
}

/** @returns what vitest prints at its end about the tests that failed, else its last lines */
function findFailures(output) {
  const lines = output.split("\n");
  const start = lines.findIndex((line) =>
    /Failed (?:Tests|Suites)|Unhandled Errors/.test(stripVTControlCharacters(line)),
  );
  return lines.slice(start === -1 ? -100 : start).join("\n");
}

/**
 * @param onOutput takes the output in parts; without it the output is that of this process, and
 * not returned
 * @returns the exit code and all output
 */
function runVitest(words, onOutput) {
  const command = ["node_modules/vitest/vitest.mjs", "run", "--config", "test/vitest.config.ts"];
  const target = onOutput === undefined ? "inherit" : "pipe";
  const child = spawn(process.execPath, [...command, ...words], {
    cwd: root,
    stdio: ["inherit", target, target],
  });
  const parts = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (part) => {
      parts.push(part);
      onOutput(part);
    });
  }
  return new Promise((resolve) =>
    child.once("close", (code) => resolve({ code: code ?? 1, output: parts.join("") })),
  );
}
