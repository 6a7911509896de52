import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const images = join(root, "docs/images");
const MAX_BYTES = 175_000;

describe("pictures of packsmith dev", () => {
  it("there is one of each view, taken by npm run screenshots, and none of anything else", () => {
    const shell = readFileSync(join(root, "src/dev/web/shell/views.ts"), "utf8");
    const views = [...shell.matchAll(/\{\s*id: "(\w+)",\s*title: "/g)].map(([, id]) => `${id}.png`);
    expect(views.length).toBeGreaterThan(5);
    expect(readdirSync(images).sort()).toEqual(views.sort());
  });

  it.each(readdirSync(images))("%s has 1280 by 800 pixels and takes at most 175 kB", (name) => {
    const bytes = readFileSync(join(images, name));
    expect([
      bytes.subarray(1, 4).toString(),
      bytes.readUInt32BE(16),
      bytes.readUInt32BE(20),
    ]).toEqual(["PNG", 1_280, 800]);
    expect(statSync(join(images, name)).size).toBeLessThanOrEqual(MAX_BYTES);
  });

  it.each(["README.md", "docs/dev.md"])(
    "those of %s are there, each with what it shows in words",
    (page) => {
      const shown = [
        ...readFileSync(join(root, page), "utf8").matchAll(/!\[([^\]]*)\]\(([^)]+)\)/g),
      ];
      expect(shown.length).toBeGreaterThan(0);
      for (const [, words = "", path = ""] of shown)
        expect([words.length > 20, existsSync(join(root, dirname(page), path))]).toEqual([
          true,
          true,
        ]);
    },
  );
});
