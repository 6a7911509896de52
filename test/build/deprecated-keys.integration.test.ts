import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import { buildPacks } from "../../src/build/build-packs.ts";
import { fixPacks } from "../../src/build/fix-packs.ts";
import type { RebuildEvent } from "../../src/build/rebuild-event.ts";
import { rebuildPacks } from "../../src/build/rebuild-packs.ts";
import { validatePacks } from "../../src/build/validate-packs.ts";
import type { Issue } from "../../src/validate/issue.ts";
import { runCli } from "../support/cli-in-process.ts";
import { makeProject } from "../support/project.ts";

const withKeys = (parameter: string, schema: string): string => `
import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
const task = coda.makeObjectSchema({
  properties: { title: { type: coda.ValueType.String } },
  ${schema}
});
pack.addFormula({
  name: "Find", description: "Finds a task.", resultType: coda.ValueType.Object, schema: task,
  parameters: [coda.makeParameter({ type: coda.ParameterType.String, name: "title", description: "T.", ${parameter} })],
  execute: async ([title]) => ({ title }),
});
`;
const OLD = withKeys('optional: true, defaultValue: "b"', 'id: "title", primary: "title",');

describe("old names of members", () => {
  it("are errors of validate, build and their watch modes; the Pack is written, and the fixed one has no errors", async () => {
    using project = makeProject({ "pack.ts": OLD });
    const options = { cwd: project.path, outDir: "build", cacheDir: "cache", types: false };
    const expected = [
      "error DEPRECATED_KEY 10",
      "error DEPRECATED_KEY 6",
      "error DEPRECATED_KEY 6",
    ];
    const show = (issues: readonly Issue[]) =>
      issues
        .filter(({ code }) => code !== "BUILD_WARNING")
        .map(({ severity, code, line }) => `${severity} ${code} ${line}`);
    const validated = await validatePacks(["pack.ts"], options);
    expect(validated.ok).toBe(false);
    expect(show(validated.issues)).toEqual(expected);
    // The second build reads the Pack from the cache.
    for (let round = 0; round < 2; round++) {
      const { ok, packs, issues } = await buildPacks(["pack.ts"], options);
      expect({ ok, packs: packs.length, issues: show(issues) }).toEqual({
        ok: false,
        packs: 1,
        issues: expected,
      });
    }
    for (const outDir of ["build", undefined]) {
      const events: RebuildEvent[] = [];
      const onEvent = (event: RebuildEvent) => events.push(event);
      await using watch = await rebuildPacks(["pack.ts"], { ...options, outDir, onEvent });
      await watch.settled();
      const built = outDir === undefined ? undefined : { name: basename(project.path) };
      expect(events).toMatchObject([{ failure: { error: { code: "PACK_INVALID" } }, built }]);
      expect(events.flatMap((event) => ("issues" in event ? show(event.issues) : []))).toEqual(
        expected,
      );
    }
    const other = OLD.replace('name: "Find"', 'name: "Find a task"');
    using broken = makeProject({ "pack.ts": other });
    const { packs } = await buildPacks(["pack.ts"], { ...options, cwd: broken.path });
    expect(packs).toEqual([]);
    expect(await fixPacks(["pack.ts"], options)).toMatchObject({ ok: true });
    expect(await buildPacks(["pack.ts"], options)).toMatchObject({ ok: true });
  });

  it("do not stop a run, of the source and of its build", async () => {
    using project = makeProject({ "pack.ts": OLD });
    const run = (...words: string[]) => runCli(words, { cwd: project.path });
    const build = await run("build", "pack.ts", "--no-types", "--json");
    expect(build.code).toBe(1);
    const { packs } = build.json<{ packs: { bundle: string }[] }>();
    for (const file of ["pack.ts", packs[0]?.bundle ?? ""]) {
      const { code, stdout } = await run("execute", file, "Find", "Tea");
      expect({ code, stdout: JSON.parse(stdout) }).toEqual({ code: 0, stdout: { title: "Tea" } });
    }
  });
});
