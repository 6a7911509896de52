import type { Kysely } from "kysely";
import { canParseUrl } from "../../../../shared/urls.ts";
import type { ResolvedLink } from "../../../contract/models/responses.ts";
import { listParts } from "../../store/doc-parts.ts";
import { findDoc, listTables, type StoredDoc } from "../../store/doc-store.ts";
import { everyRow, readRow, type StoredRow, type TableSnapshot } from "../../store/row-store.ts";
import type { ServiceSchema } from "../../store/schema.ts";
import { HttpError } from "../http-error.ts";
import { readBoolean } from "../request-input.ts";
import { createResources, type Resources, tail } from "../resources.ts";
import { accessTo, type ServiceCall } from "../service-call.ts";

interface Found {
  resource: ResolvedLink["resource"];
  browserLink: string;
}

/**
 * Finds the resource of a browser link. When it was deleted, and the caller allows it, finds the
 * nearest parent instead.
 */
export async function resolveBrowserLink(call: ServiceCall): Promise<ResolvedLink> {
  const degrades = readBoolean(call.query, "degradeGracefully") === true;
  const text = call.query.get("url") ?? "";
  const link = readLink(call, text);
  const doc = link === undefined ? undefined : await findLinkedDoc(call, link);
  if (link === undefined || doc === undefined) throw notLocated();
  const found = await findLinked(call, doc, link, degrades);
  const query = new URLSearchParams({
    url: text,
    ...(degrades ? { degradeGracefully: "true" } : {}),
  });
  return { type: "apiLink", href: `${call.root}${call.path}?${query}`, ...found };
}

function readLink({ root, state }: ServiceCall, text: string): BrowserLink | undefined {
  const { publicUrl, canonicalOrigins } = state.settings;
  const origins = [
    new URL(root).origin,
    ...(publicUrl === undefined ? [] : [new URL(publicUrl).origin]),
    ...canonicalOrigins,
  ];
  if (!canParseUrl(text) || !origins.includes(new URL(text).origin))
    throw new HttpError(400, "url does not look like a URL of this service.");
  return parseBrowserLink(new URL(text));
}

/** The document of a link, if the caller reaches it. */
export async function findLinkedDoc(
  call: ServiceCall,
  link: BrowserLink,
): Promise<StoredDoc | undefined> {
  for (const id of idsIn(link.doc, "_d")) {
    const docId = decode(id);
    // The path of the request does not name the document.
    await call.state.edits.pump({ docId });
    const doc = await findDoc(call.state.storage.db, docId);
    const reaches = call.caller.docId === undefined || call.caller.docId === doc?.id;
    if (doc !== undefined && reaches && (await accessTo(call, doc)) !== undefined) return doc;
  }
  return undefined;
}

async function findLinked(
  call: ServiceCall,
  doc: StoredDoc,
  link: BrowserLink,
  degrades: boolean,
): Promise<Found> {
  const resources = createResources(call.root);
  const found: Found[] = [];
  const isWholeDoc = call.caller.tableId === undefined;
  if (isWholeDoc) found.push(foundDoc(resources, doc));
  if (link.page !== undefined && isWholeDoc) {
    const page = byTail(
      await listParts(call.state.storage.db, doc.id, "page"),
      idsIn(link.page, "_su"),
    );
    if (page !== undefined) found.push(foundThing("page", resources.page(doc.id, page)));
    else if (!degrades) throw notLocated();
  }
  if (link.table !== undefined)
    found.push(...(await findLinkedTable(call, doc, link, resources, degrades)));
  const last = found.at(-1);
  if (last === undefined) throw notLocated();
  return last;
}

async function findLinkedTable(
  { state, caller }: ServiceCall,
  doc: StoredDoc,
  link: BrowserLink,
  resources: Resources,
  degrades: boolean,
): Promise<Found[]> {
  const { db } = state.storage;
  const tables = await listTables(db, doc.id);
  const table = byTail(tables, idsIn(link.table ?? "", "_tu"));
  const reaches =
    caller.tableId === undefined ||
    caller.tableId === table?.id ||
    caller.tableId === table?.parentTableId;
  if (table === undefined || !reaches) {
    if (degrades) return [];
    throw notLocated();
  }
  const found = [foundThing("table", resources.tableReference(doc.id, table, undefined))];
  if (link.row === undefined) return found;
  const tableId = table.parentTableId ?? table.id;
  const snapshot = { docId: doc.id, tableId, seq: doc.seq };
  const tails = idsIn(link.row, "_ru").map(decode);
  const row =
    (await readRow(db, snapshot, `i-${tails[0]}`)) ?? (await rowByTail(db, snapshot, tails));
  if (row === undefined) {
    if (degrades) return found;
    throw notLocated();
  }
  const href = resources.rowUrl(doc.id, table.id, row.id);
  return [
    ...found,
    {
      resource: { type: "row", id: row.id, name: row.name, href },
      browserLink: resources.rowBrowserLink(doc.id, table, row.id),
    },
  ];
}

/** For ids of a seed, which can begin with anything. */
async function rowByTail(
  db: Kysely<ServiceSchema>,
  snapshot: TableSnapshot,
  tails: readonly string[],
): Promise<StoredRow | undefined> {
  for await (const rows of everyRow(db, snapshot)) {
    const row = byTail(rows, tails);
    if (row !== undefined) return row;
  }
  return undefined;
}

function foundDoc(resources: Resources, doc: StoredDoc): Found {
  const { id, href, browserLink } = resources.docReference(doc.id);
  return { resource: { type: "doc", id, name: doc.title, href }, browserLink };
}

function foundThing(
  type: "page" | "table",
  thing: { id: string; name: string; href: string; browserLink: string },
): Found {
  const { id, name, href, browserLink } = thing;
  return { resource: { type, id, name, href }, browserLink };
}

/** The thing whose id, or the end of it, is one of these. */
function byTail<Thing extends { id: string }>(
  things: readonly Thing[],
  tails: readonly string[],
): Thing | undefined {
  return things.find(({ id }) =>
    tails.some((each) => decode(each) === id || decode(each) === tail(id)),
  );
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function notLocated(): HttpError {
  return new HttpError(404, "The link does not point to an object that the token can access.");
}

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
  if (first !== "d" || doc === undefined || !doc.includes("_d") || rest.length > 0)
    return undefined;
  const [table, row] = url.hash.slice(1).split("/");
  return { doc, page: page || undefined, table: table || undefined, row: row || undefined };
}

/** Every id that a part can stand for: a slug may itself hold the mark. */
export function idsIn(part: string, mark: "_d" | "_su" | "_tu" | "_ru"): string[] {
  const ids: string[] = [];
  for (let at = part.indexOf(mark); at !== -1; at = part.indexOf(mark, at + 1))
    ids.push(part.slice(at + mark.length));
  return ids.filter((id) => id !== "").slice(0, 20);
}
