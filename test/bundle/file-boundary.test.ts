import type { Metafile } from "esbuild";
import { expect, it } from "vitest";
import { plainPaths } from "../../src/bundle/file-boundary.ts";

const GREETING = "greeting.txt";
const TEXT = `${GREETING} with { type: 'text' }`;
const RAW = `${GREETING}?raw`;

function createMetafile(inputs: Metafile["inputs"], parts: Record<string, number>): Metafile {
  const inputsOfOutput = Object.fromEntries(
    Object.entries(parts).map(([path, bytesInOutput]) => [path, { bytesInOutput }]),
  );
  const output = { bytes: 100, inputs: inputsOfOutput, imports: [], exports: [] };
  return { inputs, outputs: { "bundle.js": output } };
}

it("a file that is imported in several ways has one plain path, and the sum of its bytes", () => {
  const imports = [
    { path: TEXT, kind: "import-statement" as const, original: `./${GREETING}` },
    { path: RAW, kind: "import-statement" as const, original: `./${RAW}` },
  ];
  const metafile = createMetafile(
    {
      "pack.ts": { bytes: 50, imports },
      [TEXT]: { bytes: 10, imports: [] },
      [RAW]: { bytes: 10, imports: [] },
    },
    { "pack.ts": 40, [TEXT]: 12, [RAW]: 8 },
  );
  expect(plainPaths(metafile, "/project")).toEqual(
    createMetafile(
      {
        "pack.ts": { bytes: 50, imports: imports.map((each) => ({ ...each, path: GREETING })) },
        [GREETING]: { bytes: 10, imports: [] },
      },
      { "pack.ts": 40, [GREETING]: 20 },
    ),
  );
});
