import { type Kysely, sql } from "kysely";
import type { ContentLine } from "../../../shared/markdown/line.ts";
import type { CellEdit } from "../../contract/models/responses.ts";
import type { Principal } from "./principal.ts";
import type { ServiceSchema } from "./schema.ts";
import { raiseStructure } from "./versions.ts";

interface Part {
  id: string;
  name: string;
  position: number;
}

interface PersonName {
  name: string;
  email: string;
}

/** The content of a page that is not a canvas. */
export type PageSource =
  | { type: "embed"; url: string; renderMethod?: "compatibility" | "standard" | undefined }
  | {
      type: "syncPage";
      mode: "page";
      sourceDocId: string;
      sourcePageId: string;
      includeSubpages: boolean;
    }
  | { type: "syncPage"; mode: "document"; sourceDocId: string };

export interface StoredPage extends Part {
  subtitle: string | undefined;
  isHidden: boolean;
  /** The page above. */
  parentId: string | undefined;
  iconName?: string | undefined;
  imageUrl?: string | undefined;
  createdAtMs: number;
  updatedAtMs?: number | undefined;
  createdBy?: PersonName | undefined;
  updatedBy?: PersonName | undefined;
  /** Absent: a canvas, whose lines are a part of their own. */
  source?: PageSource | undefined;
}

export interface StoredFormula extends Part {
  pageId: string | undefined;
  value: CellEdit;
}

export interface StoredControl extends StoredFormula {
  controlType: string;
}

export interface StoredAutomation extends Part {
  enabled: boolean;
  /** What starts the rule; only a webhook can be invoked. */
  trigger?: "webhook" | "time" | "row" | undefined;
  /** Where what was sent is delivered: an address of this machine. */
  deliverTo?: string | undefined;
}

export interface StoredPermission extends Part {
  access: "readonly" | "write" | "comment";
  principal: Principal;
}

interface StoredExport extends Part {
  pageId: string;
  format: "html" | "markdown";
  body: string;
  beginMs: number;
  readyAtMs: number;
  error?: string | undefined;
}

interface Parts {
  page: StoredPage;
  /** A page that was deleted, and when. */
  deletedPage: Part & { deletedAtMs: number };
  /** The lines of the canvas page of the same id. */
  content: Part & { lines: readonly ContentLine[] };
  formula: StoredFormula;
  control: StoredControl;
  automation: StoredAutomation;
  permission: StoredPermission;
  export: StoredExport;
  /** A table that was deleted, whose rows are removed later. */
  droppedTable: Part;
  /** A table of a document that does not exist yet, and when its last piece renewed this. */
  copiedTable: Part & { renewedAtMs: number };
}

/** What edits of pages change. */
export type PagePartKind = "page" | "content";
export type PagePart<Kind extends PagePartKind> = Parts[Kind];

type Db = Kysely<ServiceSchema>;

/** The parts of one kind, as they are now or as they were in a snapshot. */
export interface PartsPlace<Kind extends keyof Parts> {
  docId: string;
  kind: Kind;
  /** Only pages and their content have a past. @default as they are now */
  seq?: number | undefined;
}

export interface PartsOptions {
  order?: "position" | "sort_name" | undefined;
  /** Where a list goes on: what it is ordered by, and the id. */
  after?: readonly [value: string | number, id: string] | undefined;
  limit?: number | undefined;
  /** Only these. */
  ids?: readonly string[] | undefined;
  /** Only those with this id or this name. */
  idOrName?: string | undefined;
  /** Only those that these pages hold, or that are below them. */
  parentIds?: readonly string[] | undefined;
}

/** What a document contains of one kind, in the order in which it was created. */
export function listParts<Kind extends keyof Parts>(
  db: Db,
  docId: string,
  kind: Kind,
): Promise<Parts[Kind][]> {
  return findParts(db, { docId, kind });
}

export async function findParts<Kind extends keyof Parts>(
  db: Db,
  place: PartsPlace<Kind>,
  { order = "position", after, limit, ids, idOrName, parentIds }: PartsOptions = {},
): Promise<Parts[Kind][]> {
  let query = partsAt(db, place)
    .select(["id", "name", "position", "record"])
    .orderBy(order)
    .orderBy("id");
  if (after !== undefined)
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple(order, "id"), ">", tuple(after[0], after[1])),
    );
  if (limit !== undefined) query = query.limit(limit);
  if (ids !== undefined) query = query.where("id", "in", [...ids, ""]);
  if (parentIds !== undefined) query = query.where("parent_id", "in", [...parentIds]);
  if (idOrName !== undefined)
    query = query.where(({ eb, or }) => or([eb("id", "=", idOrName), eb("name", "=", idOrName)]));
  const rows = await query.execute();
  return rows.map(({ record, ...part }) => ({ ...JSON.parse(record), ...part }));
}

function partsAt(db: Db, { docId, kind, seq }: PartsPlace<keyof Parts>) {
  const now = db.selectFrom("doc_parts").where("doc_id", "=", docId).where("kind", "=", kind);
  if (seq === undefined) return now;
  const later = db
    .selectFrom("part_history as later")
    .where("later.doc_id", "=", docId)
    .where("later.kind", "=", kind)
    .where("later.until_seq", ">", seq);
  const before = later
    .where("later.record", "!=", "")
    // The first change after the snapshot shows what it had.
    .where(
      "later.until_seq",
      "=",
      sql<number>`(select min(first.until_seq) from part_history as first where first.doc_id = later.doc_id
        and first.kind = later.kind and first.id = later.id and first.until_seq > ${seq})`,
    )
    .select(PART_COLUMNS);
  const unchanged = now.where("id", "not in", later.select("later.id")).select(PART_COLUMNS);
  return db.selectFrom(unchanged.unionAll(before).as("doc_parts"));
}

