import type { Kysely } from "kysely";
import type { ServiceSchema } from "./schema.ts";

type Db = Kysely<ServiceSchema>;

/** What the service keeps under a name; undefined before it is saved. */
export async function readSetting(db: Db, name: string): Promise<string | undefined> {
  return (
    await db.selectFrom("settings").select("value").where("name", "=", name).executeTakeFirst()
  )?.value;
}

export async function saveSetting(db: Db, name: string, value: string): Promise<void> {
  await db
    .insertInto("settings")
    .values({ name, value })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
    .execute();
}
