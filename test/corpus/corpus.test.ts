import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { findDifference } from "./compare-builds.ts";
import { listProjects } from "./repository.ts";
import { readSuite } from "./run-suite.ts";
import { type ProjectResult, printTable } from "./table.ts";

it.each([
  ["mocha", "  5 passing (12ms)\n  1 pending\n", { passed: 5, failed: 0, started: true }],
  ["mocha", "  2 passing (12ms)\n  3 failing\n", { passed: 2, failed: 3, started: true }],
  ["jest", "Tests:       1 failed, 4 passed, 5 total\n", { passed: 4, failed: 1, started: true }],
  [
    "vitest",
    " Test Files  1 passed (1)\n      Tests  \u001b[32m7 passed\u001b[39m (7)\n",
    { passed: 7, failed: 0, started: true },
  ],
  [
    "a file that does not load",
    " Test Files  1 failed | 1 passed (2)\n      Tests  7 passed (7)\n",
    { passed: 7, failed: 0, started: false },
  ],
  ["a runner that does not start", "Error: no", { passed: 0, failed: 0, started: false }],
])("reads the end of a suite: %s", (_name, output, result) => {
  expect(readSuite(output)).toMatchObject(result);
});

it("finds the Packs of each project, without those that are installed or built", () => {
  const folder = mkdtempSync(join(tmpdir(), "packsmith-corpus-"));
  const pack = 'import { newPack } from "@codahq/packs-sdk";\nexport const pack = newPack();\n';
  const files = {
    "package.json": "{}",
    "pack.ts": pack,
    "helpers.ts": "export const a = 1;",
    "other/package.json": "{}",
    "other/src/pack.ts": pack,
    "node_modules/x/pack.ts": pack,
    "dist/pack.ts": pack,
  };
  try {
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    }
    expect(listProjects(folder)).toEqual([
      { folder: "other", entries: ["other/src/pack.ts"] },
      { folder: ".", entries: ["pack.ts"] },
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it("names the first member that differs", () => {
  const [ours, theirs] = [{ formulas: [{ name: "A" }] }, { formulas: [{ name: "B" }] }];
  expect(findDifference(ours, theirs)).toBe('formulas.0.name: "A" here, "B" there');
  expect(findDifference(ours, structuredClone(ours))).toBeUndefined();
});

it("prints one row for each repository, and their sums", () => {
  const suite = { passed: 3, failed: 0, started: true };
  const build = { entry: "pack.ts", theirs: "accepted" } as const;
  const project: ProjectResult = {
    folder: ".",
    builds: [
      { ...build, notes: [], ours: "refused" },
      { ...build, notes: [], ours: "accepted", equal: true },
    ],
    types: { before: 1, added: ["a.ts(1,1): error TS1: No."] },
    suites: { theirs: suite, ours: suite, preset: { ...suite, started: false } },
  };
  const rows = printTable([
    { name: "a", projects: [project] },
    { name: "b", projects: [], problem: "npm failed" },
  ]).split("\n");
  const cells =
    "2 | 1 | 0 | 1 of 1 | 1 | 3 passed, 0 failed | 3 passed, 0 failed | 3 passed, 0 failed, 1 not started |";
  expect(rows.slice(2)).toEqual([`| a | ${cells}`, "| b | not examined |", `| All | ${cells}`]);
});
