// Builds `dist` from the sources.
//   node .ci/build.mjs               always
//   node .ci/build.mjs --if-changed  only when dist is not the build of today's sources
import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { currentBuild, recordBuild } from "./current-build.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const isOnlyIfChanged = process.argv.includes("--if-changed");

if (!isOnlyIfChanged || currentBuild(root) !== undefined) await build();

async function build() {
  // A file of a source that was renamed would stay.
  rmSync(join(root, "dist"), { recursive: true, force: true });
  await run("node_modules/typescript/bin/tsc", "-p", "tsconfig.json");
  await Promise.all([
    run(".ci/explain-types.mjs"),
    run(".ci/bundle-web.mjs"),
    run(".ci/bundle-polyfills.mjs"),
    run(".ci/bundle-jest.mjs"),
    // The first of these empties the folder of the second.
    runInOrder([".ci/bundle-cli.mjs", ".ci/bundle-sandbox.mjs"]),
  ]);
  await runInOrder([
    ".ci/bundle-authoring.mjs",
    ".ci/bundle-packages.mjs",
    ".ci/list-unreached.mjs",
  ]);
  recordBuild(root);
}

async function runInOrder(scripts) {
  for (const script of scripts) await run(script);
}

/** Fails with the exit code of a script that fails: it has said why. */
function run(script, ...args) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [script, ...args], { cwd: root, stdio: "inherit" });
    child.on("exit", (code) => (code === 0 ? resolve() : process.exit(code ?? 1)));
  });
}
