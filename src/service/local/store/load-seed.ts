import type { Transaction } from "kysely";
import type { NewLine } from "../../../shared/markdown/line.ts";
import { parseMarkdown } from "../../../shared/markdown/markdown.ts";
import { tokenDigest } from "../api/caller.ts";
import type { WorkspaceRecord } from "../api/memberships.ts";
import type { Cell, StoredColumn, StoredTable } from "../content/column.ts";
import { displayText } from "../content/comparable.ts";
import { parseHtml } from "../content/html.ts";
import { type CellDirectory, parseCell } from "../content/parse-cell.ts";
import { savePart } from "./doc-parts.ts";
import { findByIdOrName, findDisplayColumn } from "./doc-store.ts";
import { stableId } from "./ids.ts";
import { type Principal, principalKey } from "./principal.ts";
import { createSlug, mergePublication } from "./publication.ts";
import { rowWriter } from "./row-store.ts";
import {
  CURRENT,
  DERIVED_TABLES,
  type ServiceSchema,
  STATE_TABLES,
  type StateTable,
} from "./schema.ts";
import type { Seed, SeedColumn, SeedDoc, SeedPage, SeedTable } from "./seed.ts";
import type { SeedAnalytics } from "./seed-analytics.ts";
import { saveSetting } from "./settings.ts";

type Db = Transaction<ServiceSchema>;

/** Replaces everything that the service holds by the seed. */
export async function loadSeed(db: Db, seed: Seed, nowMs: number): Promise<void> {
  for (const table of [...(Object.keys(STATE_TABLES) as StateTable[]), ...DERIVED_TABLES])
    await db.deleteFrom(table).execute();
  const {
    id = "ws-local00000",
    name = "Local workspace",
    groups = [],
    ...options
  }: Partial<NonNullable<Seed["workspace"]>> = seed.workspace ?? {};
  const workspace = { id, name };
  const record: WorkspaceRecord = {
    organizationId: "org-local00000",
    ...options,
    groups: groups.map((group) => ({ ...group, id: group.id ?? stableId("grp-", group.name) })),
  };
  await db
    .insertInto("workspaces")
    .values({ ...workspace, position: 0, record: JSON.stringify(record) })
    .execute();
  await saveSetting(db, "analytics", JSON.stringify(analyticsById(seed)));
  const userIds = new Map(seed.users.map(({ email }) => [email, stableId("u-", email)]));
  const owner = (email: string | undefined) =>
    userIds.get(email ?? seed.users[0]?.email ?? "") ?? "";
  for (const [position, { name, email, role = "Admin", isMember = true }] of seed.users.entries()) {
    await db
      .insertInto("users")
      .values({
        id: owner(email),
        position,
        name,
        email,
        record: JSON.stringify({ role, isMember }),
      })
      .execute();
  }
  for (const {
    token,
    name = "Seeded token",
    user,
    scopes = ["read", "write"],
    docId,
    tableId,
  } of seed.tokens ?? []) {
    const record = {
      canRead: scopes.includes("read"),
      canWrite: scopes.includes("write"),
      docId,
      tableId,
    };
    await db
      .insertInto("tokens")
      .values({
        token_sha256: tokenDigest(token),
        user_id: owner(user),
        name,
        record: JSON.stringify(record),
      })
      .execute();
  }
  for (const doc of seed.docs)
    await loadDoc(db, doc, {
      ownerId: owner(doc.owner),
      workspaceId: workspace.id,
      people: seed.users,
      nowMs,
    });
}

/** Counts belong to a document, also after its title changes. */
function analyticsById({ docs, analytics = {} }: Seed): SeedAnalytics {
  const getId = (title: string) => docs.filter((doc) => doc.title === title).map(getDocId)[0] ?? "";
  const byId = <Counted extends { doc: string }>(counted: readonly Counted[] = []) =>
    counted.map((each) => ({ ...each, doc: getId(each.doc) }));
  return { docs: byId(analytics.docs), pages: byId(analytics.pages), packs: analytics.packs };
}

/** The id that a document of a seed gets. */
export function getDocId({ id, title }: SeedDoc): string {
  return id ?? stableId("", "doc", title);
}

export function findAutomationId(doc: SeedDoc): string | undefined {
  const [rule] = doc.automations ?? [];
  return rule === undefined
    ? undefined
    : (rule.id ?? stableId("grid-auto-", getDocId(doc), rule.name));
}

interface DocContext {
  ownerId: string;
  workspaceId: string;
  people: readonly { name: string; email: string }[];
  nowMs: number;
}

