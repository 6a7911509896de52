import { readDocumentedRules } from "../../support/documented-rules.ts";
import type { Definition } from "../definitions.ts";

/**
 * Rules by their numbers in docs/rules.md and what this row adds to them, a definition that obeys
 * them, one that breaks them, and what is reported then: code and path.
 */
export type Row = [rules: string, obeys: Definition, breaks: Definition, ...reported: string[]];

const sentences = readDocumentedRules();

/** `"49 50"` and `"A2 once"`: numbers first. */
export function readNumbers(rules: string): string[] {
  return rules.split(" ").filter((word) => /^A?\d+$/.test(word));
}

/** Replaces the numbers of a row by the sentences of docs/rules.md, so that a title needs neither. */
export function addTitle([rules, ...rest]: Row): Row {
  const numbers = readNumbers(rules);
  if (numbers.length === 0) return [rules, ...rest];
  const words = rules.split(" ").slice(numbers.length).join(" ");
  const rule = numbers.map(readSentence).join("; ");
  return [words === "" ? rule : `${rule} (${words})`, ...rest];
}

function readSentence(number: string): string {
  const name = number.startsWith("A") ? number : `definition ${number}`;
  const sentence = sentences.get(name);
  if (sentence === undefined) throw new Error(`docs/rules.md does not have "${name}".`);
  return sentence;
}
