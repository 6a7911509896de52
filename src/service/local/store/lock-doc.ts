import type { Transaction } from "kysely";
import type { ServiceSchema } from "./schema.ts";

/** Waits for the row lock of a document, which every write to it holds on a server. */
export async function lockDoc(
  transaction: Transaction<ServiceSchema>,
  docId: string,
): Promise<void> {
  await transaction.selectFrom("docs").select("id").where("id", "=", docId).forUpdate().execute();
}
