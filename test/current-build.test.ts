import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { currentBuild, recordBuild } from "../.ci/current-build.mjs";
import { assertCurrentBuild } from "./support/current-build.ts";
import { makeProject } from "./support/project.ts";

const FILES = {
  "src/index.ts": "export const today = 1;",
  ".ci/bundle.mjs": "",
  "package.json": "{}",
  "package-lock.json": "{}",
  "tsconfig.json": "{}",
  "dist/index.js": "",
  "dist/bin/packsmith.cjs": "",
  "dist/authoring/index.js": "",
};

it("dist is current only after a build has been recorded", () => {
  using project = makeProject(FILES);
  expect(currentBuild(project.path)).toBe("dist was not built by npm run build.");
  recordBuild(project.path);
  expect(currentBuild(project.path)).toBeUndefined();
});

it.each([
  [
    "a changed source",
    (path: string) => writeFileSync(join(path, "src/index.ts"), "export const today = 2;"),
  ],
  ["a new source", (path: string) => writeFileSync(join(path, "src/new.ts"), "")],
  [
    "a changed step of the build",
    (path: string) => writeFileSync(join(path, ".ci/bundle.mjs"), "process.exit(1)"),
  ],
  [
    "another package version",
    (path: string) => writeFileSync(join(path, "package-lock.json"), '{ "lockfileVersion": 3 }'),
  ],
])("child processes refuse dist after %s", (_, change) => {
  using project = makeProject(FILES);
  recordBuild(project.path);
  change(project.path);
  expect(() => assertCurrentBuild(project.path)).toThrow(
    "dist is not the build of today's sources. Run npm test again: it builds first.",
  );
});
