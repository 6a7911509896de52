import type { NewLine } from "../../../shared/markdown/line.ts";
import { parseMarkdown } from "../../../shared/markdown/markdown.ts";
import { parseHtml } from "../content/html.ts";
import { savePart } from "./doc-parts.ts";
import { stableId } from "./ids.ts";
import { loadTables, type SeedTransaction } from "./load-seed-tables.ts";
import { type Principal, principalKey } from "./principal.ts";
import { createSlug, mergePublication } from "./publication.ts";
import type { SeedDoc, SeedPage } from "./seed.ts";

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

export async function loadDoc(
  db: SeedTransaction,
  doc: SeedDoc,
  context: DocContext,
): Promise<void> {
  const { people, nowMs } = context;
  const docId = getDocId(doc);
  const createdAtMs = doc.createdAt === undefined ? nowMs : Date.parse(doc.createdAt);
  const timeZone = doc.timezone ?? "UTC";
  await db
    .insertInto("docs")
    .values({
      id: docId,
      title: doc.title,
      search_title: doc.title.toLowerCase(),
      owner_id: context.ownerId,
      created_at_ms: createdAtMs,
      updated_at_ms: createdAtMs,
      seq: 1,
      deleted: 0,
      purged_seq: 1,
      structure: 0,
      record: JSON.stringify(createDocRecord(doc, timeZone, context)),
    })
    .execute();
  const pageId = (name: string) => {
    const page = doc.pages?.find((candidate) => candidate.name === name);
    return page?.id ?? stableId("canvas-", docId, name);
  };
  for (const [position, page] of (doc.pages ?? []).entries())
    await loadPage(db, docId, page, { position, createdAtMs, getId: pageId });
  const onPage = (name: string | undefined) => {
    const page = name ?? doc.pages?.[0]?.name;
    return page === undefined ? undefined : pageId(page);
  };
  await loadParts(db, docId, doc, onPage);
  await loadTables(db, docId, doc.tables ?? [], { onPage, people, createdAtMs, nowMs, timeZone });
}

function createDocRecord(
  doc: SeedDoc,
  timeZone: string,
  { workspaceId, nowMs }: Pick<DocContext, "nowMs" | "workspaceId">,
) {
  const folder = doc.folder ?? "My docs";
  return {
    timeZone,
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
}

interface PageContext {
  position: number;
  createdAtMs: number;
  getId(name: string): string;
}

async function loadPage(
  db: SeedTransaction,
  docId: string,
  { name, subtitle, hidden: isHidden = false, parent, content, ...look }: SeedPage,
  { position, createdAtMs, getId }: PageContext,
): Promise<void> {
  const id = getId(name);
  const source =
    typeof content === "object" && "embed" in content
      ? ({ type: "embed", url: content.embed } as const)
      : undefined;
  await savePart(db, docId, "page", {
    id,
    name,
    position,
    subtitle,
    isHidden,
    parentId: parent === undefined ? undefined : getId(parent),
    iconName: look.icon,
    imageUrl: look.image,
    source,
    createdAtMs,
  });
  const lines = readLines(content).map((line, at) => ({
    id: stableId("cl-", docId, name, String(at)),
    ...line,
  }));
  if (lines.length > 0) await savePart(db, docId, "content", { id, name: "", position: 0, lines });
}

function readLines(content: SeedPage["content"]): NewLine[] {
  if (typeof content === "string") return parseMarkdown(content);
  return content !== undefined && "html" in content ? parseHtml(content.html).lines : [];
}

/** Formulas, controls, automations and permissions. */
async function loadParts(
  db: SeedTransaction,
  docId: string,
  { formulas = [], controls = [], automations = [], permissions = [] }: SeedDoc,
  onPage: (name: string | undefined) => string | undefined,
): Promise<void> {
  for (const [
    position,
    { name, id = stableId("f-", docId, name), page, value },
  ] of formulas.entries())
    await savePart(db, docId, "formula", { id, name, position, pageId: onPage(page), value });
  for (const [position, { id, page, name, controlType, value }] of controls.entries())
    await savePart(db, docId, "control", {
      id: id ?? stableId("ctrl-", docId, name),
      name,
      position,
      pageId: onPage(page),
      controlType,
      value,
    });
  for (const [position, rule] of automations.entries()) {
    const {
      name,
      id = stableId("grid-auto-", docId, name),
      enabled = true,
      trigger,
      deliverTo,
    } = rule;
    await savePart(db, docId, "automation", { id, name, position, enabled, trigger, deliverTo });
  }
  for (const [position, { access, ...whom }] of permissions.entries()) {
    const principal: Principal = whom.principal ?? { type: "email", email: whom.email };
    const key = principalKey(principal);
    const id = stableId("perm-", docId, key);
    await savePart(db, docId, "permission", { id, name: key, position, access, principal });
  }
}
