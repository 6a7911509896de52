// Runs the unit, integration and e2e suites, one after the other, and stops after a suite with a
// failure. With arguments it runs vitest with them once, over all suites:
//   npm test -- test/oauth/routes.test.ts
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const args = process.argv.slice(2);
const runs =
  args.length > 0 ? [args] : ["unit", "integration", "e2e"].map((suite) => ["--project", suite]);

for (const run of runs) {
  const command = [
    "node_modules/vitest/vitest.mjs",
    "run",
    "--config",
    "test/vitest.config.ts",
    ...run,
  ];
  const { status } = spawnSync(process.execPath, command, { cwd: root, stdio: "inherit" });
  process.exitCode = status ?? 1;
  if (process.exitCode !== 0) break;
}
