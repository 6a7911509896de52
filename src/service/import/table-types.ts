import { createServiceClient } from "../client/client.ts";
import { type ColumnKind, findOptions, getKind, indexByKey } from "../client/column-kinds.ts";
import { ServiceError } from "../client/errors.ts";
import { fetchTransport } from "../client/fetch-transport.ts";
import type { Column, Table } from "../contract/models/responses.ts";
import { readOnly } from "./import-docs.ts";
import { createLiveFailure } from "./live-failure.ts";

/** A table or view with its columns. */
export interface DescribedTable {
  table: Table;
  columns: readonly Column[];
}

export interface DescribeTablesOptions {
  /** The versioned API root of the service. */
  from: string;
  token: string;
  docId: string;
  signal?: AbortSignal | undefined;
}

/**
 * The tables and views of a document with their columns. No request but GET leaves.
 * @throws {PackError} IMPORT_FAILED
 */
export async function describeTables({
  from,
  token,
  docId,
  signal,
}: DescribeTablesOptions): Promise<DescribedTable[]> {
  const transport = readOnly(fetchTransport({ token }), signal);
  const doc = createServiceClient({ baseUrl: from, transport }).doc(docId);
  try {
    const described: DescribedTable[] = [];
    for await (const { id } of doc.tables.list({ limit: 100 })) {
      const { table, columns } = await doc.table(id).schema();
      described.push({ table, columns });
    }
    return described;
  } catch (error) {
    throw error instanceof ServiceError ? createLiveFailure(error) : error;
  }
}

/** What a member of a type is, for each kind but those whose type depends on the column. */
const TYPES: { readonly [Kind in Exclude<ColumnKind, "option" | "row">]: string } = {
  text: "string",
  number: "number",
  money: "Money",
  boolean: "boolean",
  date: "Date",
  dateTime: "Date",
  person: "Person",
  link: "WebLink",
  image: "ImageLink",
  button: "Button",
  other: "CellValue",
};
const IMPORTED = ["Button", "CellValue", "ImageLink", "Money", "Person", "RowLink", "WebLink"];

/** TypeScript with an interface for each table: the same tables give the same text. */
export function writeTableTypes(docId: string, tables: readonly DescribedTable[]): string {
  const names = chooseNames(tables);
  const interfaces = tables.map((each) => writeInterface(each, names));
  const text = interfaces.join("\n");
  const used = IMPORTED.filter((name) => new RegExp(`: .*\\b${name}\\b`).test(text));
  const ids = [...names].map(([id, name]) => `  ${name}: ${JSON.stringify(id)},\n`);
  return [
    `// The tables of the document ${docId}, as "packsmith service types" wrote them. Do not edit.\n`,
    used.length === 0 ? "" : `import type { ${used.join(", ")} } from "packsmith/service";\n`,
    `\n/** The id of the document. */\nexport const docId = ${JSON.stringify(docId)};\n`,
    `\n/** The ids of its tables. */\nexport const tableIds = {\n${ids.join("")}} as const;\n`,
    ...interfaces.map((each) => `\n${each}`),
  ].join("");
}

/** A name for the type of each table, by the table's id. */
function chooseNames(tables: readonly DescribedTable[]): Map<string, string> {
  const names = new Map<string, string>();
  const taken = new Set([...IMPORTED, "Date"]);
  for (const { table } of tables) {
    const words = table.name.normalize("NFC").match(/[\p{L}\p{N}]+/gu) ?? [];
    const joined = words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join("");
    const base = /^\p{L}/u.test(joined) ? joined : `Table${joined}`;
    let name = base;
    for (let number = 2; taken.has(name); number++) name = `${base}${number}`;
    taken.add(name);
    names.set(table.id, name);
  }
  return names;
}

function writeInterface(
  { table, columns }: DescribedTable,
  names: ReadonlyMap<string, string>,
): string {
  const about = [`Table ${quote(table.name)}`];
  if (table.tableType === "view")
    about.push(`a view of ${quote(table.parentTable?.name ?? "another table")}`);
  const members = [...indexByKey(columns)].map(([key, column]) => writeMember(key, column, names));
  return `/** ${about.join(", ")}. */\nexport interface ${names.get(table.id)} {\n${members.join("")}}\n`;
}

function writeMember(key: string, column: Column, names: ReadonlyMap<string, string>): string {
  const about = [column.format.type, ...(column.calculated ? ["calculated"] : []), column.id];
  if (key !== column.name) about.unshift(quote(column.name));
  const modifier = column.calculated ? "readonly " : "";
  const name = /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(key) ? key : JSON.stringify(key);
  return `  /** ${about.join(", ")} */\n  ${modifier}${name}: ${writeType(column, names)};\n`;
}

function writeType(column: Column, names: ReadonlyMap<string, string>): string {
  const kind = getKind(column);
  const single =
    kind === "option"
      ? (findOptions(column) ?? []).map((option) => JSON.stringify(option)).join(" | ") || "string"
      : kind === "row"
        ? rowLink(column, names)
        : TYPES[kind];
  // A value without rules may be a list itself.
  if (!column.format.isArray || kind === "other" || kind === "button") return single;
  return single.includes(" ") ? `(${single})[]` : `${single}[]`;
}

/** A lookup column names the table that it points into, if the token may see it. */
function rowLink({ format }: Column, names: ReadonlyMap<string, string>): string {
  const { id } = (format["table"] ?? {}) as { id?: string };
  const target = id === undefined ? undefined : names.get(id);
  return target === undefined ? "RowLink" : `RowLink<${target}>`;
}

/** A text of the document inside a comment, which it must not end. */
function quote(text: string): string {
  return JSON.stringify(text).replaceAll("*/", "*\\/");
}
