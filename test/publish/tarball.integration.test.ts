import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { gunzip, gzipPortably, readTar, writeTar } from "../../src/publish/tarball.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const FILES = [
  { path: "package/b.txt", content: Buffer.from("two\n") },
  { path: "package/a.bin", content: Buffer.from([0, 255, 10, 13]) },
  { path: "package/empty", content: Buffer.alloc(0) },
  { path: "package/block", content: Buffer.alloc(512, 7) },
  { path: `package/${"n".repeat(92)}`, content: Buffer.from("a long name") },
];

describe("an archive", () => {
  it("is read by the system's tar, without owner or time", () => {
    using folder = makeTemporaryFolder();
    const path = join(folder.path, "files.tgz");
    writeFileSync(path, gzipPortably(writeTar(FILES)));
    const listed = execFileSync("tar", ["--numeric-owner", "--utc", "-tvzf", path], {
      encoding: "utf8",
    })
      .trimEnd()
      .split("\n");
    expect(listed.map((line) => line.replace(/ +/g, " "))).toEqual([
      "-rw-r--r-- 0/0 4 1970-01-01 00:00 package/a.bin",
      "-rw-r--r-- 0/0 4 1970-01-01 00:00 package/b.txt",
      "-rw-r--r-- 0/0 512 1970-01-01 00:00 package/block",
      "-rw-r--r-- 0/0 0 1970-01-01 00:00 package/empty",
      `-rw-r--r-- 0/0 11 1970-01-01 00:00 package/${"n".repeat(92)}`,
    ]);
    for (const file of FILES)
      expect(execFileSync("tar", ["-xzOf", path, file.path])).toEqual(file.content);
  });

  it("that the system's tar has written is read", () => {
    using folder = makeTemporaryFolder();
    for (const name of ["a", "b"]) writeFileSync(join(folder.path, name), name.repeat(1000));
    const archive = execFileSync("tar", [
      "--format=ustar",
      "-cf",
      "-",
      "-C",
      folder.path,
      "a",
      "b",
    ]);
    expect(
      readTar(archive).map(({ path, content }) => [path, Buffer.from(content).toString()]),
    ).toEqual([
      ["a", "a".repeat(1000)],
      ["b", "b".repeat(1000)],
    ]);
  });

  it("has the same bytes in whatever order the files come, and is the same for GNU tar with the same facts", () => {
    using folder = makeTemporaryFolder();
    const archive = writeTar(FILES);
    expect(writeTar([...FILES].reverse()).equals(archive)).toBe(true);
    const [first] = FILES;
    writeFileSync(join(folder.path, "b.txt"), first?.content ?? "", { mode: 0o644 });
    const flags = [
      "--format=ustar",
      "--owner=:0",
      "--group=:0",
      "--numeric-owner",
      "--mtime=@0",
      "--mode=0644",
    ];
    const theirs = execFileSync("tar", [...flags, "-cf", "-", "-C", folder.path, "b.txt"]);
    const ours = writeTar([{ path: "b.txt", content: first?.content ?? Buffer.alloc(0) }]);
    // They name the owner of number 0, where they know it.
    expect(readTar(theirs)).toEqual(readTar(ours));
    expect(theirs.byteLength).toBe(ours.byteLength);
  });

  it("gives back whatever was put in", () => {
    const file = fc.record({
      path: fc.stringMatching(/^[a-z/]{1,20}[a-z]$/),
      content: fc.uint8Array({ maxLength: 2000 }).map((bytes) => Buffer.from(bytes)),
    });
    fc.assert(
      fc.property(fc.uniqueArray(file, { selector: ({ path }) => path, maxLength: 5 }), (files) => {
        const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : 1));
        expect(
          readTar(gunzip(gzipPortably(writeTar(files)))).map(({ path, content }) => ({
            path,
            content: Buffer.from(content),
          })),
        ).toEqual(sorted);
      }),
    );
  });

  it.each<[string, (archive: Buffer) => Buffer]>([
    ["is cut off", (archive) => archive.subarray(0, 700)],
    ["has no end", (archive) => archive.subarray(0, 1024)],
    ["is something else", () => Buffer.from("x".repeat(1024))],
    ["has a damaged header", (archive) => Buffer.from(archive).fill("z", 5, 6)],
  ])("that %s is refused", (_, damage) => {
    expect(() => readTar(damage(writeTar(FILES)))).toThrow(TypeError);
  });

  it("refuses a name that it cannot hold", () => {
    expect(() => writeTar([{ path: "n".repeat(101), content: Buffer.alloc(0) }])).toThrow(
      "too long for a name",
    );
  });
});

describe("compression", () => {
  it("carries no time, and gives the same bytes on every machine", () => {
    const data = Buffer.from("packsmith ".repeat(100));
    const packed = gzipPortably(data);
    expect(gunzipSync(packed)).toEqual(data);
    expect(packed.toString("hex")).toMatchInlineSnapshot(
      `"1f8b08000000000002032b484cce2ececd2cc9502818658db24659c3940500f4297bf2e8030000"`,
    );
  });
});
