import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildPacks } from "../../src/build/build-packs.ts";
import { stopsBuild } from "../../src/execute/pack-issues.ts";
import { runFormula } from "../../src/execute/run-target.ts";
import { createRedactor } from "../../src/shared/redact.ts";
import { mockFetcher } from "../../src/testing/mock-fetcher.ts";
import { chooseCases } from "../support/breadth.ts";
import { answerOfRun, publishedAnswers } from "./answers.ts";
import { CALLS, type Call, NETWORK } from "./calls.ts";
import {
  askPublished,
  type Description,
  hasPublishedPackage,
  publishedModules,
} from "./published-package.ts";

const PACKS = [
  "formulas",
  "tables",
  "legacy",
  "errors",
  "members",
  "agent",
  "writing-agent",
  "none",
  "various",
] as const;
const BUILDERS = ["packsmith", "the published package"] as const;
type Pack = (typeof PACKS)[number];
type Builder = (typeof BUILDERS)[number];

describe.skipIf(!hasPublishedPackage)("a Pack in the form that the service loads", () => {
  const folder = mkdtempSync(join(tmpdir(), "packsmith-oracle-"));
  const bundles: Record<Builder, Partial<Record<Pack, string>>> = {
    packsmith: {},
    "the published package": {},
  };

  beforeAll(async () => {
    cpSync(new URL("packs/", import.meta.url), folder, { recursive: true });
    symlinkSync(publishedModules, join(folder, "node_modules"));
    const built = await buildPacks(
      PACKS.map((pack) => `${pack}.ts`),
      { cwd: folder, outDir: join(folder, "ours"), types: false },
    );
    expect(built.issues.filter(stopsBuild)).toEqual([]);
    const theirs = PACKS.map((pack) => ({
      entry: join(folder, `${pack}.ts`),
      outDir: join(folder, "theirs", pack),
    }));
    for (const { outDir } of theirs) mkdirSync(outDir, { recursive: true });
    const paths = await askPublished<string[]>({ kind: "build", packs: theirs });
    PACKS.forEach((pack, index) => {
      bundles["packsmith"][pack] = join(folder, "ours", pack, "bundle.js");
      bundles["the published package"][pack] = paths[index] ?? "";
    });
  }, 300_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(PACKS)(
    "%s: has the metadata that the published package makes, member for member, and its validator accepts it",
    async (pack) => {
      const [ours, theirs] = await askPublished<Description[]>({
        kind: "metadata",
        bundles: BUILDERS.map((builder) => bundles[builder][pack]),
      });
      expect(ours?.metadata).toEqual(theirs?.metadata);
      expect([ours?.problems, theirs?.problems]).toEqual([[], []]);
      const manifest = JSON.parse(
        readFileSync(join(folder, "ours", pack, "manifest.json"), "utf8"),
      ) as unknown;
      expect(manifest).toEqual(theirs?.metadata);
    },
  );

  describe.each(chooseCases(Object.entries(CALLS), 3))("%s", (_, call) => {
    it("gives the same answer with each bundle in each runtime", async () => {
      const jobs = BUILDERS.map((builder) => ({
        ...call,
        bundle: bundles[builder][call.pack],
        answers: NETWORK,
      }));
      const published = await publishedAnswers(jobs, call);
      const own = await Promise.all(
        BUILDERS.map((builder) => ownAnswer(bundles[builder][call.pack] ?? "", call)),
      );
      expect(published[0]).toEqual(published[1]);
      expect(own[0]).toEqual(own[1]);
      expect(own[0]).toEqual(published[1]);
    });
  });

  async function ownAnswer(file: string, call: Call): Promise<unknown> {
    const run = await runFormula({
      file,
      formula: call.target,
      args: (call.args ?? []) as unknown[],
      dynamicUrl: call.dynamicUrl,
      cwd: folder,
      redactor: createRedactor(),
      mock: mockFetcher(NETWORK),
    });
    return answerOfRun(run, call);
  }
});