async function loadDoc(
  db: Db,
  doc: SeedDoc,
  { ownerId, workspaceId, people, nowMs }: DocContext,
): Promise<void> {
  const docId = getDocId(doc);
  const createdAtMs = doc.createdAt === undefined ? nowMs : Date.parse(doc.createdAt);
  const folder = doc.folder ?? "My docs";
  const record = {
    timeZone: doc.timezone ?? "UTC",
    workspaceId,
    folder: { id: stableId("fl-", folder), name: folder },
    iconName: doc.icon,
    starredBy: doc.starredBy,
    openedBy: doc.openedBy,
    settings: doc.settings,
    published:
      doc.published === undefined
        ? undefined
        : mergePublication(undefined, doc.published, { slug: createSlug(doc.title), nowMs }),
  };
  await db
    .insertInto("docs")
    .values({
      id: docId,
      title: doc.title,
      search_title: doc.title.toLowerCase(),
      owner_id: ownerId,
      created_at_ms: createdAtMs,
      updated_at_ms: createdAtMs,
      seq: 1,
      deleted: 0,
      purged_seq: 1,
      record: JSON.stringify(record),
    })
    .execute();
  const pageId = (name: string) => {
    const page = doc.pages?.find((candidate) => candidate.name === name);
    return page?.id ?? stableId("canvas-", docId, name);
  };
  for (const [
    position,
    { name, subtitle, hidden: isHidden = false, parent, icon: iconName, image: imageUrl, content },
  ] of (doc.pages ?? []).entries()) {
    const parentId = parent === undefined ? undefined : pageId(parent);
    const source =
      typeof content === "object" && "embed" in content
        ? ({ type: "embed", url: content.embed } as const)
        : undefined;
    const page = {
      id: pageId(name),
      name,
      position,
      subtitle,
      isHidden,
      parentId,
      iconName,
      imageUrl,
      source,
      createdAtMs,
    };
    await savePart(db, docId, "page", page);
    const lines = readLines(content).map((line, at) => ({
      id: stableId("cl-", docId, name, String(at)),
      ...line,
    }));
    if (lines.length > 0)
      await savePart(db, docId, "content", { id: page.id, name: "", position: 0, lines });
  }
  const onPage = (name: string | undefined) => {
    const page = name ?? doc.pages?.[0]?.name;
    return page === undefined ? undefined : pageId(page);
  };
  for (const [position, { name, id = stableId("f-", docId, name), page, value }] of (
    doc.formulas ?? []
  ).entries())
    await savePart(db, docId, "formula", { id, name, position, pageId: onPage(page), value });
  for (const [
    position,
    { name, id = stableId("ctrl-", docId, name), page, controlType, value },
  ] of (doc.controls ?? []).entries())
    await savePart(db, docId, "control", {
      id,
      name,
      position,
      pageId: onPage(page),
      controlType,
      value,
    });
  for (const [
    position,
    { name, id = stableId("grid-auto-", docId, name), enabled = true, trigger, deliverTo },
  ] of (doc.automations ?? []).entries())
    await savePart(db, docId, "automation", { id, name, position, enabled, trigger, deliverTo });
  for (const [position, { access, ...whom }] of (doc.permissions ?? []).entries()) {
    const principal: Principal = whom.principal ?? { type: "email", email: whom.email };
    const key = principalKey(principal);
    await savePart(db, docId, "permission", {
      id: stableId("perm-", docId, key),
      name: key,
      position,
      access,
      principal,
    });
  }
  await loadTables(db, docId, doc.tables ?? [], {
    onPage,
    people,
    createdAtMs,
    nowMs,
    timeZone: record.timeZone,
  });
}

function readLines(content: SeedPage["content"]): NewLine[] {
  if (typeof content === "string") return parseMarkdown(content);
  return content !== undefined && "html" in content ? parseHtml(content.html).lines : [];
}

interface TableContext {
  onPage(name: string | undefined): string | undefined;
  people: readonly { name: string; email: string }[];
  createdAtMs: number;
  nowMs: number;
  timeZone: string;
}

