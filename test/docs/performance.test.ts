import { describe, expect, it } from "vitest";
import {
  NOT_MEASURED,
  printSection,
  renderSection,
  updatePage,
} from "../bench/performance-page.ts";
import { isMet, type Measurement } from "../bench/section.ts";
import { SECTIONS } from "../bench/sections.ts";

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
