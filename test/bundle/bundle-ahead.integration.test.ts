import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Bundle } from "../../src/bundle/bundle.ts";
import { bundleAhead, bundlePack } from "../../src/bundle/bundle-pack.ts";
import { createProject } from "./project.ts";

const packOf = (index: number): string => `import { name } from "../shared.ts";
export const pack = { networkDomains: [], formulas: [{ name: "P${index}", execute: async () => name + ${index} }] };
`;

function filesOf(count: number): Record<string, string> {
  const packs = Array.from({ length: count }, (_, index) => [`p${index}/pack.ts`, packOf(index)]);
  return { "shared.ts": `export const name: string = "shared";\n`, ...Object.fromEntries(packs) };
}

const entriesOf = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `p${index}/pack.ts`);

/** Only the metafile of a separate build lists what was injected into each module. */
function withoutTimes(made: Bundle) {
  const { durationMs: _, metafile: __, ...bundle } = made;
  return bundle;
}

describe("bundleAhead", () => {
  it("gives the same as a separate build of each Pack, over several passes", async () => {
    await using project = await createProject(filesOf(45));
    const options = { cwd: project.directory };
    const bundleOf = bundleAhead(entriesOf(45), options);
    for (const entry of entriesOf(45)) {
      expect(withoutTimes(await bundleOf(entry))).toEqual(
        withoutTimes(await bundlePack({ ...options, entry })),
      );
    }
  });

  it("gives them in whatever order they are asked for, also all at once", async () => {
    await using project = await createProject(filesOf(12));
    const bundleOf = bundleAhead(entriesOf(12), { cwd: project.directory });
    const bundles = await Promise.all([...entriesOf(12)].reverse().map((entry) => bundleOf(entry)));
    expect(bundles.map(({ name }) => name)).toEqual(
      [...entriesOf(12)].reverse().map((entry) => entry.split("/")[0]),
    );
  });

  it("reports for each Pack that fails the same as a separate build, and builds the others", async () => {
    await using project = await createProject({
      ...filesOf(9),
      "p2/pack.ts": `import "./absent.ts";`,
      "p5/pack.ts": "export const pack = {;",
    });
    const bundleOf = bundleAhead([...entriesOf(9), "p9/pack.ts"], { cwd: project.directory });
    const outcomes = await Promise.allSettled(
      [...entriesOf(9), "p9/pack.ts"].map((entry) => bundleOf(entry)),
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
    await using project = await createProject(filesOf(40));
    const bundleOf = bundleAhead(entriesOf(40), { cwd: project.directory });
    await bundleOf("p0/pack.ts");
    const late = bundleOf("p6/pack.ts");
    await late;
    writeFileSync(project.path("p7/pack.ts"), packOf(7).replace("P7", "Saved"));
    const { code, sources } = await bundleOf("p7/pack.ts");
    expect(code).toContain("Saved");
    expect(sources[0]?.text).toContain("Saved");
  });

  it("keeps comments that name files as a build of one Pack names them", async () => {
    await using project = await createProject(filesOf(3));
    const bundleOf = bundleAhead(entriesOf(3), { cwd: project.directory, minify: false });
    expect((await bundleOf("p1/pack.ts")).code).toContain("// ../shared.ts");
  });
});
