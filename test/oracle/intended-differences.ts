const DEPRECATED =
  "Deprecated keys, such as `id` and `defaultValue`, have been rejected since version 1.0";
const EXEMPTED = "Packs with certain IDs were exempt from some rules";
const OLDER = "Packs made with versions before 1.4.1 could have tables without an `identityName`";

/**
 * Tests of the published validator in which its verdict differs from ours on purpose, and the row
 * of docs/migrating.md that says so.
 */
export const RECORDED: Readonly<Record<string, string>> = {
  "formula namespace required when formulas present":
    "A Pack needed a version, and formulas needed a namespace",
  "Formulas > sync tables > old SDK with legacy autocomplete fields": OLDER,
  "Formulas > sync tables > identityName is required on sync tables": OLDER,
  "Formulas > sync tables > invalid sync table getter name but in legacy exemption list": EXEMPTED,
  "Formulas > object schemas > invalid identity name but in legacy exemptions": EXEMPTED,
  "Formulas > object schemas > Index definition > passes when filterable properties exempted":
    EXEMPTED,
  "Authentication > OAuth2ClientCredentials, no requiresEndpointUrl requires absolute tokenUrl, any scheme":
    "An `http:` token URL, a public suffix such as `com` as a network domain, and reserved OAuth parameters were accepted",
  "deprecation warnings > deprecated schema properties in formula schema": DEPRECATED,
  "deprecation warnings > deprecated schema properties in sync table schema": DEPRECATED,
  "deprecation warnings > deprecated schema properties in nested schema": DEPRECATED,
  "deprecation warnings > deprecated defaultValue in formula params": DEPRECATED,
  "deprecation warnings > deprecated defaultValue in sync table getter params": DEPRECATED,
  "deprecation warnings > deprecated getOptionsFormula": DEPRECATED,
  "deprecation warnings > deprecated attribution within identity": DEPRECATED,
};

/** A row of the tables under "Intended differences" of docs/migrating.md. */
export interface IntendedDifference {
  section: string;
  /** What `@codahq/packs-sdk` does. */
  before: string;
  /** What packsmith does. */
  now: string;
}

export function listDifferences(page: string): IntendedDifference[] {
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
