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

/** What is kept under a name for all services of a database: the first one makes it. */
export async function shareSetting(db: Db, name: string, make: () => string): Promise<string> {
  const known = await readSetting(db, name);
  if (known !== undefined) return known;
  await db
    .insertInto("settings")
    .values({ name, value: make() })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
  return (await readSetting(db, name)) ?? "";
}
