import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildPacks } from "../../src/build/build-packs.ts";
import { chooseCases } from "../support/breadth.ts";
import {
  askPublished,
  type Description,
  hasPublishedPackage,
  publishedModules,
} from "./published-package.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const all = ["templates", "examples"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => /(?:^|\/)pack\.ts$/.test(path))
    .map((path) => `${folder}/${path}`),
);
const entries = chooseCases(all, 3);
/**
 * Their table's formula has no name. packsmith gives it the table's; the published builder gives
 * none, and its validator refuses that.
 */
const WITHOUT_FORMULA_NAME = ["templates/sync-table/pack.ts", "templates/two-way/pack.ts"];

describe.skipIf(!hasPublishedPackage)("the templates and examples", () => {
  const folder = mkdtempSync(join(tmpdir(), "packsmith-oracle-"));
  let descriptions: Map<string, { ours: Description | undefined; theirs: Description | undefined }>;

  beforeAll(async () => {
    for (const top of ["templates", "examples"])
      cpSync(join(root, top), join(folder, top), { recursive: true });
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(join(publishedModules, "@codahq"), join(folder, "node_modules/@codahq"));
    symlinkSync(root, join(folder, "node_modules/packsmith"));
    mkdirSync(join(folder, "templates/monorepo/node_modules/@repo"), { recursive: true });
    symlinkSync(
      join(folder, "templates/monorepo/packages/api"),
      join(folder, "templates/monorepo/node_modules/@repo/api"),
    );
    for (const entry of entries) {
      const file = join(folder, entry);
      writeFileSync(
        file,
        readFileSync(file, "utf8").replaceAll('from "packsmith"', 'from "@codahq/packs-sdk"'),
      );
    }
    const ours: string[] = [];
    for (const entry of entries) {
      const { packs, issues } = await buildPacks([entry], {
        cwd: folder,
        outDir: join("ours", dirname(entry)),
        types: false,
        cache: false,
      });
      expect(issues.filter(({ severity }) => severity === "error")).toEqual([]);
      ours.push(packs[0]?.bundle ?? "");
    }
    const packs = entries.map((entry) => ({
      entry: join(folder, entry),
      outDir: join(folder, "theirs", dirname(entry)),
    }));
    for (const { outDir } of packs) mkdirSync(outDir, { recursive: true });
    const theirs = await askPublished<string[]>({ kind: "build", packs });
    const answers = await askPublished<Description[]>({
      kind: "metadata",
      bundles: [...ours, ...theirs],
      version: "1.0.0",
    });
    descriptions = new Map(
      entries.map((entry, index) => [
        entry,
        { ours: answers[index], theirs: answers[index + entries.length] },
      ]),
    );
  }, 300_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("are all found", () => expect(all.length).toBeGreaterThanOrEqual(15));

  it.each(entries)(
    "%s: the published validator accepts the bundle, and the metadata is what the published package makes",
    (entry) => {
      const { ours, theirs } = descriptions.get(entry) ?? {};
      expect(ours).toMatchObject({ problems: [] });
      if (WITHOUT_FORMULA_NAME.includes(entry))
        expect(theirs?.problems).toContainEqual(
          expect.objectContaining({ path: "syncTables[0].getter.name" }),
        );
      else expect(ours).toEqual(theirs);
    },
  );
});
