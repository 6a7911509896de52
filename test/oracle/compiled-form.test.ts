import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildPacks } from "../../src/build/build-packs.ts";
import { runFormula } from "../../src/execute/run-formula.ts";
import { createRedactor } from "../../src/shared/redact.ts";
import { mockFetcher } from "../../src/testing/mock-fetcher.ts";
import { CALLS, type Call, NETWORK } from "./calls.ts";
import { type Answer, askPublished, type Description, hasPublishedPackage, publishedModules } from "./published-package.ts";

const PACKS = ["formulas", "tables", "legacy", "errors", "members", "agent", "writing-agent", "none", "various"] as const;
const BUILDERS = ["packsmith", "the published package"] as const;
type Pack = (typeof PACKS)[number];
type Builder = (typeof BUILDERS)[number];

describe.skipIf(!hasPublishedPackage)("a Pack in the form that the service loads", () => {
  const folder = mkdtempSync(join(tmpdir(), "packsmith-oracle-"));
  const bundles: Record<Builder, Partial<Record<Pack, string>>> = { packsmith: {}, "the published package": {} };

  beforeAll(async () => {
    cpSync(new URL("packs/", import.meta.url), folder, { recursive: true });
    symlinkSync(publishedModules, join(folder, "node_modules"));
    const built = await buildPacks(
      PACKS.map((pack) => `${pack}.ts`),
      { cwd: folder, outDir: join(folder, "ours"), types: false },
    );
    expect(built.issues.filter(({ severity }) => severity === "error")).toEqual([]);
    const theirs = PACKS.map((pack) => ({ entry: join(folder, `${pack}.ts`), outDir: join(folder, "theirs", pack) }));
    for (const { outDir } of theirs) mkdirSync(outDir, { recursive: true });
    const paths = await askPublished<string[]>({ kind: "build", packs: theirs });
    PACKS.forEach((pack, index) => {
      bundles["packsmith"][pack] = join(folder, "ours", pack, "bundle.js");
      bundles["the published package"][pack] = paths[index] ?? "";
    });
  }, 300_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(PACKS)("%s: has the metadata that the published package makes, member for member, and its validator accepts it", async (pack) => {
    const [ours, theirs] = await askPublished<Description[]>({
      kind: "metadata",
      bundles: BUILDERS.map((builder) => bundles[builder][pack]),
    });
    expect(ours?.metadata).toEqual(theirs?.metadata);
    expect([ours?.problems, theirs?.problems]).toEqual([[], []]);
    const manifest = JSON.parse(readFileSync(join(folder, "ours", pack, "manifest.json"), "utf8")) as unknown;
    expect(manifest).toEqual(theirs?.metadata);
  });

  describe.each(Object.entries(CALLS))("%s", (_, call) => {
    it("gives the same answer with each bundle in each runtime", async () => {
      const jobs = BUILDERS.map((builder) => ({ ...call, bundle: bundles[builder][call.pack], answers: NETWORK }));
      const published = await publishedAnswers(jobs, call);
      const own = await Promise.all(BUILDERS.map((builder) => ownAnswer(bundles[builder][call.pack] ?? "", call)));
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
    if (!run.ok) return failureOf(run.failure.error.code, run.failure.error.message);
    const result = JSON.parse(JSON.stringify(run.result ?? null)) as unknown;
    if (call.compare === "pages") return pickRows(result as Record<string, unknown>);
    if (call.compare === "choices") return result;
    if (call.compare === "options") return (result as { result: unknown }).result;
    if (call.compare === "updates")
      return (result as { outcome: string; finalValue?: unknown }[]).map(({ outcome, finalValue }) => [outcome, finalValue ?? null]);
    return result;
  }

  /** What each bundle answers in the published runtime, page by page in a sync. */
  async function publishedAnswers(jobs: readonly object[], call: Call): Promise<unknown[]> {
    const pages = jobs.map((): Record<string, unknown>[] => []);
    for (let continuations: unknown[] = jobs.map(() => undefined); ; ) {
      const calls = jobs.map((job, index) => {
        const sync = call.context?.["sync"] as object | undefined;
        return { ...job, context: { ...call.context, ...(sync && { sync: { ...sync, continuation: continuations[index] } }) } };
      });
      const answers = await askPublished<Answer[]>({ kind: "execute", calls });
      if (call.compare !== "pages" || answers.some(({ ok }) => !ok)) return answers.map((answer) => publishedAnswer(answer, call));
      continuations = answers.map((answer, index) => {
        const page = (answer as { result: Record<string, unknown> }).result;
        pages[index]?.push(page);
        return page["continuation"];
      });
      if (continuations.includes(undefined)) break;
    }
    return pages.map((all) => ({
      rows: all.flatMap(({ result }) => result),
      deletedRowIds: all.flatMap(({ deletedRowIds = [] }) => deletedRowIds),
      completion: all.at(-1)?.["completion"] ?? null,
    }));
  }
});

function publishedAnswer(answer: Answer, call: Call): unknown {
  if (!answer.ok) return publishedFailure(answer);
  const { result } = answer;
  if (call.compare === "choices") return (result as unknown[]).map(asChoice);
  if (call.compare === "options")
    return (result as { packResult: { results: { display?: string; value: unknown }[] } }).packResult.results.map(({ display, value }) =>
      asChoice(display === undefined ? value : { display, value }),
    );
  if (call.compare === "updates")
    return (result as { result: { outcome: string; finalValue?: unknown }[] }).result.map(({ outcome, finalValue }) => [
      outcome,
      finalValue ?? null,
    ]);
  return result;
}

function pickRows({ rows, deletedRowIds, completion }: Record<string, unknown>): unknown {
  return { rows, deletedRowIds, completion: completion ?? null };
}

function asChoice(choice: unknown): unknown {
  return typeof choice === "object" ? choice : { display: String(choice), value: choice };
}

/** The classes of failure that users of a Pack can tell apart. */
function failureOf(code: string, message: string): unknown {
  if (code === "FORMULA_USER_ERROR") return { failure: "user", message };
  return { failure: code.startsWith("FETCH") ? "FORMULA_FAILED" : code };
}

function publishedFailure({ isUserVisible, message }: Extract<Answer, { ok: false }>): unknown {
  return isUserVisible ? { failure: "user", message } : { failure: "FORMULA_FAILED" };
}
