// Uses nothing but the language, because validation, the OAuth flows and a Pack's runtime share it.

/** A placeholder of a template: `{region}`, `{region.api}`, `{callback.realm}`. */
export interface Placeholder {
  /** Its text in the template, with the braces. */
  readonly text: string;
  readonly name: string;
  /** The text after the dot. */
  readonly part: string | undefined;
  /** Offset in the template. */
  readonly start: number;
}

/**
 * Where in a URL a placeholder is. A label may have other characters next to it; a host, a segment
 * and the value of a query may not.
 */
export type UrlPlace = "host" | "label" | "segment" | "query" | "elsewhere";

const PLACEHOLDER = /\{([a-z][A-Za-z0-9]{0,39})(?:\.([A-Za-z][A-Za-z0-9_]*))?\}/g;

/** @returns the placeholders of a template, in order. */
export function findPlaceholders(template: string): Placeholder[] {
  return [...template.matchAll(PLACEHOLDER)].map((match) => ({
    text: match[0],
    name: match[1] ?? "",
    part: match[2],
    start: match.index,
  }));
}

/**
 * Replaces placeholders in one pass, so a value is never scanned for placeholders. The text stays
 * where `fill` returns nothing.
 */
export function fillTemplate(
  template: string,
  fill: (placeholder: Placeholder) => string | undefined,
): string {
  return template.replace(
    PLACEHOLDER,
    (text: string, name: string, part: string | undefined, start: number) =>
      fill({ text, name, part, start }) ?? text,
  );
}

/** @returns where in a URL template a placeholder is. */
export function findUrlPlace(template: string, { start, text }: Placeholder): UrlPlace {
  const masked = fillTemplate(template, (placeholder) => "x".repeat(placeholder.text.length));
  const [, scheme = "", authority = "", path = ""] =
    /^(https?:\/\/)?([^/?#]*)([^?#]*)/.exec(masked) ?? [];
  const end = start + text.length;
  const hostEnd = scheme.length + authority.length;
  if (start < hostEnd) {
    if (start < scheme.length) return "elsewhere";
    return start === scheme.length && end === hostEnd ? "host" : "label";
  }
  const pathEnd = hostEnd + path.length;
  if (start > pathEnd) {
    const [query = ""] = masked.slice(pathEnd).split("#");
    const isValue =
      masked[start - 1] === "=" && (masked[end] === undefined || "&#".includes(masked[end] ?? ""));
    return masked[pathEnd] === "?" && end <= pathEnd + query.length && isValue
      ? "query"
      : "elsewhere";
  }
  if (end > pathEnd) return "elsewhere";
  const isBoundary = (char: string | undefined): boolean =>
    char === undefined || "/?#".includes(char);
  return isBoundary(masked[start - 1]) && isBoundary(masked[end]) ? "segment" : "elsewhere";
}
