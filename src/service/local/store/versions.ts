import { randomUUID } from "node:crypto";
import { type Kysely, type Nullable, sql } from "kysely";
import { type StoredDoc, toDoc } from "./doc-store.ts";
import type { ServiceSchema } from "./schema.ts";
import { saveSetting } from "./settings.ts";

type Db = Kysely<ServiceSchema>;

export type KnownDoc = StoredDoc & { readonly isDeleted: boolean };

/** Which version of the service and of one document a request sees. */
export interface Versions {
  /** Of users, tokens and the workspace; another one after everything was replaced, too. */
  service: string;
  /** Of the document's tables, columns, pages and permissions. */
  structure: number;
  doc: KnownDoc | undefined;
}

/** The name of a setting. */
const SERVICE_VERSION = "version";

/** One statement, so that all of it is of one moment. */
export async function readVersions(db: Db, docId: string): Promise<Versions> {
  const found = db.selectNoFrom(({ selectFrom }) =>
    selectFrom("settings").select("value").where("name", "=", SERVICE_VERSION).as("service"),
  );
  const { service, ...row } = await db
    .selectFrom(found.as("found"))
    .leftJoin("docs", (join) => join.on("docs.id", "=", docId))
    .selectAll()
    .executeTakeFirstOrThrow();
  return {
    service: service ?? "",
    structure: row.structure ?? 0,
    doc: isFound(row) ? { ...toDoc(row), isDeleted: row.deleted === 1 } : undefined,
  };
}

function isFound(row: Nullable<ServiceSchema["docs"]>): row is ServiceSchema["docs"] {
  return row.id !== null;
}

/** After a change of a user, and after everything that the service holds was replaced. */
export async function renewService(db: Db): Promise<void> {
  await saveSetting(db, SERVICE_VERSION, randomUUID());
}

/** After a change of a document's tables, columns, pages or permissions, in its transaction. */
export async function raiseStructure(db: Db, docId: string): Promise<void> {
  await db
    .updateTable("docs")
    .set({ structure: sql`structure + 1` })
    .where("id", "=", docId)
    .execute();
}
