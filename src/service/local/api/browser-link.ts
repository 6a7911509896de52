/** The parts of a browser link. Each ends in the id, or the tail of the id, of what it names. */
export interface BrowserLink {
  /** `<slug>_d<docId>` */
  doc: string;
  /** `<slug>_su<tail>` */
  page: string | undefined;
  /** `<slug>_tu<tail>` */
  table: string | undefined;
  /** `_ru<tail>` */
  row: string | undefined;
}

/** @returns undefined for a link that leads into no document */
export function parseBrowserLink(url: URL): BrowserLink | undefined {
  const [first, doc, page, ...rest] = url.pathname.slice(1).split("/");
  if (first !== "d" || doc === undefined || !doc.includes("_d") || rest.length > 0) return undefined;
  const [table, row] = url.hash.slice(1).split("/");
  return { doc, page: page || undefined, table: table || undefined, row: row || undefined };
}

/** Every id that a part can stand for: a slug may itself hold the mark. */
export function idsIn(part: string, mark: "_d" | "_su" | "_tu" | "_ru"): string[] {
  const ids: string[] = [];
  for (let at = part.indexOf(mark); at !== -1; at = part.indexOf(mark, at + 1)) ids.push(part.slice(at + mark.length));
  return ids.filter((id) => id !== "").slice(0, 20);
}
