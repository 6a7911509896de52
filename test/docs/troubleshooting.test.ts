import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { PACK_ERROR_CODES } from "../../src/errors.ts";
import { ISSUE_CODES } from "../../src/validate/codes.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const page = readFileSync(new URL("../../docs/troubleshooting.md", import.meta.url), "utf8");
const codes = [...PACK_ERROR_CODES, ...Object.keys(ISSUE_CODES)];

it("docs/troubleshooting.md is up to date with the explanations", async () => {
  const output = await new Promise<string>((resolve) => {
    execFile(
      process.execPath,
      [".ci/generate-troubleshooting.mjs", "--check"],
      { cwd: root },
      (_error, stdout, stderr) => resolve(stdout + stderr),
    );
  });
  expect(output).toBe("");
});

it("docs/troubleshooting.md has an anchor for each code, and no others", () => {
  const anchors = [...page.matchAll(/<a id="([^"]+)"><\/a>`([A-Z0-9_]+)`/g)].map(([, id, code]) => [
    id,
    code,
  ]);
  expect(anchors.map(([, code]) => code).sort()).toEqual([...codes].sort());
  expect(anchors.filter(([id, code]) => id !== code?.toLowerCase())).toEqual([]);
});
