// Runs the unit suite, and if it passes the integration and e2e suites at the same time: both wait
// more than they compute. What the e2e suite prints follows when the integration suite has ended.
// With arguments it runs vitest with them once, over all suites:
//   npm test -- test/oauth/routes.test.ts
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const args = process.argv.slice(2);

if (args.length > 0) process.exitCode = await runVitest(args);
else process.exitCode = (await runSuite("unit")) || (await runBoth("integration", "e2e"));

/** @returns the first exit code that is not 0 */
async function runBoth(shown, kept) {
  console.log(`\nThe ${kept} suite runs as well; what it prints is below that of the other.`);
  const chunks = [];
  const second = runSuite(kept, (chunk) => chunks.push(chunk));
  const code = await runSuite(shown);
  const secondCode = await second;
  process.stdout.write(Buffer.concat(chunks));
  return code || secondCode;
}

function runSuite(name, onOutput) {
  return runVitest(["--project", name], onOutput);
}

/** @returns the exit code */
function runVitest(words, onOutput) {
  const command = ["node_modules/vitest/vitest.mjs", "run", "--config", "test/vitest.config.ts"];
  const output = onOutput === undefined ? "inherit" : "pipe";
  const child = spawn(process.execPath, [...command, ...words], {
    cwd: root,
    stdio: ["inherit", output, output],
  });
  child.stdout?.on("data", onOutput);
  child.stderr?.on("data", onOutput);
  return new Promise((resolve) => child.once("close", (code) => resolve(code ?? 1)));
}