async function loadTables(
  db: Db,
  docId: string,
  tables: readonly SeedTable[],
  context: TableContext,
): Promise<void> {
  const getId = (name: string) => {
    const table = tables.find((candidate) => candidate.name === name);
    return table?.id ?? stableId(table?.viewOf === undefined ? "grid-" : "table-", docId, name);
  };
  const columnsOf = new Map(
    tables.map((table) => [
      getId(table.name),
      (table.columns ?? []).map((column) => toColumn(column, docId, table.name, getId)),
    ]),
  );
  const rowIds = (table: SeedTable) =>
    (table.rows ?? []).map((_, at) =>
      stableId(`i-${String(at).padStart(6, "0")}`, docId, table.name).slice(0, 12),
    );
  const directory = createDirectory(tables, context.people, { getId, columnsOf, rowIds });

  for (const [position, table] of tables.entries()) {
    const id = getId(table.name);
    const columns = columnsOf.get(table.viewOf === undefined ? id : getId(table.viewOf)) ?? [];
    const columnId = (name: string) => findByIdOrName(columns, name)?.id ?? "";
    const record: Omit<StoredTable, "id" | "name" | "position"> = {
      pageId: context.onPage(table.page),
      layout: table.layout ?? "default",
      createdAtMs: context.createdAtMs,
      parentTableId: table.viewOf === undefined ? undefined : getId(table.viewOf),
      filter:
        table.filter === undefined
          ? undefined
          : { columnId: columnId(table.filter.column), equals: table.filter.equals },
      sorts: (table.sorts ?? []).map(({ column, direction }) => ({
        columnId: columnId(column),
        direction,
      })),
      visibleColumnIds: table.visible?.map(columnId),
    };
    await db
      .insertInto("doc_tables")
      .values({
        doc_id: docId,
        id,
        position,
        name: table.name,
        record: JSON.stringify(record),
        is_view: table.viewOf === undefined ? 0 : 1,
        row_count: table.rows?.length ?? 0,
        next_position: table.rows?.length ?? 0,
      })
      .execute();
    if (table.viewOf !== undefined) continue;
    for (const [at, { id: ownId, name, ...rest }] of columns.entries()) {
      await db
        .insertInto("columns")
        .values({
          doc_id: docId,
          table_id: id,
          id: ownId,
          position: at,
          name,
          record: JSON.stringify(rest),
        })
        .execute();
    }
    const ids = rowIds(table);
    const write = rowWriter(columns, context.timeZone);
    const versions = (table.rows ?? []).map((row, at) => {
      const cells: Record<string, Cell> = {};
      for (const column of columns) {
        const value = Object.hasOwn(row, column.name) ? row[column.name] : undefined;
        if (value !== undefined) cells[column.id] = parseCell(column, value, directory);
      }
      // A second apart, as if they had been typed one after the other, and never in the future:
      // later rows come after them.
      const createdAtMs = Math.min(
        context.createdAtMs + at * 1_000,
        context.nowMs - (table.rows ?? []).length + at,
      );
      return {
        doc_id: docId,
        table_id: id,
        id: ids[at] ?? "",
        from_seq: 1,
        to_seq: CURRENT,
        position: at,
        created_at_ms: createdAtMs,
        updated_at_ms: createdAtMs,
        ...write(cells),
      };
    });
    // A statement takes a limited number of parameters.
    for (let start = 0; start < versions.length; start += 500)
      await db
        .insertInto("row_versions")
        .values(versions.slice(start, start + 500))
        .execute();
  }
}

function toColumn(
  column: SeedColumn,
  docId: string,
  tableName: string,
  idOf: (table: string) => string,
): StoredColumn {
  const type = column.type ?? "text";
  return {
    id: column.id ?? stableId("c-", docId, tableName, column.name),
    name: column.name,
    format: { ...column.format, type, isArray: column.isArray ?? false },
    display: column.display ?? false,
    hidden: column.hidden ?? false,
    calculated: column.formula !== undefined,
    formula: column.formula,
    defaultValue: column.defaultValue,
    script: column.button,
    lookupTableId: type === "lookup" && column.table !== undefined ? idOf(column.table) : undefined,
  };
}

function createDirectory(
  tables: readonly SeedTable[],
  people: readonly { name: string; email: string }[],
  seed: {
    getId(name: string): string;
    columnsOf: ReadonlyMap<string, StoredColumn[]>;
    rowIds(table: SeedTable): string[];
  },
): CellDirectory {
  const rows = new Map<string, Map<string, string>>();
  for (const table of tables) {
    const display = findDisplayColumn(seed.columnsOf.get(seed.getId(table.name)) ?? [])?.name ?? "";
    const ids = seed.rowIds(table);
    const named = (table.rows ?? []).map(
      (row, at) => [displayText(row[display]), ids[at] ?? ""] as const,
    );
    rows.set(
      seed.getId(table.name),
      new Map([...named.toReversed(), ...ids.map((id) => [id, id] as const)]),
    );
  }
  return {
    findRow: (tableId, text) => rows.get(tableId)?.get(text),
    findPerson: (text) => {
      const person =
        people.find(({ email }) => email === text) ?? people.find(({ name }) => name === text);
      return person === undefined ? undefined : { name: person.name, email: person.email };
    },
  };
}
