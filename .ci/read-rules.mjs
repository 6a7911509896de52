import { readFileSync } from "node:fs";

/**
 * Reads the tables of one topic of docs/rules.md.
 * @param {string} topic a heading such as "Security"
 * @returns {{ title: string, rules: { number: string, cells: string[] }[] }[]} one part for each
 * table: its heading, and its rows without the number
 */
export function readRules(topic) {
  const page = readFileSync("docs/rules.md", "utf8");
  const [, text = ""] = page.split(`\n## ${topic}\n`);
  const [section] = text.split("\n## ");
  return section
    .split("\n### ")
    .slice(1)
    .map((part) => ({
      title: part.split("\n", 1)[0],
      rules: [...part.matchAll(/^\| (\w+ \d+) \| (.*) \|$/gm)].map(([, number, cells]) => ({
        number,
        cells: cells.split(/ \|(?: |$)/),
      })),
    }));
}

/** Replaces what a page has between the comments `<!-- NAME: generated -->` and `<!-- NAME: end -->`. */
export function replacePart(page, text, name, content) {
  const [begin, end] = [`<!-- ${name}: generated -->`, `<!-- ${name}: end -->`];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from === -1 || to === -1) throw new Error(`${page} has no place for ${name}.`);
  return `${text.slice(0, from + begin.length)}\n\n${content}\n\n${text.slice(to)}`;
}

export function formatTable(head, rows) {
  return [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
}
