import { type Kysely, sql } from "kysely";
import { DERIVED_TABLES, type ServiceSchema, STATE_TABLES, type StateTable } from "./schema.ts";
import { readSetting, saveSetting } from "./settings.ts";
import { renewService } from "./versions.ts";

type Db = Kysely<ServiceSchema>;

const TABLES = Object.keys(STATE_TABLES) as StateTable[];

/**
 * Keeps what the service holds under a name, inside the same database. One of the same name is
 * replaced.
 */
export async function saveSnapshot(db: Db, name: string): Promise<void> {
  await forgetSnapshot(db, name);
  for (const table of TABLES) {
    const columns = selectColumns(table);
    await sql`insert into ${sql.table(`saved_${table}`)} (snapshot, ${columns}) select ${name}, ${columns} from ${sql.table(table)}`.execute(
      db,
    );
  }
  await saveSetting(db, `snapshot:${name}`, (await readSetting(db, "analytics")) ?? "{}");
}

/** Goes back to what was kept. @returns whether there was a snapshot of that name */
export async function restoreSnapshot(db: Db, name: string): Promise<boolean> {
  const analytics = await readSetting(db, `snapshot:${name}`);
  if (analytics === undefined) return false;
  for (const table of TABLES) {
    const columns = selectColumns(table);
    await sql`delete from ${sql.table(table)}`.execute(db);
    await sql`insert into ${sql.table(table)} (${columns}) select ${columns} from ${sql.table(`saved_${table}`)} where snapshot = ${name}`.execute(
      db,
    );
  }
  for (const table of DERIVED_TABLES) await db.deleteFrom(table).execute();
  await saveSetting(db, "analytics", analytics);
  await renewService(db);
  return true;
}

/** Everything that the service holds, table by table. */
export async function dumpState(db: Db): Promise<Record<StateTable, object[]>> {
  const dump: Partial<Record<StateTable, object[]>> = {};
  for (const table of TABLES) {
    const columns = selectColumns(table);
    dump[table] = (
      await sql<object>`select ${columns} from ${sql.table(table)} order by ${columns}`.execute(db)
    ).rows;
  }
  return dump as Record<StateTable, object[]>;
}

async function forgetSnapshot(db: Db, name: string): Promise<void> {
  for (const table of TABLES)
    await sql`delete from ${sql.table(`saved_${table}`)} where snapshot = ${name}`.execute(db);
}

function selectColumns(table: StateTable) {
  return sql.join(STATE_TABLES[table].map((column) => sql.ref(column)));
}
