import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import type { WatchEvent } from "../../src/build/watch-event.ts";
import { watchPacks } from "../../src/build/watch-packs.ts";
import { makeProject } from "../support/project.ts";

const PACK = `import { newPack } from "packsmith";
import { version } from "./version.ts";
export const pack = newPack();
pack.addFormula({ name: "A", description: version, resultType: "string", parameters: [], execute: () => "a" });
`;
const versionFile = (version: number): string => `export const version = "version ${version}";\n`;

it("tells no outcome whose script and sources are of different saves", async () => {
  using project = makeProject({ "pack.ts": PACK, "version.ts": versionFile(0) });
  const outcomes: WatchEvent[] = [];
  await using watch = await watchPacks(["pack.ts"], {
    cwd: project.path,
    onOutcome: (outcome) => void outcomes.push(outcome),
  });
  for (let version = 1; version <= 60; version++) {
    project.write("version.ts", versionFile(version));
    // From a save that nobody has noticed yet to one that is built already.
    for (let turns = version * 12; turns > 0; turns--) await nextTurn();
  }
  await watch.settled();
  for (const { pack } of outcomes) {
    const source = pack?.bundle.sources.find(({ path }) => path === "version.ts")?.text ?? "";
    expect(source).toContain(`"${pack?.definition.formulas?.[0]?.description}"`);
  }
  expect(outcomes.at(-1)?.pack?.definition.formulas?.[0]?.description).toBe("version 60");
});
