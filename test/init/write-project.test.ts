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
    { from: "a tarball elsewhere", entry: { version: "0.1.0", resolved: "file:../tar balls/p.tgz" }, spec: "file:../../tar balls/p.tgz" },
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

  it("names the folder when the package runs from a clone, or from an installation without a lock file", async () => {
    using folder = makeTemporaryFolder();
    const base = await realpath(folder.path);
    const clone = join(base, "clone");
    const installed = join(base, "lib", "node_modules", "packsmith");
    await mkdir(clone);
    await mkdir(installed, { recursive: true });
    expect(await packageSpec(join(base, "my-pack"), clone)).toBe("file:../clone");
    expect(await packageSpec(join(base, "my-pack"), installed)).toBe("file:../lib/node_modules/packsmith");
  });
});
