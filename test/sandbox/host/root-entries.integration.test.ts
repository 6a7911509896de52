import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import {
  parseLibraries,
  readProgramFiles,
  readRootEntries,
} from "../../../src/sandbox/host/root-entries.ts";

it("a program behind links needs the links and its real file", () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "packsmith-root-")));
  try {
    const at = (path: string) => join(folder, path);
    mkdirSync(at("versions/v1/bin"), { recursive: true });
    writeFileSync(at("versions/v1/bin/node"), "");
    symlinkSync("versions/v1", at("current"));
    symlinkSync(at("current/bin/node"), at("node"));
    expect(readRootEntries([at("node"), at("versions/v1/bin/node")])).toEqual([
      { is: "link", path: at("node"), target: at("current/bin/node") },
      { is: "link", path: at("current"), target: "versions/v1" },
      { is: "file", path: at("versions/v1/bin/node") },
    ]);
    symlinkSync("loop", at("loop"));
    expect(() => readRootEntries([at("loop")])).toThrow("too many symbolic links");
    expect(() => readRootEntries([at("missing")])).toThrow("ENOENT");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it("libraries are read from what the loader lists", () => {
  const text = `\tlinux-vdso.so.1 (0x00007fbc70178000)
\tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007fbc6fc1e000)
\t/lib64/ld-linux-x86-64.so.2 => /usr/lib64/ld-2.31.so (0x00007fbc7017a000)
\tlibgone.so => not found
v20.19.0`;
  expect(parseLibraries(text)).toEqual([
    "/lib/x86_64-linux-gnu/libc.so.6",
    "/lib64/ld-linux-x86-64.so.2",
    "/usr/lib64/ld-2.31.so",
  ]);
});

it.runIf(process.platform === "linux")("the files of Node are itself and its libraries", () => {
  const [program, ...libraries] = readProgramFiles(process.execPath);
  expect(program).toBe(process.execPath);
  expect(libraries.join(" ")).toMatch(/\/ld-\S+\.so/);
});
