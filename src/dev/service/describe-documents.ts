import type { CellValue, Column, Page } from "../../service/contract/models/responses.ts";
import type {
  DocView,
  PageView,
  ServiceCell,
  ServiceColumnView,
  ServicePageView,
  ServiceRowsView,
  ServiceTableView,
} from "../wire/service.ts";
import { orServiceFailure, type ServiceLink } from "./service-link.ts";

/** The largest page of rows that the service returns. */
const PAGE_OF_ROWS = 500;
/** How many documents, pages, tables or lines are listed at most. */
const MAX_LISTED = 10_000;
/** Columns of these types cannot be written. */
const NOT_EDITABLE: ReadonlySet<string> = new Set([
  "button",
  "canvas",
  "packObject",
  "reaction",
  "other",
]);

export interface TableChoice {
  docId: string;
  tableId: string;
}

/**
 * Every document with its pages and tables, without their content. @throws {PackError}
 * SERVICE_FAILED
 */
export async function describeDocs({ reader }: ServiceLink): Promise<DocView[]> {
  return await orServiceFailure(
    (async () => {
      const docs = await reader.docs.list().all({ max: MAX_LISTED });
      return await Promise.all(
        docs.map(async ({ id, name, ownerName }) => {
          const doc = reader.doc(id);
          const [pages, tables] = await Promise.all([
            doc.pages.list().all({ max: MAX_LISTED }),
            doc.tables.list().all({ max: MAX_LISTED }),
          ]);
          return {
            id,
            name,
            ownerName,
            pages: pagesView(pages),
            tables: tables.map((table) => ({
              id: table.id,
              name: table.name,
              tableType: table.tableType,
            })),
          };
        }),
      );
    })(),
  );
}

/** @throws {PackError} SERVICE_FAILED */
export async function describeTable(
  { reader }: ServiceLink,
  { docId, tableId }: TableChoice,
): Promise<ServiceTableView> {
  const table = reader.doc(docId).table(tableId);
  const [{ id, name, tableType, rowCount }, columns] = await orServiceFailure(
    Promise.all([table.get(), table.columns.list().all({ max: MAX_LISTED })]),
  );
  return {
    id,
    name,
    rowCount,
    tableType,
    columns: columns.map(columnView),
  };
}

/**
 * A page of rows, in the order in which they were added.
 * @param columns ids of the columns and their types, in the order of the cells
 * @throws {PackError} SERVICE_FAILED
 */
export async function describeRows(
  { reader }: ServiceLink,
  { docId, tableId }: TableChoice,
  columns: readonly (readonly [id: string, type: string])[],
  pageToken: string | undefined,
): Promise<ServiceRowsView> {
  const query = pageToken === undefined ? { limit: PAGE_OF_ROWS } : { pageToken };
  const { items, nextPageToken } = await orServiceFailure(
    reader.call("listRows", { path: { docId, tableIdOrName: tableId }, query }),
  );
  return {
    rows: items.map(({ id, name, values }) => ({
      id,
      name,
      cells: columns.map(([column, type]) => describeCell(values[column], type)),
    })),
    next: nextPageToken,
  };
}

/** @throws {PackError} SERVICE_FAILED */
export async function describePage(
  { reader }: ServiceLink,
  docId: string,
  pageId: string,
): Promise<ServicePageView> {
  const page = reader.doc(docId).page(pageId);
  const [{ id, name, subtitle }, lines] = await orServiceFailure(
    Promise.all([page.get(), page.content.list().all({ max: MAX_LISTED })]),
  );
  return {
    id,
    name,
    subtitle,
    lines: lines.map(({ id: line, itemContent: { style, content, lineLevel = 0 } }) => ({
      id: line,
      style,
      level: lineLevel,
      text: content,
    })),
  };
}

/** A cell in a form that the user can read and write back. */
function describeCell(value: CellValue | undefined, type: string): ServiceCell {
  if (value === undefined) return "";
  if (typeof value === "object") return JSON.stringify(value);
  if (typeof value !== "string") return value;
  if (type === "date") return value.slice(0, "2026-01-31".length);
  return value;
}

function columnView({ id, name, format, display, calculated }: Column): ServiceColumnView {
  const { type, isArray, options, label } = format;
  return {
    id,
    name,
    type,
    isArray,
    isDisplay: display === true,
    isEditable: calculated !== true && !NOT_EDITABLE.has(type),
    options: Array.isArray(options)
      ? options.map((option: { name?: unknown }) => String(option?.name ?? ""))
      : [],
    label: typeof label === "string" ? label : undefined,
  };
}

/** The pages in order, each followed by its subpages. */
function pagesView(pages: readonly Page[]): PageView[] {
  const listBelow = (parentId: string | undefined, level: number): PageView[] =>
    pages
      .filter(({ parent }) => parent?.id === parentId)
      .flatMap(({ id, name, isHidden }) => [
        { id, name, isHidden, level },
        ...listBelow(id, level + 1),
      ]);
  return listBelow(undefined, 0);
}
