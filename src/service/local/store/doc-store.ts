import type { Kysely } from "kysely";
import type { StoredColumn, StoredTable } from "../content/column.ts";
import type { Publication } from "./publication.ts";
import type { ServiceSchema } from "./schema.ts";

/** Who may change and copy what, as it is stored with a document. */
export interface AclSettings {
  allowEditorsToChangePermissions: boolean;
  allowCopying: boolean;
  allowViewersToRequestEditing: boolean;
}

export interface StoredDoc {
  id: string;
  title: string;
  ownerId: string;
  createdAtMs: number;
  updatedAtMs: number;
  seq: number;
  /** Earlier snapshots are not kept any more. */
  purgedSeq: number;
  timeZone: string;
  workspaceId: string;
  folder: { id: string; name: string };
  iconName: string | undefined;
  sourceDocId: string | undefined;
  published?: Publication | undefined;
  settings?: Partial<AclSettings> | undefined;
  /** E-mails of the users who starred it. */
  starredBy?: readonly string[] | undefined;
  /** E-mails of the users who opened it; everyone with access when absent. */
  openedBy?: readonly string[] | undefined;
}

type Db = Kysely<ServiceSchema>;

export async function findDoc(db: Db, docId: string): Promise<StoredDoc | undefined> {
  const row = await db
    .selectFrom("docs")
    .selectAll()
    .where("id", "=", docId)
    .where("deleted", "=", 0)
    .executeTakeFirst();
  return row === undefined ? undefined : toDoc(row);
}

/** Changes some of what is stored with a document. */
export async function saveDocRecord(
  db: Db,
  docId: string,
  changes: Partial<Pick<StoredDoc, "published" | "settings" | "iconName">>,
): Promise<void> {
  const { record } = await db
    .selectFrom("docs")
    .select("record")
    .where("id", "=", docId)
    .executeTakeFirstOrThrow();
  await db
    .updateTable("docs")
    .set({ record: JSON.stringify({ ...JSON.parse(record), ...changes }) })
    .where("id", "=", docId)
    .execute();
}

export function toDoc(row: ServiceSchema["docs"]): StoredDoc {
  return {
    ...JSON.parse(row.record),
    id: row.id,
    title: row.title,
    ownerId: row.owner_id,
    createdAtMs: row.created_at_ms,
    updatedAtMs: row.updated_at_ms,
    seq: row.seq,
    purgedSeq: row.purged_seq,
  };
}

/** The tables and views of a document in the order in which they were created. */
export async function listTables(db: Db, docId: string): Promise<StoredTable[]> {
  const rows = await db
    .selectFrom("doc_tables")
    .selectAll()
    .where("doc_id", "=", docId)
    .orderBy("position")
    .execute();
  return rows.map((row) => ({
    ...JSON.parse(row.record),
    id: row.id,
    name: row.name,
    position: row.position,
  }));
}

/** The columns of a base table. */
export async function listColumns(db: Db, docId: string, tableId: string): Promise<StoredColumn[]> {
  const rows = await db
    .selectFrom("columns")
    .select(["id", "name", "record"])
    .where("doc_id", "=", docId)
    .where("table_id", "=", tableId)
    .orderBy("position")
    .execute();
  return rows.map((row) => ({ ...JSON.parse(row.record), id: row.id, name: row.name }));
}

/** The exact id first, then the exact name; of equal names the oldest. */
export function findByIdOrName<Item extends { id: string; name: string }>(
  items: readonly Item[],
  idOrName: string,
): Item | undefined {
  return items.find(({ id }) => id === idOrName) ?? items.find(({ name }) => name === idOrName);
}

/** A column in a body, by id, API link or name. */
export function findColumn(
  columns: readonly StoredColumn[],
  reference: string,
): StoredColumn | undefined {
  const direct = findByIdOrName(columns, reference);
  if (direct !== undefined || !/^https?:\/\//.test(reference)) return direct;
  const link = /\/columns\/([^/?#]+)$/.exec(reference)?.[1];
  try {
    return link === undefined ? undefined : findByIdOrName(columns, decodeURIComponent(link));
  } catch {
    return undefined;
  }
}

/** `findColumn` for the many cells of one edit, which name the same few columns. */
export function columnFinder(
  columns: readonly StoredColumn[],
): (reference: string) => StoredColumn | undefined {
  const found = new Map<string, StoredColumn | undefined>();
  return (reference) => {
    let column = found.get(reference);
    if (column === undefined && !found.has(reference)) {
      column = findColumn(columns, reference);
      found.set(reference, column);
    }
    return column;
  };
}

export function findDisplayColumn(columns: readonly StoredColumn[]): StoredColumn | undefined {
  return columns.find(({ display }) => display) ?? columns[0];
}
