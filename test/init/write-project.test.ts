import { mkdir, realpath, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { packageSpec } from "../../src/init/write-project.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

describe("packageSpec", () => {
  it.each([
    {
      from: "a tarball next to the project's parent",
      entry: { version: "0.1.0", resolved: "file:packsmith-0.1.0.tgz" },
      spec: "file:../packsmith-0.1.0.tgz",
    },
    {
      from: "a tarball elsewhere",
      entry: { version: "0.1.0", resolved: "file:../tar balls/p.tgz" },
      spec: "file:../../tar balls/p.tgz",
    },
    {
      from: "a registry",
      entry: { version: "0.1.0", resolved: "https://registry.example/p.tgz" },
      spec: expect.stringMatching(/^\^\d+\.\d+\.\d+/),
    },
    {
      from: "a registry whose address the lock file leaves out",
      entry: { version: "0.1.0" },
      spec: expect.stringMatching(/^\^\d+\.\d+\.\d+/),
    },
  ])("names $from", async ({ entry, spec }) => {
    using folder = makeTemporaryFolder();
    const installation = await realpath(folder.path);
    const root = join(installation, "node_modules", "packsmith");
    await mkdir(root, { recursive: true });
    await writeFile(
      join(installation, "node_modules", ".package-lock.json"),
      JSON.stringify({ packages: { "node_modules/packsmith": entry } }),
    );
    expect(await packageSpec(join(installation, "my-pack"), root)).toEqual(spec);
  });

  it.each([
    { manager: "pnpm", root: "node_modules/.pnpm/packsmith@0.1.0/node_modules/packsmith" },
    {
      manager: "Yarn, from its cache",
      root: "cache/packsmith-npm-0.1.0-74b0dea1a6-10c0.zip/node_modules/packsmith",
    },
    {
      manager: "Yarn with Plug'n'Play",
      root: ".yarn/unplugged/packsmith-virtual-a202951e6a/node_modules/packsmith",
    },
    {
      manager: "Yarn, in node_modules",
      root: "node_modules/packsmith",
      record: [
        "node_modules/.yarn-state.yml",
        '"packsmith@npm:0.1.0":\n  locations:\n    - "node_modules/packsmith"\n',
      ],
    },
    {
      manager: "Bun",
      root: "node_modules/packsmith",
      record: ["bun.lock", '{ "packages": { "packsmith": ["packsmith@0.1.0", ""] } }'],
    },
  ])(
    "names the version that $manager took from a registry, not a folder of its cache",
    async ({ root, record: [file, text] = [] }) => {
      using folder = makeTemporaryFolder();
      const installed = join(folder.path, root);
      await mkdir(installed, { recursive: true });
      if (file !== undefined && text !== undefined) await writeFile(join(folder.path, file), text);
      expect(await packageSpec(join(folder.path, "my-pack"), installed)).toMatch(
        /^\^\d+\.\d+\.\d+$/,
      );
    },
  );

  it("names the tarball that pnpm installed by its folder", async () => {
    using folder = makeTemporaryFolder();
    const installed = join(
      folder.path,
      "node_modules/.pnpm/packsmith@file+packsmith-0.1.0.tgz/node_modules/packsmith",
    );
    await mkdir(installed, { recursive: true });
    expect(await packageSpec(join(folder.path, "my-pack"), installed)).toMatch(
      /^file:\.\.\/node_modules\/\.pnpm\//,
    );
  });

  it("names the folder when the package runs from a clone, or from an installation without a lock file", async () => {
    using folder = makeTemporaryFolder();
    const base = await realpath(folder.path);
    const clone = join(base, "clone");
    const installed = join(base, "lib", "node_modules", "packsmith");
    await mkdir(clone);
    await mkdir(installed, { recursive: true });
    expect(await packageSpec(join(base, "my-pack"), clone)).toBe("file:../clone");
    expect(await packageSpec(join(base, "my-pack"), installed)).toBe(
      "file:../lib/node_modules/packsmith",
    );
  });
});
