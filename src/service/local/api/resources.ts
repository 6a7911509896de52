import type {
  Column,
  ColumnReference,
  Doc,
  FolderReference,
  Icon,
  PageReference,
  Table,
  TableReference,
  WorkspaceReference,
} from "../../contract/models/responses.ts";
import type { StoredColumn, StoredTable } from "../content/column.ts";
import type { StoredDoc } from "../store/doc-store.ts";
import { encodeSegment } from "./encode-segment.ts";

/** Makes the links and the wire form of what a document contains. */
export interface Resources {
  /** Where browser links begin. */
  readonly origin: string;
  icon(name: string): Icon;
  docReference(docId: string): { id: string; type: "doc"; href: string; browserLink: string };
  doc(
    doc: StoredDoc,
    owner: { name: string; email: string },
    workspace: { id: string; name: string; organizationId?: string | undefined },
  ): Doc;
  workspace(workspace: {
    id: string;
    name: string;
    organizationId?: string | undefined;
  }): WorkspaceReference;
  folder(folder: { id: string; name: string }): FolderReference;
  page(docId: string, page: { id: string; name: string }): PageReference;
  tableReference(
    docId: string,
    table: StoredTable,
    page: { id: string; name: string } | undefined,
  ): TableReference;
  table(docId: string, context: TableContext): Table;
  columnReference(docId: string, tableId: string, columnId: string): ColumnReference;
  column(docId: string, table: StoredTable, column: StoredColumn, parent?: TableReference): Column;
  tableUrl(docId: string, tableId: string): string;
  rowUrl(docId: string, tableId: string, rowId: string): string;
  rowBrowserLink(docId: string, table: StoredTable, rowId: string): string;
  /** The same for many rows of one table, whose common part is made once. */
  rowLinks(
    docId: string,
    table: StoredTable,
  ): (rowId: string) => { href: string; browserLink: string };
}

interface TableContext {
  table: StoredTable;
  base: StoredTable;
  page: { id: string; name: string } | undefined;
  /** The page of the base table. */
  basePage: { id: string; name: string } | undefined;
  displayColumnId: string;
  rowCount: number;
  updatedAtMs: number;
}

