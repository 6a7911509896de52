import type { Difference } from "../../parts/difference.ts";
import type { CurlRequest } from "./parse-curl.ts";
import { VARIABLE } from "./shell-words.ts";

/** Where two requests can differ. */
type Place = "Method" | "URL" | "Query" | "Header" | "Body";

/**
 * What is compared of a request. A secret is a variable in the marks of `parseShellWords`, or masked.
 */
export type Comparable = Pick<CurlRequest, "method" | "url" | "headers" | "body">;

/** Headers that the sender of a request adds, and that no one chooses. */
const AUTOMATIC = new Set(["host", "connection", "content-length", "accept-encoding"]);
const SECRET_NAME =
  /authorization|cookie|token|secret|passw|api[-_]?key|\bkey\b|signature|credential|session|\bcode\b/i;
const MASK = /••••/;
const HIDDEN = "••••";

/**
 * Compares two requests, part by part, in the order of a request. Secrets are masked; `hidden` ones
 * are in both.
 */
export function compareRequests(left: Comparable, right: Comparable): Difference[] {
  const ours = listParts(left);
  const others = listParts(right);
  return [...new Set([...ours.keys(), ...others.keys()])]
    .map((key): Difference => {
      const [place = "Body", name = ""] = key.split("\n");
      return difference(place, name, ours.get(key), others.get(key));
    })
    .sort((one, other) => ORDER.indexOf(one.place) - ORDER.indexOf(other.place));
}

const ORDER: readonly string[] = ["Method", "URL", "Query", "Header", "Body"] satisfies Place[];

function difference(
  place: string,
  name: string,
  left: string | undefined,
  right: string | undefined,
): Difference {
  const isSecret =
    [left, right].some((text) => text !== undefined && isHidden(text)) || SECRET_NAME.test(name);
  const showText = (text: string | undefined) =>
    text === undefined ? undefined : isSecret ? maskText(text) : text;
  const both = { place, name, left: showText(left), right: showText(right) };
  if (left === undefined) return { ...both, state: "extra" };
  if (right === undefined) return { ...both, state: "missing" };
  if (!isSecret) return { ...both, state: left === right ? "same" : "different" };
  // A value that is not known cannot be compared, but the scheme before it can.
  if (findScheme(left) !== findScheme(right)) return { ...both, state: "different" };
  return {
    ...both,
    state: isHidden(left) || isHidden(right) ? "hidden" : left === right ? "same" : "different",
  };
}

/** The parts of a request by place and name. */
function listParts({ method, url, headers, body }: Comparable): Map<string, string> {
  const parts = new Map<string, string>();
  const add = (place: Place, name: string, value: string): void => {
    const key = `${place}\n${name}`;
    const before = parts.get(key);
    parts.set(key, before === undefined ? value : `${before}, ${value}`);
  };
  const [, base = url, query = ""] = /^([^?#]*)(?:\?([^#]*))?/.exec(url) ?? [];
  add("Method", "", method.toUpperCase());
  add("URL", "", normalizeUrl(base));
  for (const [name, value] of parseForm(query)) add("Query", name, value);
  for (const [name, value] of headers)
    if (!AUTOMATIC.has(name.toLowerCase())) add("Header", name.toLowerCase(), value);
  const type = headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";
  for (const [name, value] of bodyParts(body, type)) add("Body", name, value);
  return parts;
}

/**
 * Scheme and host do not distinguish case, and an empty path is a slash (RFC 3986 §6.2.2.1,
 * §6.2.3).
 */
function normalizeUrl(base: string): string {
  return URL.canParse(base) && !base.includes("\u0001") ? new URL(base).href : base;
}

function parseForm(text: string): (readonly [string, string])[] {
  return text === "" ? [] : [...new URLSearchParams(text)];
}

function bodyParts(body: string | undefined, type: string): (readonly [string, string])[] {
  if (body === undefined || body === "") return [];
  if (/^\s*[[{]/.test(body)) {
    try {
      return listMembers(JSON.parse(body), "");
    } catch {
      return [["", body]];
    }
  }
  return type.toLowerCase().startsWith("application/x-www-form-urlencoded")
    ? parseForm(body)
    : [["", body]];
}

/** The leaves of a JSON document, by their path: `items[0].name`. */
function listMembers(value: unknown, path: string): (readonly [string, string])[] {
  const isTree = typeof value === "object" && value !== null;
  const entries = isTree ? Object.entries(value) : [];
  if (entries.length === 0) return [[path, JSON.stringify(value)]];
  return entries.flatMap(([name, member]) =>
    listMembers(
      member,
      Array.isArray(value) ? `${path}[${name}]` : path === "" ? name : `${path}.${name}`,
    ),
  );
}

function isHidden(text: string): boolean {
  return MASK.test(text) || text.includes("\u0001");
}

/** `Bearer` of `Bearer abc`. */
function findScheme(text: string): string {
  return /^([A-Za-z]+) \S/.exec(text)?.[1]?.toLowerCase() ?? "";
}

function maskText(text: string): string {
  const scheme = /^([A-Za-z]+ )\S/.exec(text)?.[1] ?? "";
  const [, name] = new RegExp(VARIABLE.source).exec(text) ?? [];
  return scheme + (name === undefined ? HIDDEN : `$${name}`);
}