const PART_COLUMNS = ["id", "name", "position", "record", "parent_id", "sort_name"] as const;

/** Pages together with those above them and directly below them. */
export async function withRelatives(
  db: Db,
  place: PartsPlace<"page">,
  pages: readonly StoredPage[],
): Promise<StoredPage[]> {
  const below =
    pages.length === 0 ? [] : await findParts(db, place, { parentIds: pages.map(({ id }) => id) });
  const known = new Map([...below, ...pages].map((page) => [page.id, page]));
  const listParents = (these: readonly StoredPage[]) => [
    ...new Set(these.flatMap(({ parentId = "" }) => (known.has(parentId) ? [] : parentId))),
  ];
  for (let ids = listParents(pages); ids.some((id) => id !== ""); ) {
    const above = await findParts(db, place, { ids });
    for (const page of above) known.set(page.id, page);
    ids = listParents(above);
  }
  return [...known.values()].sort((one, other) => one.position - other.position);
}

export type PageNames = ReadonlyMap<string, { id: string; name: string }>;

/** The pages of a document by their ids, as references show them. */
export async function listPageNames(db: Db, docId: string): Promise<PageNames> {
  const pages = await db
    .selectFrom("doc_parts")
    .select(["id", "name"])
    .where("doc_id", "=", docId)
    .where("kind", "=", "page")
    .execute();
  return new Map(pages.map((page) => [page.id, page]));
}

export async function findPart<Kind extends keyof Parts>(
  db: Db,
  docId: string,
  kind: Kind,
  id: string,
): Promise<Parts[Kind] | undefined> {
  const row = await db
    .selectFrom("doc_parts")
    .select(["id", "name", "position", "record"])
    .where("doc_id", "=", docId)
    .where("kind", "=", kind)
    .where("id", "=", id)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { record, ...part } = row;
  return { ...JSON.parse(record), ...part };
}

/** Kinds that the structure of a document consists of (`raiseStructure`). */
const OF_STRUCTURE: readonly (keyof Parts)[] = ["page", "permission"];

/** Adds a part, or replaces the one of the same id. */
export async function savePart<Kind extends keyof Parts>(
  db: Db,
  docId: string,
  kind: Kind,
  part: Parts[Kind],
): Promise<void> {
  const { id, name, position, ...rest } = part;
  const { parentId, pageId }: { parentId?: string; pageId?: string } = rest as object;
  const stored = {
    name,
    position,
    sort_name: name.toLowerCase(),
    parent_id: parentId ?? pageId ?? "",
    record: JSON.stringify(rest),
  };
  await db
    .insertInto("doc_parts")
    .values({ doc_id: docId, kind, id, ...stored })
    .onConflict((conflict) => conflict.columns(["doc_id", "kind", "id"]).doUpdateSet(stored))
    .execute();
  if (OF_STRUCTURE.includes(kind)) await raiseStructure(db, docId);
}

/** @returns whether there was one */
export async function deletePart(
  db: Db,
  docId: string,
  kind: keyof Parts,
  id: string,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("doc_parts")
    .where("doc_id", "=", docId)
    .where("kind", "=", kind)
    .where("id", "=", id)
    .executeTakeFirst();
  const isDeleted = numDeletedRows > 0n;
  if (isDeleted && OF_STRUCTURE.includes(kind)) await raiseStructure(db, docId);
  return isDeleted;
}

export async function nextPartPosition(db: Db, docId: string, kind: keyof Parts): Promise<number> {
  const { last } = await db
    .selectFrom("doc_parts")
    .where("doc_id", "=", docId)
    .where("kind", "=", kind)
    .select(db.fn.max("position").as("last"))
    .executeTakeFirstOrThrow();
  return (last ?? -1) + 1;
}

export async function readLines(
  db: Db,
  docId: string,
  pageId: string,
): Promise<readonly ContentLine[]> {
  return (await findPart(db, docId, "content", pageId))?.lines ?? [];
}

interface PageNode {
  id: string;
  parentId: string | undefined;
}

/** The pages above, the nearest first. A circle in a seed ends where it closes. */
export function listAncestors<Page extends PageNode>(page: Page, pages: readonly Page[]): Page[] {
  const above: Page[] = [];
  const findParent = ({ parentId }: Page) => pages.find(({ id }) => id === parentId);
  for (
    let at = findParent(page);
    at !== undefined && at !== page && !above.includes(at);
    at = findParent(at)
  )
    above.push(at);
  return above;
}

/** The ids of a page and of all pages below it; empty when there is no such page. */
export function listSubtree(pageId: string, pages: readonly PageNode[]): string[] {
  const ids = new Set(pages.filter(({ id }) => id === pageId).map(({ id }) => id));
  for (let size = -1; size !== ids.size; ) {
    size = ids.size;
    for (const { id, parentId } of pages)
      if (parentId !== undefined && ids.has(parentId)) ids.add(id);
  }
  return [...ids];
}
