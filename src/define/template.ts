// Written in the language alone: validation, the OAuth flows and a Pack's runtime share it.

/** A place in a template that a value fills: `{region}`, `{region.api}`, `{callback.realm}`. */
export interface Placeholder {
  /** As it is written, with its braces. */
  readonly text: string;
  readonly name: string;
  /** What follows the dot. */
  readonly part: string | undefined;
  /** Offset in the template. */
  readonly start: number;
}

/** Where in a URL a placeholder stands. A label may share its place with other characters, a host and a segment not. */
export type UrlPlace = "host" | "label" | "segment" | "elsewhere";

const PLACEHOLDER = /\{([a-z][A-Za-z0-9]{0,39})(?:\.([A-Za-z][A-Za-z0-9_]*))?\}/g;

/** @returns the placeholders of a template, in their order. */
export function placeholdersOf(template: string): Placeholder[] {
  return [...template.matchAll(PLACEHOLDER)].map((match) => ({
    text: match[0],
    name: match[1] ?? "",
    part: match[2],
    start: match.index,
  }));
}

/** Replaces placeholders in one pass; a value is never scanned again. Where nothing is given the text stays. */
export function fillTemplate(template: string, fill: (placeholder: Placeholder) => string | undefined): string {
  return template.replace(
    PLACEHOLDER,
    (text: string, name: string, part: string | undefined, start: number) => fill({ text, name, part, start }) ?? text,
  );
}

/** @returns where a placeholder of a URL template stands. */
export function urlPlaceOf(template: string, { start, text }: Placeholder): UrlPlace {
  const masked = fillTemplate(template, (placeholder) => "x".repeat(placeholder.text.length));
  const [, scheme = "", authority = "", path = ""] = /^(https?:\/\/)?([^/?#]*)([^?#]*)/.exec(masked) ?? [];
  const end = start + text.length;
  const hostEnd = scheme.length + authority.length;
  if (start < hostEnd) {
    if (start < scheme.length) return "elsewhere";
    return start === scheme.length && end === hostEnd ? "host" : "label";
  }
  if (end > hostEnd + path.length) return "elsewhere";
  const isBoundary = (char: string | undefined): boolean => char === undefined || "/?#".includes(char);
  return isBoundary(masked[start - 1]) && isBoundary(masked[end]) ? "segment" : "elsewhere";
}
