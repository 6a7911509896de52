import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  COLUMNS,
  NOT_MEASURED,
  printSection,
  renderSection,
  updatePage,
} from "../bench/performance-page.ts";
import { isMet, type Measurement } from "../bench/section.ts";
import { SECTIONS } from "../bench/sections.ts";

const page = readFileSync(new URL("../../docs/performance.md", import.meta.url), "utf8");
const titles = SECTIONS.map(({ title }) => title);

const slow: Measurement = {
  name: "a build",
  value: 300,
  unit: "ms",
  peer: { name: "another", value: 100 },
  target: { of: "ratio", atMost: 1.5 },
};
const fast: Measurement = {
  name: "a build",
  value: 100,
  unit: "ms",
  peer: { name: "another", value: 2_000 },
  target: { of: "speed-up", atLeast: 20 },
};
const section = {
  title: titles[0] ?? "",
  circumstances: "Measured on a day.",
  measurements: [slow, fast],
  skipped: ["a peer; it is away."],
};

describe("docs/performance.md", () => {
  it("has the sections of the bench, in its order", () => {
    expect([...page.matchAll(/^## (.*)$/gm)].map(([, title]) => title)).toEqual(titles);
  });

  it.each(titles)(
    "%s tells the day, the machine, the versions and how busy it was, then a table of the bench's columns",
    (title) => {
      const text = page.split(`## ${title}\n\n`)[1]?.split("\n## ")[0] ?? "";
      if (text.trim() === NOT_MEASURED) return;
      expect(text).toMatch(
        /^Measured \d{4}-\d\d-\d\d with packsmith \S+, Node v\S+, esbuild \S+ on .+; load [\d.]+ before and [\d.]+ after\.\n\n\|/,
      );
      const rows = text.split("\n").filter((line) => line.startsWith("|"));
      expect(rows[0]).toBe(`| ${COLUMNS.join(" | ")} |`);
      expect(rows.length).toBeGreaterThan(2);
      for (const row of rows) expect(row.split(" | ")).toHaveLength(COLUMNS.length);
      for (const row of rows.slice(2)) expect(row).toMatch(/ (?:met|\*\*missed\*\*|) \|$/);
    },
  );

  it("is as the bench would leave it when it measured nothing", () => {
    expect(updatePage(page, titles, [])).toBe(page);
  });
});

describe("the bench", () => {
  it("says what misses its target", () => {
    expect([slow, fast].map(isMet)).toEqual([false, true]);
    expect(renderSection(section)).toContain(
      "| a build | 300 ms | another: 100 ms | 3.00 | ≤ 1.5 × | **missed** |",
    );
    expect(renderSection(section)).toContain(
      "| a build | 100 ms | another: 2,000 ms | 1/20.0 | 20 × faster | met |",
    );
    expect(renderSection(section)).toContain("Left out: a peer; it is away.");
    expect(printSection(section)).toMatch(/MISSED\)[\s\S]*20 × faster\)/);
  });

  it("replaces the sections that it measured, and leaves the others", () => {
    const other = { ...section, title: titles[1] ?? "", circumstances: "Measured before." };
    const before = updatePage("", titles, [other]);
    const after = updatePage(before, titles, [section]);
    expect([...after.matchAll(/^## (.*)$/gm)].map(([, title]) => title)).toEqual(titles);
    expect(after).toContain("Measured before.");
    expect(after.split(NOT_MEASURED)).toHaveLength(titles.length - 1);
    expect(
      updatePage(after, titles, [{ ...section, circumstances: "Measured later." }]),
    ).not.toContain("Measured on a day.");
  });

  it("has a module for each section", () => {
    for (const { name, load } of SECTIONS)
      expect([name, typeof load]).toEqual([expect.stringMatching(/^[a-z-]+$/), "function"]);
    expect(new Set(SECTIONS.map(({ name }) => name)).size).toBe(SECTIONS.length);
  });
});
