import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../../src/shared/folders.ts";
import { runCli } from "../support/cli-in-process.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

describe("makeFolder", () => {
  it("makes every missing folder with the mode that it is given, and none that is there", async () => {
    using folder = makeTemporaryFolder();
    mkdirSync(join(folder.path, "a"), { mode: 0o755 });
    makeFolder(join(folder.path, "a", "b", "c"), 0o700);
    const modes = ["a", "a/b", "a/b/c"].map(
      (path) => statSync(join(folder.path, path)).mode & 0o777,
    );
    expect(modes).toEqual([0o755, 0o700, 0o700]);
    makeFolder(join(folder.path, "a"));
  });

  it("fails below a file", async () => {
    using folder = makeTemporaryFolder();
    writeFileSync(join(folder.path, "file"), "");
    expect(() => makeFolder(join(folder.path, "file", "below"))).toThrow(/ENOTDIR/);
  });

  it.runIf(process.platform === "linux")(
    "fails under /proc, where Node's recursive mkdir never ends",
    async () => {
      expect(() => makeFolder("/proc/packsmith-test")).toThrow(/ENOENT|EACCES|EPERM/);
      const run = await runCli(["init", "/proc/packsmith-test", "--json"]);
      expect({ code: run.code, document: run.json() }).toMatchObject({
        code: 10,
        document: { error: { code: "OUTPUT_NOT_WRITABLE" } },
      });
    },
  );
});
