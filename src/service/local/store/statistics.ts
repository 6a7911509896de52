import { sql } from "kysely";
import type { Storage } from "../../../storage/storage.ts";
import type { ServiceSchema } from "./schema.ts";

/** After so many changes, what a server knows of its tables can be wrong. */
const MANY = 1_000;

/**
 * Lets a server count what its tables hold, by which it chooses its indexes, after so much was
 * changed at once. It does so itself later, too.
 */
export async function refreshStatistics(
  { db, engine }: Pick<Storage<ServiceSchema>, "db" | "engine">,
  changes: number,
): Promise<void> {
  if (engine !== "postgres" || changes < MANY) return;
  await sql`analyze docs, doc_parts, row_versions, row_deletions`.execute(db).catch(() => {});
}
