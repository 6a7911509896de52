import type { Envelope } from "../contract/models/model.ts";
import type { ListRowsQuery } from "../contract/models/requests.ts";
import type {
  ButtonPushed,
  RowEdited,
  RowsDeleted,
  RowsUpserted,
} from "../contract/models/responses.ts";
import { type BulkEdit, type BulkReport, writeRows } from "./bulk-rows.ts";
import type { Call, CallSettings, ReadSettings } from "./call-types.ts";
import { createList, type List } from "./list.ts";
import type {
  AnyColumns,
  PushableNames,
  RecordEdit,
  RecordValues,
  RowLink,
  TableRecord,
  WritableNames,
} from "./record-types.ts";
import { findColumn, readRecord, writeRecord } from "./record-values.ts";
import { split } from "./resources.ts";
import { type RowCells, type Rows, rowQuery } from "./rows.ts";
import type { TableSchema } from "./table-schema.ts";
import type { Transport } from "./transport.ts";

/** A filter for rows: the column must contain this text, number or boolean. */
export type RecordFilter<Columns> = {
  readonly [Name in keyof RecordValues<Columns>]?:
    | Extract<RecordValues<Columns>[Name], string | number | boolean>
    | undefined;
};

export type ListRecordsOptions<Columns> = Omit<
  ListRowsQuery,
  "query" | "useColumnNames" | "valueFormat"
> & {
  /** Returns only the rows with this value in the column. A filter can contain one column. */
  where?: RecordFilter<Columns> | undefined;
} & ReadSettings;

type Key<Columns> = readonly [
  WritableNames<Columns> & string,
  ...(WritableNames<Columns> & string)[],
];

/** The rows of a table, with values in the types of the columns. */
export interface Records<Columns extends object = AnyColumns> {
  list(
    options?: ListRecordsOptions<Columns>,
  ): List<
    TableRecord<Columns>,
    Envelope<TableRecord<Columns>> & { nextSyncToken?: string | undefined }
  >;
  /** Returns the row of a lookup cell, or the row with this ID or name. */
  get(row: string | RowLink<Columns>, options?: ReadSettings): Promise<TableRecord<Columns>>;
  insert(edit: { rows: readonly RecordEdit<Columns>[] } & CallSettings): Promise<RowsUpserted>;
  /**
   * Updates the rows with the same values in the key columns, or inserts a row if no row matches.
   * You can safely repeat this call.
   */
  upsert(
    edit: { key: Key<Columns>; rows: readonly RecordEdit<Columns>[] } & CallSettings,
  ): Promise<RowsUpserted>;
  update(
    row: string | RowLink<Columns>,
    cells: RecordEdit<Columns>,
    settings?: CallSettings,
  ): Promise<RowEdited>;
  delete(row: string | RowLink<Columns>, settings?: CallSettings): Promise<RowEdited>;
  deleteMany(rowIds: readonly string[], settings?: CallSettings): Promise<RowsDeleted>;
  /** Runs the action of a button. The client never repeats the request. */
  push(
    row: string | RowLink<Columns>,
    button: PushableNames<Columns>,
    settings?: CallSettings,
  ): Promise<ButtonPushed>;
  /** Writes any number of rows, in the same way as `writeRows` of the table. */
  write(
    edit: Omit<BulkEdit, "docId" | "tableIdOrName" | "rows" | "key" | "disableParsing"> & {
      rows: Iterable<RecordEdit<Columns>> | AsyncIterable<RecordEdit<Columns>>;
      key?: Key<Columns> | undefined;
    },
  ): Promise<BulkReport>;
}

export interface RecordsContext {
  call: Call;
  transport: Transport;
  path: { docId: string; tableIdOrName: string };
  rows: Rows;
  schema(options?: { refresh?: boolean }): Promise<TableSchema>;
}

export function createRecords(context: RecordsContext): Records {
  const { call, transport, path, rows, schema } = context;
  const toCells = async (edits: readonly object[]): Promise<RowCells[]> => {
    const known = await schema();
    return edits.map((edit) => writeRecord(edit, known));
  };
  const toKey = async (key: readonly string[]): Promise<[string, ...string[]]> => {
    const known = await schema();
    return key.map((name) => findColumn(name, known).id) as [string, ...string[]];
  };
  return {
    list: (options) => listRecords(context, options),
    async get(row, options) {
      const found = await rows.get(getId(row), { ...options, valueFormat: "rich" });
      return readRecord(found, await schemaFor([found], schema));
    },
    insert: async ({ rows: added, ...settings }) =>
      rows.insert({ rows: await toCells(added), ...settings }),
    upsert: async ({ key, rows: edited, ...settings }) =>
      rows.upsert({ key: await toKey(key), rows: await toCells(edited), ...settings }),
    update: async (row, cells, settings) =>
      rows.update(getId(row), writeRecord(cells, await schema()), settings),
    delete: (row, settings) => rows.delete(getId(row), settings),
    deleteMany: rows.deleteMany,
    push: async (row, button, settings) =>
      rows.pushButton(getId(row), findColumn(button, await schema()).id, settings),
    async write({ rows: edits, key, ...options }) {
      const known = await schema();
      return writeRows(
        { call, transport },
        {
          ...options,
          ...path,
          rows: mapRows(edits, (edit) => writeRecord(edit, known)),
          key: key && (await toKey(key)),
        },
      );
    },
  };
}

function listRecords(
  { call, path, schema }: RecordsContext,
  options: ListRecordsOptions<AnyColumns> = {},
): ReturnType<Records["list"]> {
  const { query, ...settings } = split(options);
  const { where, limit, pageToken: begin, ...rest } = query;
  return createList(
    async (page) => {
      const listFirst = async () => ({
        ...rest,
        limit: page.limit,
        valueFormat: "rich" as const,
        ...(where === undefined ? {} : { query: formatQuery(where, await schema()) }),
      });
      const { pageToken } = page;
      const answer = await call("listRows", {
        path,
        ...settings,
        query: pageToken === undefined ? await listFirst() : { pageToken },
      });
      const known = await schemaFor(answer.items, schema);
      return { ...answer, items: answer.items.map((row) => readRecord(row, known)) };
    },
    { limit, pageToken: begin },
  );
}

/** The schema, read again when the rows have a column that it does not know. */
async function schemaFor(
  [row]: readonly { values: object }[],
  schema: RecordsContext["schema"],
): Promise<TableSchema> {
  const known = await schema();
  const ids = new Set(known.columns.map(({ id }) => id));
  const isComplete = Object.keys(row?.values ?? {}).every((id) => ids.has(id));
  return isComplete ? known : await schema({ refresh: true });
}

function formatQuery(where: RecordFilter<AnyColumns>, schema: TableSchema): string | undefined {
  const [filter, ...others] = Object.entries(where).filter(([, value]) => value !== undefined);
  if (others.length > 0) throw new TypeError("where contains more than one column.");
  return filter && rowQuery(findColumn(filter[0], schema).id, filter[1] as string);
}

function getId(row: string | RowLink): string {
  return typeof row === "string" ? row : row.rowId;
}

function mapRows<Edit>(
  edits: Iterable<Edit> | AsyncIterable<Edit>,
  write: (edit: Edit) => RowCells,
): BulkEdit["rows"] {
  if (Array.isArray(edits)) return edits.map(write);
  return (async function* () {
    for await (const edit of edits) yield write(edit);
  })();
}
