import type { Path, Report } from "./report.ts";
import { isMembers, type Members, short } from "./shape.ts";

const IDENTITY_FORM = /^[A-Za-z0-9_-]+$/;
const PLAIN_KEY = /^[A-Za-z0-9]+$/;
/** Letters and digits that a name in a document cannot have. */
const LOST = /(?![A-Za-z0-9])[\p{L}\p{N}]/u;

/** Rules 75 and 76. */
export function checkIdentityName(name: unknown, path: Path, report: Report): void {
  if (typeof name !== "string" || IDENTITY_FORM.test(name)) return;
  const plain = name.replace(/[^A-Za-z0-9_-]+/g, "");
  const problem = name === "" ? "The identity's name is empty." : `The identity's name ${short(name)} is not of letters, digits, _ and -.`;
  report("SCHEMA_IDENTITY_NAME", path, problem, plain === "" ? "Name the kind of thing, such as Task." : `Write ${short(plain)}.`);
}

/** Rules 77, A13 and A14: what the properties of one object are called. */
export function checkPropertyKeys(properties: Members, path: Path, report: Report): void {
  const fixedIds = new Map<string, string>();
  const names = new Map<string, string>();
  for (const [key, property] of Object.entries(properties)) {
    const fixedId = isMembers(property) ? property["fixedId"] : undefined;
    if (typeof fixedId === "string") {
      const other = fixedIds.get(fixedId);
      if (other === undefined) fixedIds.set(fixedId, key);
      else {
        const message = `The property ${short(other)} has the fixedId ${short(fixedId)}, too.`;
        report("SCHEMA_FIXED_ID_DUPLICATE", [...path, key, "fixedId"], message, "Give each property a fixedId of its own.");
      }
    }
    checkKey(key, names, [...path, key], report);
  }
}

function checkKey(key: string, names: Map<string, string>, path: Path, report: Report): void {
  const name = documentName(key);
  const other = names.get(name);
  if (other !== undefined) {
    const message = `The properties ${short(other)} and ${short(key)} are both ${short(name)} in the document.`;
    report("SCHEMA_KEY_COLLISION", path, message, "Rename one of them; fromKey can keep its name in the result.");
  } else names.set(name, key);
  if (name === key || !LOST.test(key) || !/[A-Za-z0-9]/.test(key)) return;
  const message = `The property ${short(key)} is ${short(name)} in the document, which has only letters from A to Z.`;
  const hint = "Name it with plain letters; displayName can have any, and fromKey keeps its name in the result.";
  report("SCHEMA_KEY_LETTERS", path, message, hint);
}

/** A property's name in the document (section 7.5): the runs of letters and digits, each with a capital, joined. */
export function documentName(key: string): string {
  if (PLAIN_KEY.test(key)) return key.charAt(0).toUpperCase() + key.slice(1);
  const trimmed = key.trim();
  if (trimmed.length === 1) return trimmed.toUpperCase();
  const parts = trimmed.split(/[^A-Za-z0-9]+/).filter((part) => part !== "");
  if (parts.length === 0) return trimmed.replaceAll(":", "_");
  return parts.map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join("");
}
