/** A row of the tables under "Intended differences" of docs/migrating.md. */
export interface IntendedDifference {
  section: string;
  /** What `@codahq/packs-sdk` does. */
  before: string;
  /** What packsmith does. */
  now: string;
}

export function differencesOf(page: string): IntendedDifference[] {
  const [, after = ""] = page.split("\n## Intended differences\n");
  const [text = ""] = after.split("\n## ");
  return text.split("\n### ").flatMap((part) => {
    const section = part.slice(0, part.indexOf("\n"));
    const rows = part.split("\n").flatMap((line) => [...line.matchAll(/^\| (.+?) \| (.+) \|$/g)]);
    return rows
      .map(([, before = "", now = ""]) => ({ section, before, now }))
      .filter(({ before }) => before !== "Before" && !/^-+$/.test(before));
  });
}
