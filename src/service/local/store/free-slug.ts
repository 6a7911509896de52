import type { Kysely } from "kysely";
import type { Publication } from "./publication.ts";
import type { ServiceSchema } from "./schema.ts";

/** A slug that another document has gets a number (decision 89). */
export async function freeSlug(db: Kysely<ServiceSchema>, docId: string, wanted: string): Promise<string> {
  const rows = await db
    .selectFrom("docs")
    .select("record")
    .where("deleted", "=", 0)
    .where("id", "!=", docId)
    .where("record", "like", '%"published":%')
    .execute();
  const taken = new Set(rows.map(({ record }) => (JSON.parse(record) as { published?: Publication }).published?.slug));
  for (let number = 1; ; number++) {
    const slug = number === 1 ? wanted : `${wanted}-${number}`;
    if (!taken.has(slug)) return slug;
  }
}
