import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const FOLDER = fileURLToPath(new URL("../../../src/dev/web", import.meta.url));
const SHEETS = readdirSync(FOLDER, { recursive: true, encoding: "utf8" }).filter((name) =>
  name.endsWith(".css"),
);
/** What has a size of its own: text inside other text, and in drawings. */
const OWN_TEXT_SIZES = /^(?:[\d.]+em|12px|inherit)$/;
/** Less than the smallest step: inside pills. */
const HAIRS = new Set(["0.05rem", "0.1rem"]);

describe("the style sheets of the page", () => {
  it.each(SHEETS)("%s takes sizes of text and space from the scales", (name) => {
    const css = readFileSync(join(FOLDER, name), "utf8");
    const others = [...css.matchAll(/^\s*(font-size|gap|padding[a-z-]*|margin[a-z-]*): ([^;]+);/gm)]
      .flatMap(([, property = "", values = ""]) =>
        property === "font-size"
          ? [values].filter((value) => !OWN_TEXT_SIZES.test(value))
          : [...values.matchAll(/[\d.]+rem/g)]
              .map(([value]) => value)
              .filter((value) => !HAIRS.has(value)),
      )
      .filter((value) => !value.startsWith("var("));
    expect(others).toEqual([]);
  });
});
