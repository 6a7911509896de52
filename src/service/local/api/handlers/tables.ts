import type { Envelope } from "../../../contract/models/model.ts";
import type {
  Column,
  ColumnFormat,
  Table,
  TableReference,
} from "../../../contract/models/responses.ts";
import type { StoredColumn, StoredTable } from "../../content/column.ts";
import type { PageNames } from "../../store/doc-parts.ts";
import { findDisplayColumn } from "../../store/doc-store.ts";
import { tableSize } from "../../store/row-store.ts";
import { countRowsOfView } from "../../store/view-rows.ts";
import { HttpError } from "../http-error.ts";
import { listResponse } from "../list-response.ts";
import { readBoolean, readChoice, readChoices, readLimit } from "../request-input.ts";
import { createResources } from "../resources.ts";
import { createRowSource } from "../row-source.ts";
import {
  findNamed,
  type OpenTable,
  openDoc,
  openTable,
  readPageNames,
  readTables,
  type ServiceCall,
} from "../service-call.ts";

const MAX_LIMIT = 100;

export async function listTables(call: ServiceCall): Promise<Envelope<TableReference>> {
  const { query, root, caller } = call;
  const doc = await openDoc(call);
  const resources = createResources(root);
  const pages = await readPageNames(call, doc.id);
  return await listResponse(call, {
    parameters: () => {
      const types = readChoices(query, "tableTypes", ["table", "view"]);
      const sortBy = readChoice(query, "sortBy", ["name"]);
      return {
        limit: readLimit(query, MAX_LIMIT, 25),
        ...(types.length === 0 ? {} : { tableTypes: types.join(",") }),
        ...(sortBy === undefined ? {} : { sortBy }),
      };
    },
    async items(parameters) {
      const types = String(parameters["tableTypes"] ?? "table,view").split(",");
      const found = (await readTables(call, doc.id)).filter(
        (table) =>
          types.includes(table.parentTableId === undefined ? "table" : "view") &&
          reaches(caller.tableId, table),
      );
      return parameters["sortBy"] === "name" ? found.sort(byName) : found;
    },
    getSortKey: (table, { sortBy }) =>
      sortBy === "name" ? [table.name.toLowerCase(), table.id] : [table.position, table.id],
    render: (table) => resources.tableReference(doc.id, table, pages.get(table.pageId ?? "")),
  });
}

function reaches(tableId: string | undefined, table: StoredTable): boolean {
  return tableId === undefined || tableId === table.id || tableId === table.parentTableId;
}

// Upper and lower case are equal; equal names are sorted by id.
function byName(one: StoredTable, other: StoredTable): number {
  const [left, right] = [one.name.toLowerCase(), other.name.toLowerCase()];
  return left === right ? (one.id < other.id ? -1 : 1) : left < right ? -1 : 1;
}

export async function getTable(call: ServiceCall): Promise<Table> {
  const updatedLayouts = readBoolean(call.query, "useUpdatedTableLayouts") ?? false;
  const opened = await openTable(call);
  const { doc, table, base, columns } = opened;
  const source = createRowSource(call, opened, doc.seq);
  const isFiltered = table.filter !== undefined && table !== base;
  const rowCount = isFiltered
    ? await countRowsOfView(source)
    : (await tableSize(source.db, source)).rows;
  const layout =
    !updatedLayouts && (table.layout === "detail" || table.layout === "form")
      ? "masterDetail"
      : table.layout;
  const pages = await readPageNames(call, doc.id);
  return createResources(call.root).table(doc.id, {
    table: { ...table, layout },
    base,
    page: pages.get(table.pageId ?? ""),
    basePage: pages.get(base.pageId ?? ""),
    displayColumnId: findDisplayColumn(columns)?.id ?? "",
    rowCount,
    updatedAtMs: doc.updatedAtMs,
  });
}

export async function listColumns(call: ServiceCall): Promise<Envelope<Column>> {
  const opened = await openTable(call);
  const { doc, table, base, columns } = opened;
  const resources = createResources(call.root);
  const pages = await readPageNames(call, doc.id);
  const position = new Map(columns.map(({ id }, at) => [id, at]));
  return await listResponse(call, {
    parameters: () => {
      const visibleOnly = readBoolean(call.query, "visibleOnly");
      return {
        limit: readLimit(call.query, MAX_LIMIT, 25),
        ...(visibleOnly === undefined ? {} : { visibleOnly }),
      };
    },
    // Ignored for views.
    items: ({ visibleOnly }) =>
      columns.filter(({ hidden }) => visibleOnly !== true || !hidden || table !== base),
    getSortKey: ({ id }) => [position.get(id) ?? 0, id],
    render: (column) => resources.column(doc.id, table, withFormat(column, opened, pages, call)),
  });
}

export async function getColumn(call: ServiceCall): Promise<Column> {
  const opened = await openTable(call);
  const { doc, table, columns } = opened;
  const column = findNamed(call, columns, call.params["columnIdOrName"] ?? "");
  if (column === undefined)
    throw new HttpError(404, "Could not find a column with the specified ID or name.");
  const resources = createResources(call.root);
  const pages = await readPageNames(call, doc.id);
  return resources.column(
    doc.id,
    table,
    withFormat(column, opened, pages, call),
    resources.tableReference(doc.id, table, pages.get(table.pageId ?? "")),
  );
}

/** The format of a lookup column names its table, that of a person column the people. */
function withFormat(
  column: StoredColumn,
  { doc, tables }: OpenTable,
  pages: PageNames,
  call: ServiceCall,
): StoredColumn {
  const format = completeFormat(column.format);
  const table =
    format.type === "person" ? PEOPLE : tables.find(({ id }) => id === column.lookupTableId);
  if (table === undefined) return { ...column, format };
  return {
    ...column,
    format: {
      ...format,
      table: createResources(call.root).tableReference(
        doc.id,
        table,
        pages.get(table.pageId ?? ""),
      ),
    },
  };
}

/**
 * What person columns point into. The interface has no table of people: a request for it is 404.
 */
const PEOPLE: StoredTable = {
  id: "grid-people",
  name: "People",
  position: 0,
  pageId: undefined,
  layout: "default",
  createdAtMs: 0,
  parentTableId: undefined,
  filter: undefined,
  sorts: [],
  visibleColumnIds: undefined,
};

/** The members that a format always has, with what a new column of that type has. */
const DEFAULTS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  checkbox: { displayType: "check" },
  scale: { maximum: 5, icon: "star" },
  select: { options: [] },
  imageReference: { width: 200, height: 200, style: "auto" },
};

/** A format of a seed with every member that callers can rely on. */
function completeFormat(format: ColumnFormat): ColumnFormat {
  // How an image is shown belongs to `imageReference`.
  if (format.type === "image") return { type: format.type, isArray: format.isArray };
  return { ...DEFAULTS[format.type], ...format };
}
