import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tryConfinement } from "../../../src/sandbox/host/confinement.ts";
import { findKept } from "../../../src/sandbox/host/kept-confinement.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";

describe("what is kept about a confinement", () => {
  it("is known after it was kept, until it is forgotten", () => {
    using folder = makeTemporaryFolder();
    const find = () => findKept([process.execPath], join(folder.path, "cache"));
    expect(find().isKnown).toBe(false);
    find().keep();
    expect(find().isKnown).toBe(true);
    find().forget();
    expect(find().isKnown).toBe(false);
  });

  it("does not count after a program has changed, or with another one", () => {
    using folder = makeTemporaryFolder();
    const [first, second] = [join(folder.path, "first"), join(folder.path, "second")];
    for (const path of [first, second]) writeFileSync(path, "");
    findKept([first], folder.path).keep();
    expect(findKept([first], folder.path).isKnown).toBe(true);
    expect(findKept([first, second], folder.path).isKnown).toBe(false);
    utimesSync(first, 1, 1);
    expect(findKept([first], folder.path).isKnown).toBe(false);
  });

  it("does not count when it is a link", () => {
    using folder = makeTemporaryFolder();
    findKept([], folder.path).keep();
    const path = join(folder.path, readdirSync(folder.path)[0] as string);
    rmSync(path);
    symlinkSync(process.execPath, path);
    expect(findKept([], folder.path).isKnown).toBe(false);
  });

  it("costs nothing more than a trial when the cache is a file", () => {
    using folder = makeTemporaryFolder();
    const cache = join(folder.path, "cache");
    writeFileSync(cache, "");
    const kept = findKept([], join(cache, "confinements"));
    kept.keep();
    kept.forget();
    expect(kept.isKnown).toBe(false);
  });
});

const dist = new URL("../../../dist/sandbox/host/", import.meta.url);
/** Prints the programs that are started for a trial. */
const SPY = `
  import children from "node:child_process";
  import { syncBuiltinESMExports } from "node:module";
  const { spawnSync } = children;
  let trials = 0;
  children.spawnSync = (...args) => { trials += 1; return spawnSync(...args); };
  syncBuiltinESMExports();
  const { findConfinement } = await import(${JSON.stringify(new URL("confinement.js", dist).href)});
  const { startSandboxProcess } = await import(${JSON.stringify(new URL("sandbox-process.js", dist).href)});`;

function run(cache: string, code: string): unknown {
  const program = `${SPY}\n${code}`;
  const output = execFileSync(process.execPath, ["--input-type=module", "-e", program], {
    env: { ...process.env, PACKSMITH_CACHE: cache },
    encoding: "utf8",
  });
  return JSON.parse(output);
}

describe.skipIf((tryConfinement("bwrap") ?? tryConfinement("unshare")) === undefined)(
  "the search for a confinement",
  () => {
    const FIND = "console.log(JSON.stringify([findConfinement().name, trials]));";
    const listKept = (cache: string) => readdirSync(join(cache, "confinements"));

    it("starts Node once for all processes, except when the machine is examined", () => {
      using folder = makeTemporaryFolder();
      const [name, trials] = run(folder.path, FIND) as [string, number];
      expect(trials).toBeGreaterThan(0);
      expect(run(folder.path, FIND)).toEqual(trials === 1 ? [name, 0] : [name, trials]);
      const examine = FIND.replace("findConfinement()", "findConfinement({ isTried: true })");
      expect(run(folder.path, examine)).toEqual([name, trials]);
    });

    it("is done again after a sandbox did not start", () => {
      using folder = makeTemporaryFolder();
      mkdirSync(join(folder.path, "confinements"));
      const fail = `
        findConfinement().launch = () => ({ limits: ":", command: ["/bin/false"] });
        const { child } = startSandboxProcess();
        child.ref();
        child.once("exit", () => { ${FIND} });`;
      const [name, trials] = run(folder.path, fail) as [string, number];
      expect(listKept(folder.path)).toEqual([]);
      expect(run(folder.path, FIND)).toEqual([name, trials]);
      expect(listKept(folder.path)).toHaveLength(trials === 1 ? 1 : 0);
    });
  },
);
