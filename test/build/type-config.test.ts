import { readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeConfigFolder } from "../../src/build/type-config.ts";
import { makeProject } from "../support/project.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const FILES = { "package.json": "{}", "node_modules/words/main.js": "" };

it("the folder for a configuration of the compiler is in node_modules", () => {
  using project = makeProject(FILES);
  using folder = makeConfigFolder(project.path);
  expect(folder.path).toContain(join(project.path, "node_modules/.cache"));
});

it.skipIf(process.platform === "win32")(
  "the folder for a configuration of the compiler is not where a link of a project leads",
  () => {
    using project = makeProject(FILES);
    using outside = makeTemporaryFolder();
    symlinkSync(outside.path, join(project.path, "node_modules/.cache"));
    using _ = makeConfigFolder(project.path);
    expect(readdirSync(outside.path)).toEqual([]);
  },
);
