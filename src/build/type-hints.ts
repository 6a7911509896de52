import { awaitHint, type CodePlace, type MissingAwait } from "./await-hint.ts";

const CHECK_FIRST = "Check for null and undefined before you use the value.";

const HINTS: Readonly<Record<string, string>> = {
  TS2304: "Import the name, or correct its spelling.",
  TS2307: "Correct the path, or install the package and its types.",
  TS2339: "Correct the name, or check that the value has this property.",
  TS2353: "Remove the property, or correct its name.",
  TS2531: CHECK_FIRST,
  TS2532: CHECK_FIRST,
  TS2533: CHECK_FIRST,
  TS2552: "Import the name, or correct its spelling.",
  TS2561: "Correct the name of the property.",
  TS2691: "Write the import without the extension .ts.",
  TS5097:
    "Write the import without the extension .ts, or set allowImportingTsExtensions and noEmit in tsconfig.json.",
  TS6133: "Remove the unused name.",
  TS18047: CHECK_FIRST,
  TS18048: CHECK_FIRST,
  TS18049: CHECK_FIRST,
};

/**
 * What to do about a problem of the compiler.
 * @param code such as `TS2322`
 * @param message its first line, and the lines below with the reason
 * @param findPlace the code that the problem is about; called only when it matters
 */
export function typeHint(
  code: string,
  message: string,
  findPlace: () => CodePlace | undefined,
): string {
  const missing = findMissingAwait(code, message);
  const place = missing === undefined ? undefined : findPlace();
  const hint = missing === undefined || place === undefined ? undefined : awaitHint(missing, place);
  return hint ?? HINTS[code] ?? "Change the value to match the type, or change the type.";
}

/** A condition that is always true because it is a promise. */
const PROMISE_AS_CONDITION = "TS2801";

/** Members of responses, which Packs wait for most often. */
const MEMBERS: Readonly<Record<string, object>> = {
  string: String.prototype,
  number: Number.prototype,
  boolean: Boolean.prototype,
  FetchResponse: { status: 0, body: 0, headers: 0 },
};

/** A promise that cannot be iterated. */
const NOT_ITERABLE = /^Type 'Promise<.*\[\]>' must have a '\[Symbol\.iterator\]\(\)' method/;

/** What a value lacks that is a promise where its value is expected, by the text of the compiler. */
export function findMissingAwait(code: string, message: string): MissingAwait | undefined {
  if (code === PROMISE_AS_CONDITION || NOT_ITERABLE.test(message)) return "value";
  const [, member, of] = /^Property '([^']+)' does not exist on type '(.*)'\./.exec(message) ?? [];
  if (member !== undefined)
    return mayHaveMember(unwrapPromise(of ?? ""), member) ? "value" : undefined;
  const mismatches = message.matchAll(
    /(?:Type|Argument of type) '(.*)' is not assignable to (?:type|parameter of type) '(.*)'\./g,
  );
  let isInArray = false;
  let around = "";
  for (const [, from = "", to = ""] of mismatches) {
    if (isPartOf(unwrapPromise(from), to)) {
      if (around.endsWith("[]")) return "elements";
      // The result of a function that must not be async, or of each element of an array.
      return isInArray || /^[^{]*=>/.test(around) ? undefined : "value";
    }
    isInArray ||= from.endsWith("[]");
    around = from;
  }
  return undefined;
}

/** @returns the type of the value of a promise; undefined for every other type */
function unwrapPromise(type: string): string | undefined {
  return /^Promise<(.*)>$/.exec(type)?.[1];
}

/** The compiler's text does not show the members of every type. */
function mayHaveMember(type: string | undefined, member: string): boolean {
  if (type === undefined) return false;
  if (/^(?:unknown|void|undefined|null|never)$/.test(type)) return false;
  if (type.startsWith("{") && !type.includes("...")) return type.includes(` ${member}: `);
  const members = type.endsWith("[]") ? Array.prototype : MEMBERS[type.replace(/<.*$/, "")];
  return members === undefined || member in members;
}

/** Whether each member of a union is one of another union. Named types must have one name. */
function isPartOf(type: string | undefined, target: string): boolean {
  if (type === undefined) return false;
  if (type === "any" || type === target) return true;
  const members = target.split(" | ");
  return type
    .split(" | ")
    .every((part) => members.includes(part) || members.includes(findKind(part)));
}

/** The type that a literal belongs to. */
function findKind(type: string): string {
  if (/^["'`]/.test(type)) return "string";
  if (/^-?\d/.test(type)) return "number";
  return type === "true" || type === "false" ? "boolean" : type;
}
