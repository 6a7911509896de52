import type { Kysely } from "kysely";
import type { ContentLine } from "../../../shared/markdown/line.ts";
import type { CellEdit } from "../../contract/models/responses.ts";
import type { Principal } from "./principal.ts";
import type { ServiceSchema } from "./schema.ts";

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
}

/** What edits of pages change. */
export type PagePartKind = "page" | "content";
export type PagePart<Kind extends PagePartKind> = Parts[Kind];

type Db = Kysely<ServiceSchema>;

/** What a document contains of one kind, in the order in which it was created. */
export async function listParts<Kind extends keyof Parts>(
  db: Db,
  docId: string,
  kind: Kind,
): Promise<Parts[Kind][]> {
  const rows = await db
    .selectFrom("doc_parts")
    .select(["id", "name", "position", "record"])
    .where("doc_id", "=", docId)
    .where("kind", "=", kind)
    .orderBy("position")
    .orderBy("id")
    .execute();
  return rows.map(({ record, ...part }) => ({ ...JSON.parse(record), ...part }));
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

/** Adds a part, or replaces the one of the same id. */
export async function savePart<Kind extends keyof Parts>(
  db: Db,
  docId: string,
  kind: Kind,
  part: Parts[Kind],
): Promise<void> {
  const { id, name, position, ...rest } = part;
  const record = JSON.stringify(rest);
  await db
    .insertInto("doc_parts")
    .values({ doc_id: docId, kind, id, name, position, record })
    .onConflict((conflict) =>
      conflict.columns(["doc_id", "kind", "id"]).doUpdateSet({ name, position, record }),
    )
    .execute();
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
  return numDeletedRows > 0n;
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

export async function linesOf(
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
export function ancestorsOf<Page extends PageNode>(page: Page, pages: readonly Page[]): Page[] {
  const above: Page[] = [];
  const parentOf = ({ parentId }: Page) => pages.find(({ id }) => id === parentId);
  for (
    let at = parentOf(page);
    at !== undefined && at !== page && !above.includes(at);
    at = parentOf(at)
  )
    above.push(at);
  return above;
}

/** The ids of a page and of all pages below it; empty when there is no such page. */
export function subtreeOf(pageId: string, pages: readonly PageNode[]): string[] {
  const ids = new Set(pages.filter(({ id }) => id === pageId).map(({ id }) => id));
  for (let size = -1; size !== ids.size; ) {
    size = ids.size;
    for (const { id, parentId } of pages)
      if (parentId !== undefined && ids.has(parentId)) ids.add(id);
  }
  return [...ids];
}
