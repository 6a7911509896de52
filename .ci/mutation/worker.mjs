// One vitest that lives as long as the run. For each message { mutant, tests } it runs the tests
// with the changed source, one file at a time, until one fails. The file on disk is not touched.
import { fileURLToPath } from "node:url";
import { createVitest } from "vitest/node";

const root = fileURLToPath(new URL("../..", import.meta.url));
const vitest = await createVitest("test", {
  config: "test/mutation.config.ts",
  root,
  watch: false,
  bail: 1,
  maxWorkers: 1,
  onConsoleLog: () => false,
  // A sign of life. What stops here loops for ever.
  reporters: [{ onTestCaseResult: () => process.send({ isAlive: true }) }],
});

async function findFailure(tests) {
  for (const test of tests) {
    const specifications = await vitest.globTestSpecifications([root + test]);
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
    process.exitCode = 0;
    const module = testModules.find(({ moduleId }) => moduleId === root + test);
    const failed = [...(module?.children.allTests("failed") ?? [])][0];
    const error = failed?.result().errors?.[0] ?? module?.errors()[0] ?? unhandledErrors[0];
    if (error || failed)
      return { test, name: failed?.fullName ?? "", reason: String(error?.message).slice(0, 200) };
  }
  return undefined;
}

let changedPath;
let queue = Promise.resolve();
process.on("message", ({ mutant, tests, limitMs }) => {
  queue = queue.then(async () => {
    if (changedPath !== undefined) vitest.invalidateFile(changedPath);
    changedPath = mutant && root + mutant.file;
    if (changedPath !== undefined) vitest.invalidateFile(changedPath);
    globalThis.mutant = mutant && { ...mutant, path: changedPath };
    // A change can make a test wait for what never happens.
    for (const { config } of vitest.projects)
      Object.assign(config, { testTimeout: limitMs, hookTimeout: limitMs });
    process.send({ failure: (await findFailure(tests)) ?? null });
  });
});
process.on("disconnect", () => vitest.close().finally(() => process.exit()));
process.send({ isReady: true });
