import { PackError } from "../errors.ts";

/**
 * Tells from its tables whose database it is, and whether its schema is older than the migrations.
 * @param facts.name how messages call the database; never with a password
 * @returns whether migrations are pending
 * @throws {PackError} DATABASE_UNREADABLE when it belongs to something else; DATABASE_NEWER
 */
export function checkMigrations(facts: {
  tables: readonly string[];
  applied: readonly string[];
  known: readonly string[];
  name: string;
}): boolean {
  const { tables, applied, known, name } = facts;
  if (tables.length === 0) return true;
  if (applied.length === 0 || !applied.some((each) => known.includes(each))) {
    throw new PackError("DATABASE_UNREADABLE", `${name} is a database that belongs to something else.`, {
      details: { url: name },
      hint: "Name another one; this one was left as it is.",
    });
  }
  if (!applied.every((each) => known.includes(each))) {
    throw new PackError("DATABASE_NEWER", `${name} was written by a later version of packsmith.`, {
      details: { url: name },
      hint: "Update packsmith, or name another database.",
    });
  }
  return applied.length < known.length;
}
