import { readFileSync } from "node:fs";

const ROW = /^\| ((?:rule|definition|service|Pack rule) \d+|[ACPV]\d+) \| (.*?) \|/gm;

/** The rules of docs/rules.md under their numbers: `rule 28`, `definition 8`, `A16`. */
export function readDocumentedRules(): ReadonlyMap<string, string> {
  const page = readFileSync(new URL("../../docs/rules.md", import.meta.url), "utf8");
  return new Map([...page.matchAll(ROW)].map(([, number = "", text = ""]) => [number, text]));
}
