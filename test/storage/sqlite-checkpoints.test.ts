import { copyFileSync, statSync } from "node:fs";
import { join } from "node:path";
import Sqlite from "libsql";
import { expect, it } from "vitest";
import { createCheckpoints } from "../../src/storage/sqlite-checkpoints.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const ROWS = 40;
const ROW_BYTES = 50_000;
const LIMITS = { beginBytes: 300_000, maxBytes: 600_000 };

function openLogged(file: string): Sqlite.Database {
  const sqlite = new Sqlite(file);
  sqlite.exec(
    "pragma busy_timeout = 5000; pragma journal_mode = wal; pragma wal_autocheckpoint = 0; pragma journal_size_limit = 0; create table notes (text text)",
  );
  return sqlite;
}

it("a log that another thread moves into the file stays short, and the file has what was moved", async () => {
  using folder = makeTemporaryFolder();
  const file = join(folder.path, "data.db");
  const sqlite = openLogged(file);
  const insert = sqlite.prepare("insert into notes values (?)");
  const checkpoints = createCheckpoints(file, LIMITS);
  let longest = 0;
  for (let at = 0; at < ROWS; at++) {
    await checkpoints.beforeWrite();
    insert.run("x".repeat(ROW_BYTES));
    longest = Math.max(longest, statSync(`${file}-wal`).size);
    checkpoints.afterWrite();
  }
  await checkpoints.close();
  // One row more than the limit, with what its pages need.
  expect(longest).toBeLessThan(LIMITS.maxBytes + 2 * ROW_BYTES);
  const copy = join(folder.path, "copy.db");
  copyFileSync(file, copy);
  const copied = new Sqlite(copy);
  const { moved } = copied.prepare("select count(*) as moved from notes").get() as {
    moved: number;
  };
  expect(moved).toBeGreaterThan(ROWS - (LIMITS.maxBytes + 2 * ROW_BYTES) / ROW_BYTES);
  copied.close();
  sqlite.close();
});

it("the log is emptied while others write all the time, without a wait before any write", async () => {
  using folder = makeTemporaryFolder();
  const file = join(folder.path, "data.db");
  const sqlite = openLogged(file);
  const insert = sqlite.prepare("insert into notes values (?)");
  const checkpoints = createCheckpoints(file, { ...LIMITS, maxBytes: Number.POSITIVE_INFINITY });
  let longest = 0;
  let isEmptied = false;
  for (let at = 0; at < 50 * ROWS && !isEmptied; at++) {
    insert.run("x".repeat(ROW_BYTES));
    checkpoints.afterWrite();
    await new Promise(setImmediate);
    const bytes = statSync(`${file}-wal`).size;
    isEmptied = bytes < longest;
    longest = Math.max(longest, bytes);
  }
  await checkpoints.close();
  sqlite.close();
  expect(isEmptied).toBe(true);
});
