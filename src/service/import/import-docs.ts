import { createServiceClient, type DocClient, type ServiceClient } from "../client/client.ts";
import { ServiceError } from "../client/errors.ts";
import { fetchTransport } from "../client/fetch-transport.ts";
import type { Transport } from "../client/transport.ts";
import type {
  CellEdit,
  CellValue,
  Column,
  Doc,
  Page,
  PageContentItem,
  Table,
} from "../contract/models/responses.ts";
import { CATEGORIES, PUBLISH_MODES } from "../local/store/publication.ts";
import {
  parseSeed,
  type Seed,
  type SeedColumn,
  type SeedDoc,
  type SeedRow,
  type SeedTable,
} from "../local/store/seed.ts";
import { createLiveFailure } from "./live-failure.ts";

export interface ImportDocsOptions {
  /** The versioned API root of the service to copy from. */
  from: string;
  token: string;
  /** Documents to copy. @default every document that the token's user has opened */
  docIds?: readonly string[] | undefined;
  /** Rows of one table at most. @default 10_000 */
  maxRows?: number | undefined;
  /** How requests are sent. @default fetch, with the token */
  transport?: Transport | undefined;
  onProgress?: ((message: string) => void) | undefined;
  signal?: AbortSignal | undefined;
}

export interface ImportedDocs {
  seed: Seed;
  /** What the interface does not return, or a local service cannot hold, by document. */
  notes: string[];
}

/** What the interface takes at most for one page of a list. */
const PAGE = { limit: 500 };
const NAMED_PAGE = { limit: 100 };
/** How many rows are read between two lines of progress. */
const PROGRESS_ROWS = 1_000;
const ACCESS = ["readonly", "write", "comment"] as const;

/**
 * Copies documents of a service into a seed. It only reads: no request but GET leaves.
 * @throws {PackError} IMPORT_FAILED, SEED_INVALID
 */
export async function importDocs(options: ImportDocsOptions): Promise<ImportedDocs> {
  const { from, token, docIds, maxRows = 10_000, onProgress = () => {} } = options;
  const transport = readOnly(options.transport ?? fetchTransport({ token }), options.signal);
  const client = createServiceClient({ baseUrl: from, transport });
  const notes: string[] = [];
  try {
    // The client asks again for a while if the service cannot be reached.
    onProgress(`connecting to ${new URL(from).host}`);
    const me = await client.whoami();
    const ids = docIds ?? (await collect(client.docs.list(NAMED_PAGE))).map(({ id }) => id);
    const docs: SeedDoc[] = [];
    const users = new Map([[me.loginId, { name: me.name, email: me.loginId }]]);
    for (const id of ids) {
      const doc = await client.doc(id).get();
      onProgress(`reading ${doc.name}`);
      users.set(doc.owner, users.get(doc.owner) ?? { name: doc.ownerName, email: doc.owner });
      const note = (text: string) => notes.push(`${doc.name}: ${text}`);
      docs.push(
        await readDoc(client, doc, {
          maxRows,
          note,
          onRows: (table, rows) => onProgress(`reading ${doc.name}: ${rows} rows of ${table}`),
        }),
      );
    }
    const { id, name = "Imported workspace" } = me.workspace;
    return {
      seed: parseSeed({ workspace: { id, name }, users: [...users.values()], docs }, "import"),
      notes,
    };
  } catch (error) {
    throw error instanceof ServiceError ? createLiveFailure(error) : error;
  }
}

/** Holds the promise not to change anything at the source. */
export function readOnly(transport: Transport, signal: AbortSignal | undefined): Transport {
  return {
    ...transport,
    send(request) {
      if (request.method !== "GET") throw new TypeError("An import only reads.");
      return transport.send({ ...request, signal });
    },
  };
}

interface ReadOptions {
  maxRows: number;
  note(text: string): void;
  onRows(table: string, rows: number): void;
}