/** @param root the API root; browser links begin with its origin */
export function createResources(root: string): Resources {
  const origin = new URL(root).origin;
  const docLink = (docId: string) => `${origin}/d/_d${docId}`;
  const docUrl = (docId: string) => `${root}/docs/${encodeSegment(docId)}`;
  const tableUrl = (docId: string, tableId: string) =>
    `${docUrl(docId)}/tables/${encodeSegment(tableId)}`;
  const rowUrl = (docId: string, tableId: string, rowId: string) =>
    `${tableUrl(docId, tableId)}/rows/${encodeSegment(rowId)}`;
  const tableLink = (docId: string, table: StoredTable) =>
    `${docLink(docId)}#${slug(table.name)}_tu${tail(table.id)}`;

  const resources: Resources = {
    tableUrl,
    rowUrl,
    rowLinks: (docId, table) => {
      const href = `${tableUrl(docId, table.id)}/rows/`;
      const browserLink = `${tableLink(docId, table)}/_ru`;
      return (rowId) => ({
        href: href + encodeSegment(rowId),
        browserLink: browserLink + tail(rowId),
      });
    },
    rowBrowserLink: (docId, table, rowId) => `${tableLink(docId, table)}/_ru${tail(rowId)}`,
    origin,
    icon: (name) => ({
      name,
      type: "image/png",
      browserLink: `${origin}/icons/${encodeSegment(name)}.png`,
    }),
    workspace: ({ id, name, organizationId }) => ({
      id,
      type: "workspace",
      ...(organizationId === undefined ? {} : { organizationId }),
      browserLink: `${origin}/workspaces/${encodeSegment(id)}/docs`,
      name,
    }),
    folder: ({ id, name }) => ({
      id,
      type: "folder",
      browserLink: `${origin}/folders/${encodeSegment(id)}`,
      name,
    }),
    docReference: (docId) => ({
      id: docId,
      type: "doc",
      href: docUrl(docId),
      browserLink: docLink(docId),
    }),
    doc: (doc, owner, workspace) => ({
      id: doc.id,
      type: "doc",
      href: docUrl(doc.id),
      browserLink: docLink(doc.id),
      name: doc.title,
      owner: owner.email,
      ownerName: owner.name,
      createdAt: isoTime(doc.createdAtMs),
      updatedAt: isoTime(doc.updatedAtMs),
      workspace: resources.workspace(workspace),
      folder: resources.folder(doc.folder),
      workspaceId: doc.workspaceId,
      folderId: doc.folder.id,
      ...(doc.iconName === undefined ? {} : { icon: resources.icon(doc.iconName) }),
      ...(doc.sourceDocId === undefined
        ? {}
        : {
            sourceDoc: {
              id: doc.sourceDocId,
              type: "doc",
              href: docUrl(doc.sourceDocId),
              browserLink: docLink(doc.sourceDocId),
            },
          }),
    }),
    page: (docId, { id, name }) => ({
      id,
      type: "page",
      href: `${docUrl(docId)}/pages/${encodeSegment(id)}`,
      browserLink: `${docLink(docId)}/${slug(name)}_su${tail(id)}`,
      name,
    }),
    tableReference: (docId, table, page) => ({
      id: table.id,
      type: "table",
      tableType: table.parentTableId === undefined ? "table" : "view",
      href: tableUrl(docId, table.id),
      browserLink: tableLink(docId, table),
      name: table.name,
      ...(page === undefined ? {} : { parent: resources.page(docId, page) }),
    }),
    table: (docId, { table, base, page, basePage, displayColumnId, rowCount, updatedAtMs }) => ({
      ...resources.tableReference(docId, table, page),
      viewId: table.id,
      displayColumn: resources.columnReference(docId, base.id, displayColumnId),
      rowCount,
      sorts: table.sorts.map(({ columnId, direction }) => ({
        column: resources.columnReference(docId, base.id, columnId),
        direction,
      })),
      layout: table.layout,
      createdAt: isoTime(table.createdAtMs),
      updatedAt: isoTime(updatedAtMs),
      ...(table.id === base.id
        ? {}
        : { parentTable: resources.tableReference(docId, base, basePage) }),
      ...(table.filter === undefined
        ? {}
        : {
            filter: {
              valid: true,
              isVolatile: false,
              hasUserFormula: false,
              hasTodayFormula: false,
              hasNowFormula: false,
            },
          }),
    }),
    columnReference: (docId, tableId, columnId) => ({
      id: columnId,
      type: "column",
      href: `${tableUrl(docId, tableId)}/columns/${encodeSegment(columnId)}`,
    }),
    column: (docId, table, column, parent) => ({
      ...resources.columnReference(docId, table.id, column.id),
      name: column.name,
      format: column.format,
      ...(column.display ? { display: true } : {}),
      ...(column.calculated ? { calculated: true } : {}),
      ...(column.formula === undefined ? {} : { formula: column.formula }),
      ...(column.defaultValue === undefined ? {} : { defaultValue: column.defaultValue }),
      ...(parent === undefined ? {} : { parent }),
    }),
  };
  return resources;
}

const written = new Map<number, string>();
const MAX_WRITTEN = 20_000;

/** A time as the interface writes it. A listing writes the same ones again and again. */
export function isoTime(ms: number): string {
  let text = written.get(ms);
  if (text === undefined) {
    if (written.size >= MAX_WRITTEN) written.clear();
    text = new Date(ms).toISOString();
    written.set(ms, text);
  }
  return text;
}

function slug(name: string): string {
  return encodeSegment(name.trim().replace(/[^\p{L}\p{N}]+/gu, "-"));
}

/** The end of an id, which is what links carry. */
export function tail(id: string): string {
  return id.slice(id.indexOf("-") + 1);
}
