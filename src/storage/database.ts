import { PackError } from "../errors.ts";
import { openSqliteDatabase } from "./sqlite.ts";
import { isPostgresUrl, type OpenDatabaseOptions, type Storage } from "./storage.ts";

/**
 * Opens a database and migrates it to the newest schema, in one transaction. A database of another
 * program is left unchanged.
 * @throws {PackError} DATABASE_UNREADABLE when the file is not a database, belongs to another
 *   program or cannot be opened
 * @throws {PackError} DATABASE_UNREACHABLE when the server does not answer or refuses the login
 * @throws {PackError} DATABASE_UNSUPPORTED for a URL of another engine
 * @throws {PackError} DATABASE_NEWER when a later version of packsmith wrote the database
 * @throws {PackError} DATABASE_BUSY when another process holds the write lock longer than
 *   `busyTimeoutMs`
 */
export async function openDatabase<Schema>(options: OpenDatabaseOptions): Promise<Storage<Schema>> {
  const { url } = options;
  if (isPostgresUrl(url)) {
    // Loaded only when needed: most processes do not use PostgreSQL.
    const { openPostgresDatabase } = await import("./postgres.ts");
    return openPostgresDatabase(options);
  }
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(url)) {
    throw new PackError(
      "DATABASE_UNSUPPORTED",
      `There is no storage engine for "${url.slice(0, url.indexOf(":"))}" URLs.`,
      {
        details: { url: url.slice(0, url.indexOf(":")) },
        hint: "Use the path of a SQLite file, a postgres:// URL, or :memory:.",
      },
    );
  }
  return openSqliteDatabase(options);
}