async function readDoc(client: ServiceClient, doc: Doc, options: ReadOptions): Promise<SeedDoc> {
  const source = client.doc(doc.id);
  const pages = await collect(source.pages.list(NAMED_PAGE));
  const pageNames = namesById(pages, "page", options.note);
  const { permissions, settings } = await readSharing(source, doc, options);
  const tables = await readTables(source, pageNames, options);
  const onPage = ({ parent }: { parent?: { id: string } | undefined }) => {
    const page = parent && pageNames.get(parent.id);
    return page === undefined ? {} : { page };
  };
  const seeded: SeedDoc = {
    id: doc.id,
    title: doc.name,
    owner: doc.owner,
    folder: doc.folder.name,
    createdAt: doc.createdAt,
    ...(doc.icon === undefined ? {} : { icon: doc.icon.name }),
    ...(doc.published === undefined ? {} : { published: toPublication(doc.published) }),
    permissions,
    settings,
    pages: [],
    tables,
    formulas: [],
    controls: [],
  };
  for (const page of pages) seeded.pages?.push(await readPage(source, page, pageNames, options));
  for (const { id } of await collect(source.formulas.list(NAMED_PAGE))) {
    const formula = await source.formulas.get(id);
    seeded.formulas?.push({ id, name: formula.name, value: formula.value, ...onPage(formula) });
  }
  for (const { id } of await collect(source.controls.list(NAMED_PAGE))) {
    const { name, controlType, value, parent } = await source.controls.get(id);
    seeded.controls?.push({ id, name, controlType, value, ...onPage({ parent }) });
  }
  const timezone = findZone(tables.flatMap(({ rows = [] }) => rows));
  options.note(
    `the time zone ${timezone} is a guess from the dates in the document; the interface does not list the automations`,
  );
  return { ...seeded, timezone };
}

async function readSharing(
  source: DocClient,
  doc: Doc,
  { note }: ReadOptions,
): Promise<Pick<SeedDoc, "permissions" | "settings">> {
  try {
    const settings = await source.sharing.settings();
    const permissions: NonNullable<SeedDoc["permissions"]> = [];
    for (const { access: granted, principal } of await collect(
      source.sharing.permissions(NAMED_PAGE),
    )) {
      const access = ACCESS.find((each) => each === granted);
      if (access === undefined) continue;
      if (principal.type === "email" && principal.email !== doc.owner)
        permissions.push({ access, email: principal.email });
      if (principal.type === "domain" || principal.type === "anyone")
        permissions.push({ access, principal });
      if (principal.type === "group" || principal.type === "workspace")
        note(`a permission of a ${principal.type} was left out`);
    }
    return { permissions, settings };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status !== 403) throw error;
    note("this token cannot read the sharing settings");
    return {};
  }
}

function toPublication({
  discoverable,
  earnCredit,
  mode,
  categories,
}: NonNullable<Doc["published"]>): SeedDoc["published"] {
  const known = PUBLISH_MODES.find((each) => each === mode);
  const categoryNames = CATEGORIES.filter((each) => categories.includes(each));
  return {
    discoverable,
    earnCredit,
    categoryNames,
    ...(known === undefined ? {} : { mode: known }),
  };
}

async function readPage(
  source: DocClient,
  page: Page,
  names: ReadonlyMap<string, string>,
  { note }: ReadOptions,
) {
  const parent = page.parent && names.get(page.parent.id);
  const isCanvas = page.contentType === "canvas";
  if (!isCanvas)
    note(
      `the page "${page.name}" has content of the type ${page.contentType}, which the interface does not return`,
    );
  const lines = isCanvas ? await collect(source.page(page.id).content.list(PAGE)) : [];
  return {
    id: page.id,
    name: names.get(page.id) ?? page.name,
    ...(page.subtitle === undefined ? {} : { subtitle: page.subtitle }),
    ...(page.icon === undefined ? {} : { icon: page.icon.name }),
    ...(page.image === undefined ? {} : { image: page.image.browserLink }),
    ...(parent === undefined ? {} : { parent }),
    hidden: page.isHidden,
    ...(lines.length === 0 ? {} : { content: lines.map(toMarkdown).join("\n\n") }),
  };
}

/**
 * A line as markdown. The interface gives only its text, so characters that would be read as
 * formatting are escaped.
 */
