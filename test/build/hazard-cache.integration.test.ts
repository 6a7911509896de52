import { createHash } from "node:crypto";
import { chownSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { buildPacks } from "../../src/build/build-packs.ts";
import { saveRecord } from "../../src/build/cache-records.ts";
import { openHazardCache } from "../../src/build/hazard-cache.ts";
import type { Hazard } from "../../src/validate/hazards.ts";
import { makeProject } from "../support/project.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const FILE = { path: "node_modules/dep/index.js", sha256: "0123" };
const HAZARDS: Hazard[] = [
  { code: "CODE_FROM_TEXT", what: "eval(text)", start: 1, end: 11, isGuarded: false },
];

function findRecord(folder: string): string {
  const [record = ""] = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".json"),
  );
  return join(folder, record);
}

describe("what was found in a file of a package", () => {
  it.each<[string, typeof FILE, Hazard[] | undefined]>([
    ["given back for the same content", FILE, HAZARDS],
    ["given back for the same content elsewhere", { ...FILE, path: "dep.js" }, HAZARDS],
    ["not given back for other content", { ...FILE, sha256: "4567" }, undefined],
    ["not given back for another language", { ...FILE, path: "dep.ts" }, undefined],
  ])("is %s", (_what, file, expected) => {
    using folder = makeTemporaryFolder();
    openHazardCache(folder.path).keep(FILE, HAZARDS);
    expect(openHazardCache(folder.path).read(file)).toEqual(expected);
  });

  it.each<[string, (record: string) => void]>([
    ["cut off", (record) => writeFileSync(record, readFileSync(record).subarray(0, -1))],
    ["changed", (record) => writeFileSync(record, `${readFileSync(record, "utf8")} `)],
    ["of another form", (record) => saveRecord(record, '{"hazards":[]}')],
    ["not JSON", (record) => saveRecord(record, "none")],
  ])("is forgotten when its record is %s", (_what, change) => {
    using folder = makeTemporaryFolder();
    openHazardCache(folder.path).keep(FILE, HAZARDS);
    change(findRecord(folder.path));
    expect(openHazardCache(folder.path).read(FILE)).toBeUndefined();
  });

  // Only root can give files away.
  it.runIf(process.getuid?.() === 0)("is not taken from another user", () => {
    using folder = makeTemporaryFolder();
    openHazardCache(folder.path).keep(FILE, HAZARDS);
    chownSync(findRecord(folder.path), 65_534, 65_534);
    expect(openHazardCache(folder.path).read(FILE)).toBeUndefined();
  });
});

describe("a build", () => {
  const makePack = (code: string) =>
    makeProject({
      "package.json": '{ "name": "hazards" }',
      "pack.ts": `import { newPack } from "packsmith";
import { run } from "dep";
export const pack = newPack();
pack.addFormula({ name: "Run", description: "Runs.", resultType: "string", parameters: [], execute: () => run("1") });
`,
      "node_modules/dep/package.json": '{ "name": "dep", "main": "index.js" }',
      "node_modules/dep/index.js": code,
    });
  const build = async (cwd: string, cacheDir: string, cache?: boolean) => {
    const options = { cwd, cacheDir, cache, outDir: "build", types: false };
    return (await buildPacks(["pack.ts"], options)).issues.map(({ code }) => code);
  };

  it("keeps what it finds in the files of packages", async () => {
    const code = "exports.run = (text) => eval(text);";
    using project = makePack(code);
    using folder = makeTemporaryFolder();
    expect(await build(project.path, folder.path)).toEqual(["CODE_FROM_TEXT"]);
    const sha256 = createHash("sha256").update(code).digest("hex");
    const kept = openHazardCache(folder.path).read({ ...FILE, sha256 });
    expect(kept).toMatchObject([{ code: "CODE_FROM_TEXT", what: "eval(text)" }]);
  });

  it("does not parse a file of a package again, unless it has no cache", async () => {
    const code = "exports.run = (input) => eval(input);";
    using project = makePack(code);
    using folder = makeTemporaryFolder();
    // What no search would find shows that there was none.
    const sha256 = createHash("sha256").update(code).digest("hex");
    openHazardCache(folder.path).keep({ ...FILE, sha256 }, []);
    expect(await build(project.path, folder.path)).toEqual([]);
    expect(await build(project.path, folder.path, false)).toEqual(["CODE_FROM_TEXT"]);
  });
});
