import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Bundle } from "../../src/bundle/bundle.ts";
import { bundleAhead, bundlePack } from "../../src/bundle/bundle-pack.ts";
import { createProject } from "./project.ts";

const writePack = (index: number): string => `import { name } from "../shared.ts";
export const pack = { networkDomains: [], formulas: [{ name: "P${index}", execute: async () => name + ${index} }] };
`;

function createFiles(count: number): Record<string, string> {
  const packs = Array.from({ length: count }, (_, index) => [
    `p${index}/pack.ts`,
    writePack(index),
  ]);
  return { "shared.ts": `export const name: string = "shared";\n`, ...Object.fromEntries(packs) };
}

const createEntries = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `p${index}/pack.ts`);

/** Only the metafile of a separate build lists what was injected into each module. */
function withoutTimes(one: Bundle) {
  const { durationMs: _, metafile: __, made: ___, ...bundle } = one;
  return bundle;
}

describe("bundleAhead", () => {
  it("gives the same as a separate build of each Pack, over several passes", async () => {
    await using project = await createProject(createFiles(45));
    const options = { cwd: project.directory };
    const getBundle = bundleAhead(createEntries(45), options);
    for (const entry of createEntries(45)) {
      expect(withoutTimes(await getBundle(entry))).toEqual(
        withoutTimes(await bundlePack({ ...options, entry })),
      );
    }
  });

  it("gives them in whatever order they are asked for, also all at once", async () => {
    await using project = await createProject(createFiles(12));
    const getBundle = bundleAhead(createEntries(12), { cwd: project.directory });
    const bundles = await Promise.all(
      [...createEntries(12)].reverse().map((entry) => getBundle(entry)),
    );
    expect(bundles.map(({ name }) => name)).toEqual(
      [...createEntries(12)].reverse().map((entry) => entry.split("/")[0]),
    );
  });

  it("reports for each Pack that fails the same as a separate build, and builds the others", async () => {
    await using project = await createProject({
      ...createFiles(9),
      "p2/pack.ts": `import "./absent.ts";`,
      "p5/pack.ts": "export const pack = {;",
    });
    const getBundle = bundleAhead([...createEntries(9), "p9/pack.ts"], { cwd: project.directory });
    const outcomes = await Promise.allSettled(
      [...createEntries(9), "p9/pack.ts"].map((entry) => getBundle(entry)),
    );
    expect(
      outcomes.map((outcome) =>
        outcome.status === "fulfilled" ? outcome.value.name : String(outcome.reason),
      ),
    ).toEqual([
      ...["p0", "p1", expect.stringContaining(`Could not resolve "./absent.ts"`), "p3", "p4"],
      ...[
        expect.stringContaining("Expected identifier"),
        "p6",
        "p7",
        "p8",
        expect.stringContaining("cannot be read"),
      ],
    ]);
  });

  it("builds a Pack again that was saved after its pass had read it", async () => {
    await using project = await createProject(createFiles(40));
    const getBundle = bundleAhead(createEntries(40), { cwd: project.directory });
    await getBundle("p0/pack.ts");
    const late = getBundle("p6/pack.ts");
    await late;
    writeFileSync(project.path("p7/pack.ts"), writePack(7).replace("P7", "Saved"));
    const { code, sources } = await getBundle("p7/pack.ts");
    expect(code).toContain("Saved");
    expect(sources[0]?.text).toContain("Saved");
  });

  it("keeps comments that name files as a build of one Pack names them", async () => {
    await using project = await createProject(createFiles(3));
    const getBundle = bundleAhead(createEntries(3), { cwd: project.directory, minify: false });
    expect((await getBundle("p1/pack.ts")).code).toContain("// ../shared.ts");
  });
});