function toMarkdown({ itemContent: { style, content, lineLevel = 0 } }: PageContentItem): string {
  const text = content.replace(/[\\`*_{}[\]<>#+\-.!|~]/g, "\\$&");
  const marks: Record<string, string> = {
    h1: "# ",
    h2: "## ",
    h3: "### ",
    bulletedList: "- ",
    numberedList: "1. ",
    checkboxList: "- [ ] ",
    blockQuote: "> ",
    pullQuote: "> ",
  };
  return style === "code"
    ? `\`\`\`\n${content}\n\`\`\``
    : `${"  ".repeat(lineLevel)}${marks[style] ?? ""}${text}`;
}

async function readTables(
  source: DocClient,
  pageNames: ReadonlyMap<string, string>,
  options: ReadOptions,
): Promise<SeedTable[]> {
  const references = await collect(source.tables.list(NAMED_PAGE));
  const names = namesById(references, "table", options.note);
  const bases = new Set(
    references.filter(({ tableType }) => tableType !== "view").map(({ id }) => id),
  );
  const tables: SeedTable[] = [];
  // A view names its table, which comes first.
  for (const { id } of references.toSorted(
    (one, other) => Number(bases.has(other.id)) - Number(bases.has(one.id)),
  )) {
    const table = await source.table(id).get({ useUpdatedTableLayouts: true });
    const columns = await collect(source.table(id).columns.list(NAMED_PAGE));
    const columnNames = namesById(columns, `column of "${table.name}"`, options.note);
    const page = table.parent && pageNames.get(table.parent.id);
    const common = {
      id,
      name: names.get(id) ?? table.name,
      ...(page === undefined ? {} : { page }),
      layout: table.layout,
      sorts: toSorts(table, columnNames),
    };
    if (bases.has(id)) {
      const visible = new Set(
        (await collect(source.table(id).columns.list({ ...NAMED_PAGE, visibleOnly: true }))).map(
          (each) => each.id,
        ),
      );
      const seedColumns = columns.map((column) =>
        toSeedColumn(column, {
          names,
          bases,
          columnNames,
          isVisible: visible.has(column.id),
          options,
        }),
      );
      tables.push({
        ...common,
        columns: seedColumns,
        rows: await readRows(source, table, columns, columnNames, options),
      });
      continue;
    }
    const viewOf = table.parentTable && names.get(table.parentTable.id);
    if (viewOf === undefined) {
      options.note(`the view "${table.name}" was left out, because its table cannot be read`);
      continue;
    }
    if (table.filter !== undefined)
      options.note(
        `the view "${table.name}" shows every row, because the interface does not return the filter of the view`,
      );
    tables.push({ ...common, viewOf, visible: [...columnNames.values()] });
  }
  return tables;
}

function toSorts(
  { sorts }: Table,
  columnNames: ReadonlyMap<string, string>,
): NonNullable<SeedTable["sorts"]> {
  return sorts.flatMap(({ column, direction }) => {
    const name = columnNames.get(column.id);
    return name === undefined
      ? []
      : [
          {
            column: name,
            direction:
              direction === "descending" ? ("descending" as const) : ("ascending" as const),
          },
        ];
  });
}

interface ColumnContext {
  names: ReadonlyMap<string, string>;
  bases: ReadonlySet<string>;
  columnNames: ReadonlyMap<string, string>;
  isVisible: boolean;
  options: ReadOptions;
}

function toSeedColumn(
  { id, name, format, display, calculated, formula, defaultValue }: Column,
  context: ColumnContext,
): SeedColumn {
  const { type, isArray, table, ...rest } = format as Column["format"] & {
    table?: { id?: string };
  };
  const target =
    table?.id !== undefined && context.bases.has(table.id)
      ? context.names.get(table.id)
      : undefined;
  const lost = type === "lookup" && target === undefined;
  if (lost)
    context.options.note(
      `the column "${name}" is imported as text, because the table that it refers to cannot be read`,
    );
  return {
    id,
    name: context.columnNames.get(id) ?? name,
    type: (lost ? "text" : isKnownType(type) ? type : "other") as NonNullable<SeedColumn["type"]>,
    isArray,
    ...(display === true ? { display } : {}),
    ...(context.isVisible ? {} : { hidden: true }),
    ...(calculated === true || formula !== undefined ? { formula: formula ?? "" } : {}),
    ...(defaultValue === undefined ? {} : { defaultValue }),
    ...(target === undefined ? {} : { table: target }),
    ...(Object.keys(rest).length === 0 ? {} : { format: rest }),
  };
}

const KNOWN_TYPES =
  /^(?:text|person|lookup|number|percent|currency|date|dateTime|time|duration|email|link|slider|scale|image|imageReference|attachments|button|checkbox|select|packObject|reaction|canvas|other)$/;

function isKnownType(type: string): boolean {
  return KNOWN_TYPES.test(type);
}

async function readRows(
  source: DocClient,
  table: Table,
  columns: readonly Column[],
  columnNames: ReadonlyMap<string, string>,
  { maxRows, note, onRows }: ReadOptions,
): Promise<SeedRow[]> {
  const filled = columns.filter(({ format }) => format.type !== "button").map(({ id }) => id);
  const rows: SeedRow[] = [];
  for await (const { values } of source
    .table(table.id)
    .rows.list({ ...PAGE, valueFormat: "simpleWithArrays" })) {
    if (rows.length === maxRows) {
      note(`"${table.name}" has more than ${maxRows} rows; the other rows were left out`);
      break;
    }
    const cells = filled.flatMap((id): [string, CellEdit][] => {
      const value = values[id];
      return value === undefined || value === ""
        ? []
        : [[columnNames.get(id) ?? id, toCellEdit(value)]];
    });
    rows.push(Object.fromEntries(cells));
    if (rows.length % PROGRESS_ROWS === 0) onRows(table.name, rows.length);
  }
  return rows;
}

/** Lists nested deeper than can be written become texts. */
function toCellEdit(value: CellValue, depth = 0): CellEdit {
  if (typeof value !== "object") return value;
  if (!Array.isArray(value) || depth === 2) return JSON.stringify(value);
  return value.map((each) => toCellEdit(each as CellValue, depth + 1)) as CellEdit;
}

/** Zones that are tried first, because many others had the same offsets. */
const LIKELY_ZONES = [
  "UTC",
  "America/Los_Angeles",
  "America/Denver",
  "America/Chicago",
  "America/New_York",
  "Europe/London",
  "Europe/Berlin",
];

/**
 * The interface writes dates in the zone of the document: a zone that had every one of these
 * offsets.
 */
function findZone(rows: readonly SeedRow[]): string {
  // One date of each month and offset is enough.
  const samples = new Map<string, { atMs: number; offset: string }>();
  for (const row of rows) {
    for (const value of Object.values(row)) {
      const [, month, offset] =
        (typeof value === "string" && /^(\d{4}-\d\d)-\d\dT[\d:.]+([+-]\d\d:\d\d)$/.exec(value)) ||
        [];
      if (month !== undefined && offset !== undefined)
        samples.set(month + offset, { atMs: Date.parse(String(value)), offset });
    }
  }
  const zones = [...LIKELY_ZONES, ...Intl.supportedValuesOf("timeZone")];
  return (
    zones.find((timeZone) =>
      [...samples.values()].every(({ atMs, offset }) => findOffset(timeZone, atMs) === offset),
    ) ?? "UTC"
  );
}

function findOffset(timeZone: string, atMs: number): string {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone,
    timeZoneName: "longOffset",
  }).formatToParts(atMs);
  const name = parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
  return name === "GMT" ? "+00:00" : name.slice(3);
}

/** A seed refers by name: of equal names the later ones get a number. */
function namesById(
  items: readonly { id: string; name: string }[],
  kind: string,
  note: (text: string) => void,
): Map<string, string> {
  const taken = new Set<string>();
  const names = new Map<string, string>();
  for (const { id, name } of items) {
    let free = name;
    for (let count = 2; taken.has(free); count++) free = `${name} (${count})`;
    if (free !== name) note(`a second ${kind} named "${name}" is renamed to "${free}"`);
    taken.add(free);
    names.set(id, free);
  }
  return names;
}

async function collect<Item>(list: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of list) items.push(item);
  return items;
}
