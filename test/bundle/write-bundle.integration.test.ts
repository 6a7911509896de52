import { hash } from "node:crypto";
import { chmod, mkdir, readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createBuildRecord } from "../../src/bundle/build-record.ts";
import { bundlePack } from "../../src/bundle/bundle-pack.ts";
import { writeBundle } from "../../src/bundle/write-bundle.ts";
import { createProject } from "./project.ts";

const DEFINITION = {
  version: "1.2.0",
  networkDomains: ["api.tasks.example"],
  formulas: [
    {
      name: "Hello",
      parameters: [{ type: "string", name: "who" }],
      execute: () => undefined,
      description: "Greets.",
    },
  ],
  formats: [{ name: "Task", matchers: [/^x/i] }, { name: "Any" }],
};

describe("writeBundle", () => {
  it("writes the bundle, its map, the metadata without functions, and the facts with hashes", async () => {
    await using project = await createProject({ "pack.ts": "export const pack = {};" }, "greeter");
    const bundle = await bundlePack({ entry: project.path("pack.ts") });
    const written = await writeBundle(
      bundle,
      createBuildRecord(bundle, DEFINITION),
      project.path("dist"),
    );
    expect(written.manifest).toBe(project.path("dist/greeter/manifest.json"));
    expect(await readFile(written.bundle, "utf8")).toBe(bundle.code);
    expect(await readdir(written.directory)).toEqual([
      "build.json",
      "bundle.js",
      "bundle.js.map",
      "manifest.json",
    ]);
    const manifest = await readFile(written.manifest, "utf8");
    expect(JSON.parse(await readFile(written.facts, "utf8"))).toMatchObject({
      formatVersion: 1,
      name: "greeter",
      version: "1.2.0",
      bundle: { file: "bundle.js", bytes: bundle.bytes, sha256: bundle.sha256 },
      manifest: { file: "manifest.json", sha256: hash("sha256", manifest) },
      inputs: [{ path: "pack.ts", bytes: 23 }],
    });
    expect(JSON.stringify(JSON.parse(manifest))).toMatchInlineSnapshot(
      `"{"version":"1.2.0","networkDomains":["api.tasks.example"],"formulas":[{"name":"Hello","parameters":[{"type":"string","name":"who"}],"description":"Greets."}],"formats":[{"name":"Task","matchers":["/^x/i"]},{"name":"Any","matchers":[]}],"syncTables":[]}"`,
    );
  });

  it("leaves the previous output unchanged when it cannot write", async () => {
    await using project = await createProject({ "pack.ts": "export const pack = {};" }, "greeter");
    const bundle = await bundlePack({ entry: project.path("pack.ts") });
    const directory = project.path("dist/greeter");
    await mkdir(directory, { recursive: true });
    await writeFile(join(directory, "bundle.js"), "previous");
    // A folder where a file must go fails for every user, root too.
    await mkdir(join(directory, "bundle.js.map/x"), { recursive: true });
    await expect(
      writeBundle(bundle, createBuildRecord(bundle, DEFINITION), project.path("dist")),
    ).rejects.toMatchObject({
      code: "OUTPUT_NOT_WRITABLE",
    });
    expect(await readFile(join(directory, "bundle.js"), "utf8")).toBe("previous");
    expect((await readdir(directory)).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  it("removes what a killed process left an hour ago, and nothing that another one may be writing", async () => {
    await using project = await createProject({ "pack.ts": "export const pack = {};" }, "greeter");
    const bundle = await bundlePack({ entry: project.path("pack.ts") });
    const directory = project.path("dist/greeter");
    await mkdir(directory, { recursive: true });
    const now = Date.parse("2026-01-02T03:04:05Z");
    const left = {
      "bundle.js.0123456789ab.tmp": 3_601,
      "manifest.json.0123456789ab.tmp": 3_599,
      "mine.tmp": 3_601,
    };
    for (const [name, age] of Object.entries(left)) {
      await writeFile(join(directory, name), "half");
      await utimes(join(directory, name), now / 1_000 - age, now / 1_000 - age);
    }
    await writeBundle(
      bundle,
      createBuildRecord(bundle, DEFINITION),
      project.path("dist"),
      () => now,
    );
    const files = [
      "build.json",
      "bundle.js",
      "bundle.js.map",
      "manifest.json",
      "manifest.json.0123456789ab.tmp",
      "mine.tmp",
    ];
    expect((await readdir(directory)).sort()).toEqual(files);
  });

  it("fails with OUTPUT_NOT_WRITABLE when a file is in the way", async () => {
    await using project = await createProject(
      { "pack.ts": "export const pack = {};", dist: "a file" },
      "greeter",
    );
    const bundle = await bundlePack({ entry: project.path("pack.ts") });
    await expect(
      writeBundle(bundle, createBuildRecord(bundle, {}), project.path("dist")),
    ).rejects.toMatchObject({
      code: "OUTPUT_NOT_WRITABLE",
    });
    await chmod(project.path("dist"), 0o644);
    expect(await readFile(project.path("dist"), "utf8")).toBe("a file");
  });
});
