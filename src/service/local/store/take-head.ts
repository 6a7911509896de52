import type { Transaction } from "kysely";
import type { Engine } from "./json-sql.ts";
import type { ServiceSchema } from "./schema.ts";

/**
 * When the first edit of a document that waits is due; null when none waits. Several processes
 * number and change the edits of one document one after the other, so a server locks it.
 */
export async function takeHead(
  transaction: Transaction<ServiceSchema>,
  docId: string,
  engine: Engine,
): Promise<number | null> {
  const query = transaction.selectFrom("docs").select("next_due_ms").where("id", "=", docId);
  const head = await (engine === "postgres" ? query.forUpdate() : query).executeTakeFirst();
  return head?.next_due_ms ?? null;
}
