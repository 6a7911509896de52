/** How a line of a page looks. The styles of the documented listing. */
export const LINE_STYLES = [
  ...(["paragraph", "h1", "h2", "h3", "bulletedList", "numberedList", "checkboxList", "collapsibleList"] as const),
  ...(["blockQuote", "pullQuote", "code"] as const),
] as const;
export type LineStyle = (typeof LINE_STYLES)[number];

/** A run of text with one look. */
export interface Span {
  text: string;
  bold?: true | undefined;
  italic?: true | undefined;
  strike?: true | undefined;
  code?: true | undefined;
  href?: string | undefined;
}

/** A line that has not been given an id yet. */
export interface NewLine {
  style: LineStyle;
  /** How far it is indented; only lists are. */
  level?: number | undefined;
  /** Of a check list. */
  checked?: boolean | undefined;
  spans: readonly Span[];
}

/** One element of a canvas page. */
export interface ContentLine extends NewLine {
  id: string;
}

export function plainText({ spans }: NewLine): string {
  return spans.map(({ text }) => text).join("");
}

export function isListStyle(style: LineStyle): boolean {
  return style.endsWith("List");
}

/** Joins runs that look the same and drops empty ones. */
export function mergeSpans(spans: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const span of spans) {
    const last = merged.at(-1);
    if (span.text === "") continue;
    if (last !== undefined && lookOf(last) === lookOf(span)) last.text += span.text;
    else merged.push({ ...span });
  }
  return merged;
}

function lookOf({ text: _, ...look }: Span): string {
  return JSON.stringify(look, ["bold", "italic", "strike", "code", "href"]);
}
