import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bundlePack, createPackBundler } from "../../src/bundle/bundle-pack.ts";
import { createProject } from "./project.ts";

const PACK = `import { newPack } from "packsmith";
import { value } from "./value";
export const pack = newPack();
console.log(value);`;

async function bundleValue(value: string): Promise<string> {
  await using project = await createProject({
    "pack.ts": PACK,
    "value.ts": `export const value = ${value};`,
  });
  return (await bundlePack({ entry: "pack.ts", cwd: project.directory })).code;
}

describe("a source file", () => {
  it("is refused before esbuild reads it when it has more than 20,000 levels of brackets", async () => {
    const value = `${"[1, ".repeat(20_001)}0${"]".repeat(20_001)}`;
    await expect(bundleValue(value)).rejects.toMatchObject({
      code: "PACK_BUILD_FAILED",
      message: expect.stringContaining("value.ts has too many nested brackets."),
    });
  });

  it("keeps a text that looks like a comment about a source map on another server", async () => {
    const text = "//# sourceMappingURL=https://maps.tasks.example/a.js.map";
    expect(await bundleValue(JSON.stringify(text))).toContain("maps.tasks.example");
  });

  // Without the check, esbuild reads the device until the memory is full.
  it.runIf(process.platform === "linux").each([
    ["an absolute path", { sources: ["/dev/zero"] }],
    ["a URL and no text", { sources: ["file:///dev/zero"], sourcesContent: [null] }],
    ["a root", { sourceRoot: "/dev/", sources: ["a.ts", "zero"], sourcesContent: ["a"] }],
    ["escapes", { sources: ["%2e%2e/../../../../../../../../dev/%7Aero"] }],
    ["a link", { sources: ["zero.ts"] }],
    [
      "a map in the map",
      { sections: [{ offset: { line: 0, column: 0 }, map: { sources: ["/dev/zero"] } }] },
    ],
    ["many files", { sources: Array.from({ length: 20_000 }, () => "value.ts") }],
  ])(
    "is bundled without a source map that leads to a device, or to very many files: %s",
    async (_, map) => {
      const text = JSON.stringify({ version: 3, mappings: "AAAA", ...map });
      const inline = `data:application/json;base64,${Buffer.from(text).toString("base64")}`;
      for (const url of ["value.js.map", inline]) {
        await using project = await createProject({
          "pack.ts": `import "./style.css"; ${PACK.replace("./value", "./value.js")}`,
          "style.css": `a { color: red }\n/*# sourceMappingURL=${url} */`,
          "value.js": `export const value = "of a device";\n//# sourceMappingURL=${url}`,
          "value.js.map": text,
        });
        symlinkSync("/dev/zero", join(project.directory, "zero.ts"));
        const { code } = await bundlePack({ entry: "pack.ts", cwd: project.directory });
        expect(code).toContain("of a device");
      }
    },
  );

  it("may have any number of brackets next to each other, and in texts", async () => {
    const lists = `[${'[1, "["], '.repeat(20_001)}]`;
    expect((await bundleValue(lists)).length).toBeGreaterThan(100_000);
  });
});

describe("the manifest of a package", () => {
  it("is checked again in each build of a watched Pack", async () => {
    await using project = await createProject({
      "pack.ts": PACK.replace("./value", "values"),
      "node_modules/values/package.json": '{ "name": "values" }',
      "node_modules/values/index.js": "export const value = 1;",
    });
    await using bundler = createPackBundler({ entry: "pack.ts", cwd: project.directory });
    await bundler.rebuild();
    const large = JSON.stringify({ name: "values", text: " ".repeat(1024 * 1024) });
    writeFileSync(join(project.directory, "node_modules/values/package.json"), large);
    await expect(bundler.rebuild()).rejects.toMatchObject({
      message: expect.stringContaining("package.json is larger than 1 MiB."),
    });
  });
});
