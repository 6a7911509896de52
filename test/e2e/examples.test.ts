import { existsSync, readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCli } from "../support/cli.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const packs = ["examples", "templates"].flatMap((folder) =>
  readdirSync(join(root, folder), { withFileTypes: true })
    // A project of the older package needs packsmith init first; test/docs/example-pages.test.ts
    // does as its page says.
    .filter(
      (entry) =>
        entry.isDirectory() &&
        entry.name !== "migrated" &&
        existsSync(join(root, folder, entry.name, "pack.ts")),
    )
    .map((entry) => ({
      name: `${folder}/${entry.name}`,
      entry: join(root, folder, entry.name, "pack.ts"),
    })),
);

interface BuildDocument {
  ok: boolean;
  issues: unknown[];
  packs: {
    entry: string;
    bundle: string;
    sourceMap: string;
    manifest: string;
    facts: string;
    bytes: number;
    gzipBytes: number;
    sha256: string;
    durationMs: number;
  }[];
}

it("the Packs of the examples and templates have no issue", async () => {
  const run = await runCli(["validate", ...packs.map(({ entry }) => entry), "--json"]);
  expect({ code: run.code, document: run.json() }).toEqual({
    code: 0,
    document: { ok: true, issues: [] },
  });
});

describe("a build of the examples and templates", () => {
  let outFolder: ReturnType<typeof makeTemporaryFolder>;
  let code: number | null;
  let document: BuildDocument;
  beforeAll(async () => {
    outFolder = makeTemporaryFolder();
    const entries = packs.map(({ entry }) => entry);
    const run = await runCli(["build", ...entries, "--out-dir", outFolder.path, "--json"]);
    code = run.code;
    document = run.json<BuildDocument>();
  });
  afterAll(() => outFolder[Symbol.dispose]());

  it("builds each of them", () => {
    const built = document.packs.map(({ entry }) => entry).sort();
    expect({ code, ok: document.ok, built }).toEqual({
      code: 0,
      ok: true,
      built: packs.map(({ entry }) => entry).sort(),
    });
  });

  it.each(packs)(
    "$name is a bundle, a source map, a manifest and facts whose hashes fit",
    async ({ entry }) => {
      const pack = document.packs.find((each) => each.entry === entry);
      if (pack === undefined) throw new Error("it was not built");
      for (const file of [pack.bundle, pack.sourceMap, pack.manifest, pack.facts])
        expect(existsSync(file)).toBe(true);
      const facts = JSON.parse(await readFile(pack.facts, "utf8")) as {
        bundle: { sha256: string; bytes: number };
      };
      expect(facts.bundle).toMatchObject({ sha256: pack.sha256, bytes: pack.bytes });
      expect((await readFile(pack.bundle)).byteLength).toBe(pack.bytes);
      const map = JSON.parse(await readFile(pack.sourceMap, "utf8")) as { sources: string[] };
      expect(map.sources.filter((source) => /node_modules|^\//.test(source))).toEqual([]);
    },
  );
});
