import type { Column, Table } from "../contract/models/responses.ts";
import type { Call, ReadSettings } from "./call-types.ts";
import { createMethods, requireOnly } from "./resources.ts";

export interface TableSchema {
  table: Table;
  columns: readonly Column[];
  /**
   * Returns the column with this ID. If no column has this ID, returns the column with this name.
   * @throws {ServiceError} NotFoundError, AmbiguousNameError
   */
  column(idOrName: string): Column;
}

/** Asks for what a table is made of, once per table. */
export function createSchemas(call: Call) {
  const known = new Map<string, Promise<TableSchema>>();
  const { list } = createMethods(call);

  async function load(
    path: { docId: string; tableIdOrName: string },
    settings: ReadSettings,
  ): Promise<TableSchema> {
    const table = await call("getTable", { path, ...settings });
    const columns: Column[] = [];
    for await (const column of list("listColumns", path)({ limit: 100, ...settings }))
      columns.push(column);
    return {
      table,
      columns,
      column: (idOrName) =>
        columns.find(({ id }) => id === idOrName) ??
        requireOnly(
          columns.filter(({ name }) => name === idOrName),
          idOrName,
          "listColumns",
        ),
    };
  }

  return (
    path: { docId: string; tableIdOrName: string },
    { refresh = false, ...settings }: { refresh?: boolean | undefined } & ReadSettings = {},
  ): Promise<TableSchema> => {
    const key = JSON.stringify([path.docId, path.tableIdOrName]);
    const cached = refresh ? undefined : known.get(key);
    if (cached !== undefined) return cached;
    const loading = load(path, settings);
    known.set(key, loading);
    // A failure is not kept.
    loading.catch(() => known.delete(key));
    return loading;
  };
}
