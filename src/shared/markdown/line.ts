/** How a line of a page looks: the styles that the REST API documents. */
export type LineStyle =
  | ("paragraph" | "h1" | "h2" | "h3")
  | ("bulletedList" | "numberedList" | "checkboxList" | "collapsibleList")
  | ("blockQuote" | "pullQuote" | "code");

/** A piece of text that looks the same throughout. */
export interface Span {
  text: string;
  bold?: true | undefined;
  italic?: true | undefined;
  strike?: true | undefined;
  code?: true | undefined;
  href?: string | undefined;
}

/** A line without an id, as it is read from Markdown or HTML. */
export interface NewLine {
  style: LineStyle;
  /** How far a list item is indented, from 0. */
  level?: number | undefined;
  /** Whether the box of a `checkboxList` item is ticked. */
  checked?: boolean | undefined;
  spans: readonly Span[];
}

/** A line of a page in a document. */
export interface ContentLine extends NewLine {
  id: string;
}

export function plainText({ spans }: NewLine): string {
  return spans.map(({ text }) => text).join("");
}

export function isListStyle(style: LineStyle): boolean {
  return style.endsWith("List");
}

/** Joins neighbours that look the same, and drops empty text. */
export function mergeSpans(spans: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const span of spans) {
    const last = merged.at(-1);
    if (span.text === "") continue;
    if (last !== undefined && formatLook(last) === formatLook(span)) last.text += span.text;
    else merged.push({ ...span });
  }
  return merged;
}

function formatLook({ text: _, ...look }: Span): string {
  return JSON.stringify(look, ["bold", "italic", "strike", "code", "href"]);
}
