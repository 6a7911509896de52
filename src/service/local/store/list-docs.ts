import { type Kysely, type SqlBool, sql } from "kysely";
import type { ListDocsQuery, PageQuery } from "../../contract/models/requests.ts";
import { type StoredDoc, toDoc } from "./doc-store.ts";
import { type Engine, jsonListHas, jsonMember } from "./json-sql.ts";
import { keysIncluding, type Subject } from "./principal.ts";
import type { ServiceSchema } from "./schema.ts";

type Db = Kysely<ServiceSchema>;

/** Which documents are listed; what is absent does not filter. */
export interface DocFilter extends Omit<ListDocsQuery, keyof PageQuery> {
  docId?: string | undefined;
}

export interface DocPage {
  /** The time of the last change, negative, and the id. */
  after?: readonly [value: string | number, id: string] | undefined;
  limit: number;
}

/** The documents that someone has access to and has opened, the last changed one first. */
export async function listDocs(
  db: Db,
  engine: Engine,
  user: Subject & { userId: string },
  filter: DocFilter,
  { after, limit }: DocPage,
): Promise<StoredDoc[]> {
  const record = (...path: string[]) => jsonMember(engine, "record", ...path);
  const has = (name: string) => jsonListHas(engine, "record", name, user.email);
  const changedAt = sql<number>`(-updated_at_ms)`;
  let query = db
    .selectFrom("docs")
    .selectAll()
    .where("deleted", "=", 0)
    .where(({ eb, or, exists, selectFrom }) =>
      or([
        eb("owner_id", "=", user.userId),
        exists(
          selectFrom("doc_parts")
            .select("doc_parts.id")
            .whereRef("doc_parts.doc_id", "=", "docs.id")
            .where("doc_parts.kind", "=", "permission")
            .where("doc_parts.name", "in", keysIncluding(user)),
        ),
      ]),
    )
    .where(sql<SqlBool>`(${record("openedBy")} is null or ${has("openedBy")})`)
    .orderBy(changedAt)
    .orderBy("id")
    .limit(limit);
  if (after !== undefined)
    query = query.where(sql<SqlBool>`(${changedAt}, id) > (${Number(after[0])}, ${after[1]})`);
  const equal = (value: string | undefined, ...path: string[]) => {
    if (value !== undefined)
      query = query.where(sql<SqlBool>`${record(...path)} = ${JSON.stringify(value)}`);
  };
  if (filter.docId !== undefined) query = query.where("id", "=", filter.docId);
  if (filter.isOwner === true) query = query.where("owner_id", "=", user.userId);
  if (filter.isPublished === true)
    query = query.where(sql<SqlBool>`${record("published")} is not null`);
  if (filter.inGallery === true)
    query = query.where(sql<SqlBool>`${record("published", "discoverable")} = 'true'`);
  if (filter.isStarred !== undefined)
    query = query.where(
      filter.isStarred ? has("starredBy") : sql<SqlBool>`not ${has("starredBy")}`,
    );
  if (filter.query !== undefined)
    query = query.where(
      sql<SqlBool>`search_title like ${`%${likeText(filter.query.toLowerCase())}%`} escape '\\'`,
    );
  equal(filter.sourceDoc, "sourceDocId");
  equal(filter.workspaceId, "workspaceId");
  equal(filter.folderId, "folder", "id");
  return (await query.execute()).map(toDoc);
}

function likeText(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`);
}

/** A folder that a document is in. */
export async function findFolder(
  db: Db,
  engine: Engine,
  folderId: string,
): Promise<StoredDoc["folder"] | undefined> {
  const doc = await db
    .selectFrom("docs")
    .selectAll()
    .where("deleted", "=", 0)
    .where(
      sql<SqlBool>`${jsonMember(engine, "record", "folder", "id")} = ${JSON.stringify(folderId)}`,
    )
    .limit(1)
    .executeTakeFirst();
  return doc === undefined ? undefined : toDoc(doc).folder;
}

/** What a document holds. */
export interface DocCounts {
  rows: number;
  tables: number;
  /** Tables that are not views. */
  baseTables: number;
  pages: number;
}

/** The counts of some documents, by their ids. */
export async function readDocCounts(
  db: Db,
  docIds: readonly string[],
): Promise<Map<string, DocCounts>> {
  const counts = new Map<string, DocCounts>(
    docIds.map((id) => [id, { rows: 0, tables: 0, baseTables: 0, pages: 0 }]),
  );
  const tables = await db
    .selectFrom("doc_tables")
    .select(["doc_id", "row_count", "is_view"])
    .where("doc_id", "in", [...docIds, ""])
    .execute();
  for (const { doc_id: docId, row_count: rows, is_view: isView } of tables) {
    const count = counts.get(docId);
    if (count === undefined) continue;
    count.rows += rows;
    count.tables++;
    if (isView === 0) count.baseTables++;
  }
  const pages = await db
    .selectFrom("doc_parts")
    .select(["doc_id", db.fn.countAll<number>().as("pages")])
    .where("doc_id", "in", [...docIds, ""])
    .where("kind", "=", "page")
    .groupBy("doc_id")
    .execute();
  for (const { doc_id: docId, pages: number } of pages) {
    const count = counts.get(docId);
    if (count !== undefined) count.pages = Number(number);
  }
  return counts;
}
