import { sql } from "kysely";
import type { ServiceState } from "../state.ts";
import {
  findDoc,
  listColumns,
  listTables,
  type NamedTable,
  namedTable,
} from "../store/doc-store.ts";
import { createQueryBatch, type RunQuery } from "../store/query-batch.ts";
import { readTablePage, type TablePage } from "../store/row-store.ts";
import type { ServiceSchema } from "../store/schema.ts";
import { readCallerAhead } from "./caller.ts";
import { readColumns, readDoc, readRowPage, readTables, type ServiceCall } from "./service-call.ts";

/**
 * Reads in one statement what a request of a document will ask for, because a database server is a
 * round trip away, and puts it into the
 * cache of the request. It decides nothing: the operation asks for each part after its own checks,
 * and reads what it does not find.
 * @param page the rows of the table that the path names; only a token that the service knows gets
 *   the server to read them
 */
export function readAhead(
  state: ServiceState,
  authorization: string | undefined,
  { docId, tableIdOrName }: ServiceCall["params"],
  page: TablePage | undefined,
): void {
  if (docId === undefined) return;
  const { db } = state.storage;
  const { run, send } = createQueryBatch();
  const caller = readCallerAhead(state, authorization, run);
  if (caller === undefined) return;
  const reads: Promise<unknown>[] = [
    ...caller.reads,
    readDoc(state, docId, () => findDoc(db, docId, run)),
  ];
  if (tableIdOrName === undefined) void send<ServiceSchema>(db);
  else {
    reads.push(...readTableAhead(state, docId, page, run));
    void send(db.with("named", () => namedTable(db, docId, tableIdOrName, caller.isKnown)));
  }
  // The operation gets an error when it asks.
  for (const each of reads) each.catch(() => {});
}

/** What is known of the table `named` of the same statement. */
function readTableAhead(
  state: ServiceState,
  docId: string,
  page: TablePage | undefined,
  run: RunQuery,
): Promise<unknown>[] {
  const { db } = state.storage;
  const named = run(db.selectFrom(sql<NamedTable>`named`.as("named")).selectAll());
  const tables = listTables(db, docId, run);
  const columns = listColumns(db, docId, sql`(select base_id from named)`, run);
  const snapshot = {
    docId,
    tableId: sql<string>`(select id from named)`,
    seq: sql<number>`(select seq from named)`,
  };
  const rows = page === undefined ? undefined : readTablePage(db, snapshot, page, run);
  // Those who know the tables ask for the columns and rows of one: these are in the cache first.
  const tablesLast = async () => {
    const [[found], all] = await Promise.all([named, tables]);
    if (found !== undefined) {
      void readColumns(state, docId, found.base_id, () => columns);
      if (page !== undefined && rows !== undefined)
        void readRowPage(state, { docId, tableId: found.id, seq: found.seq }, page, () => rows);
    }
    return all;
  };
  return [readTables(state, docId, tablesLast), columns, ...(rows === undefined ? [] : [rows])];
}
