import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { listMochaFiles } from "../../src/testing/mocha-files.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const TEST_FOLDER = { "test/one.js": "" };
const script = (test: string, more: object = {}) => ({
  ...TEST_FOLDER,
  "package.json": JSON.stringify({ scripts: { test }, ...more }),
});

it.each<[string, Record<string, string>, string[]]>([
  ["a pattern", script("mocha -r ts-node/register 'tests/**/*.ts'"), ["tests/**/*.ts"]],
  ["its default", script("mocha"), ["test/*.{js,cjs,mjs}"]],
  [
    "its default, with options",
    script("mocha --exit --timeout 5000 -R dot"),
    ["test/*.{js,cjs,mjs}"],
  ],
  ["a folder", script("mocha --recursive ./test/"), ["test/**/*.{js,cjs,mjs}"]],
  [
    "a folder with other extensions",
    script("nyc ts-mocha --extension ts,tsx --recursive test && echo done"),
    ["test/**/*.{js,cjs,mjs,ts,tsx}"],
  ],
  ["not what is loaded first", script("mocha --file test/setup.js test/*.js"), ["test/*.js"]],
  ["the bin of the package", script("node node_modules/mocha/bin/_mocha test/*.js"), ["test/*.js"]],
  ["the key of package.json", script("mocha", { mocha: { spec: "checks/*.js" } }), ["checks/*.js"]],
  [
    ".mocharc.yml",
    {
      ...script("mocha"),
      ".mocharc.yml": `require: ts-node/register # first\nspec:\n  - "checks/*.ts"\n  - more/*.ts\nexit: true\n`,
    },
    ["checks/*.ts", "more/*.ts"],
  ],
  [
    ".mocharc.yaml with a list in one line",
    { ...script("mocha"), ".mocharc.yaml": `extension: [ts, js]\nrecursive: true\n` },
    ["test/**/*.{js,cjs,mjs,ts}"],
  ],
  [
    ".mocharc.js",
    { ...script("mocha"), ".mocharc.js": `module.exports = { spec: ["checks/*.js"] };\n` },
    ["checks/*.js"],
  ],
  [
    ".mocharc.jsonc",
    { ...script("mocha"), ".mocharc.jsonc": `{\n  // all\n  "spec": "checks/*.js"\n}\n` },
    ["checks/*.js"],
  ],
  [
    "the script `test`, when others run mocha, too",
    script("", { scripts: { integration: "mocha live/*.ts", test: "mocha test/*.ts" } }),
    ["test/*.ts"],
  ],
  [
    "other scripts, when `test` starts them",
    script("", { scripts: { unit: "mocha unit/*.ts", test: "npm run unit" } }),
    ["unit/*.ts"],
  ],
  ["nothing, without a script", script("jest"), []],
])("lists the files of %s", (_, files, expected) => {
  using folder = makeTemporaryFolder();
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder.path, file)), { recursive: true });
    writeFileSync(join(folder.path, file), text);
  }
  expect(listMochaFiles(folder.path)).toEqual(expected);
});
