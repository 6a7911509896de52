import {
  DOC_METRICS,
  DOC_ORDERS,
  PACK_FORMULA_METRICS,
  PACK_FORMULA_ORDERS,
  PACK_FORMULA_TYPES,
  PACK_METRICS,
  PACK_ORDERS,
  PAGE_METRICS,
} from "../../../contract/analytics-metrics.ts";
import type {
  AnalyticsLastUpdated,
  DocAnalyticsSummary,
  PackAnalyticsSummary,
} from "../../../contract/models/analytics.ts";
import type { Envelope } from "../../../contract/models/model.ts";
import type { ItemOf, ResponseOf } from "../../../contract/operations.ts";
import { pacificDay } from "../../content/time-zone.ts";
import { listParts } from "../../store/doc-parts.ts";
import type { SeedAnalytics, SeedMetrics, SeedPack } from "../../store/seed-analytics.ts";
import { readSetting } from "../../store/settings.ts";
import { HttpError } from "../http-error.ts";
import { type ListParameters, listResponse } from "../list-response.ts";
import { readBoolean, readChoice, readChoices, readLimit } from "../request-input.ts";
import { createResources } from "../resources.ts";
import { accessTo, openDoc, type ServiceCall } from "../service-call.ts";

const MAX_LIMIT = 5_000;
const DEFAULT_LIMIT = 1_000;
const DAY_MS = 24 * 60 * 60_000;

/** What an analytics list is made of: the thing, its days, and what it can be ordered by. */
interface Subject {
  id: string;
  /** The members of the item other than its metrics. */
  shown: object;
  orders: Readonly<Record<string, string | number>>;
  days: readonly SeedMetrics[];
}

export async function listDocAnalytics(call: ServiceCall): Promise<ResponseOf<"listDocAnalytics">> {
  return await listSubjects<ItemOf<"listDocAnalytics">>(
    call,
    await docSubjects(call),
    DOC_METRICS,
    DOC_ORDERS,
  );
}

export async function listDocAnalyticsSummary(call: ServiceCall): Promise<DocAnalyticsSummary> {
  const days = (await docSubjects(call)).flatMap((subject) =>
    inRange(subject.days, readRange(call)),
  );
  return { totalSessions: sum(days, "totalSessions") };
}

export async function listPageAnalytics(
  call: ServiceCall,
): Promise<ResponseOf<"listPageAnalytics">> {
  const doc = await openDoc(call);
  const workspace = await call.state.storage.db
    .selectFrom("workspaces")
    .select("record")
    .where("id", "=", doc.workspaceId)
    .executeTakeFirst();
  // 401 is the documented status, although 403 would fit better.
  if (workspace === undefined || JSON.parse(workspace.record).isEnterprise !== true)
    throw new HttpError(
      401,
      "Page analytics are available to documents of Enterprise workspaces only.",
    );
  const pages = await listParts(call.state.storage.db, doc.id, "page");
  const { pages: counted = [] } = await getAnalytics(call);
  const subjects = pages.map(({ id, name }): Subject => {
    const days = counted
      .filter((each) => each.doc === doc.id && each.page === name)
      .flatMap(({ metrics }) => metrics);
    return { id, shown: { page: { id, name } }, orders: {}, days };
  });
  return await listSubjects<ItemOf<"listPageAnalytics">>(call, subjects, PAGE_METRICS, ["date"]);
}

export async function listPackAnalytics(
  call: ServiceCall,
): Promise<ResponseOf<"listPackAnalytics">> {
  return await listSubjects<ItemOf<"listPackAnalytics">>(
    call,
    await packSubjects(call),
    PACK_METRICS,
    PACK_ORDERS,
  );
}

export async function listPackAnalyticsSummary(call: ServiceCall): Promise<PackAnalyticsSummary> {
  const days = (await packSubjects(call)).flatMap((subject) =>
    inRange(subject.days, readRange(call)),
  );
  const invocations = [
    "numFormulaInvocations",
    "numActionInvocations",
    "numSyncInvocations",
    "numMetadataInvocations",
  ];
  return {
    totalDocInstalls: sum(days, "docInstalls"),
    totalWorkspaceInstalls: sum(days, "workspaceInstalls"),
    totalInvocations: invocations.reduce((total, name) => total + sum(days, name), 0),
  };
}

export async function listPackFormulaAnalytics(
  call: ServiceCall,
): Promise<ResponseOf<"listPackFormulaAnalytics">> {
  const packId = call.params["packId"] ?? "";
  if (!/^[1-9]\d{0,14}$/.test(packId))
    throw new HttpError(400, "packId must be an integer of at least 1.");
  const names = readTexts(call, "packFormulaNames");
  const types = readChoices(call.query, "packFormulaTypes", PACK_FORMULA_TYPES);
  // Each type belongs to the name at the same place.
  if (types.length > 0 && names.length > 0 && types.length !== names.length)
    throw new HttpError(400, "packFormulaTypes must have as many entries as packFormulaNames.");
  const { packs = [] } = await getAnalytics(call);
  const formulas = packs.find(({ id }) => id === Number(packId))?.formulas ?? [];
  const wanted = formulas.filter(({ name, type }) =>
    names.length === 0
      ? types.length === 0 || types.includes(type)
      : names.some((each, at) => each === name && (types[at] ?? type) === type),
  );
  const subjects = wanted.map(
    ({ name, type, metrics }): Subject => ({
      id: `${type}:${name}`,
      shown: { formula: { name, type } },
      orders: { formulaName: name, formulaType: type },
      days: metrics,
    }),
  );
  return await listSubjects<ItemOf<"listPackFormulaAnalytics">>(
    call,
    subjects,
    PACK_FORMULA_METRICS,
    PACK_FORMULA_ORDERS,
  );
}

/** Yesterday in US Pacific time, on the service's clock. */
export async function getAnalyticsLastUpdated({
  state,
}: ServiceCall): Promise<AnalyticsLastUpdated> {
  const day = pacificDay(state.clock.now() - DAY_MS);
  return {
    docAnalyticsLastUpdated: day,
    packAnalyticsLastUpdated: day,
    packFormulaAnalyticsLastUpdated: day,
  };
}

async function docSubjects(call: ServiceCall): Promise<Subject[]> {
  const { db } = call.state.storage;
  const rows = await db
    .selectFrom("docs")
    .selectAll()
    .where("deleted", "=", 0)
    .orderBy("created_at_ms")
    .orderBy("id")
    .execute();
  const ids = readTexts(call, "docIds");
  const title = call.query.get("query")?.toLowerCase();
  const workspaceId = call.query.get("workspaceId");
  const published = readBoolean(call.query, "isPublished") === true;
  const { docs = [] } = await getAnalytics(call);
  const resources = createResources(call.root);
  const subjects: Subject[] = [];
  for (const row of rows) {
    const record = JSON.parse(row.record) as { workspaceId: string };
    const known = docs.find(({ doc }) => doc === row.id);
    const asked =
      (call.caller.docId === undefined || call.caller.docId === row.id) &&
      (ids.length === 0 || ids.includes(row.id)) &&
      (title === undefined || row.title.toLowerCase().includes(title)) &&
      (workspaceId === null || record.workspaceId === workspaceId) &&
      (!published || known?.publishedAt !== undefined);
    if (!asked || (await accessTo(call, { id: row.id, ownerId: row.owner_id })) === undefined)
      continue;
    const createdAt = new Date(row.created_at_ms).toISOString();
    const publishedAt = known?.publishedAt;
    subjects.push({
      id: row.id,
      shown: {
        doc: {
          ...resources.docReference(row.id),
          title: row.title,
          createdAt,
          ...(publishedAt === undefined ? {} : { publishedAt }),
        },
      },
      orders: {
        docId: row.id,
        title: row.title.toLowerCase(),
        createdAt,
        publishedAt: publishedAt ?? "",
      },
      days: known?.metrics ?? [],
    });
  }
  return subjects;
}

async function packSubjects(call: ServiceCall): Promise<Subject[]> {
  const ids = readTexts(call, "packIds");
  const text = call.query.get("query")?.toLowerCase();
  const published = readBoolean(call.query, "isPublished") === true;
  const { packs = [] } = await getAnalytics(call);
  return packs
    .filter(({ id, name, isPublished = true }) => {
      const asked = ids.length === 0 || ids.includes(String(id));
      return (
        asked &&
        (text === undefined || name.toLowerCase().includes(text)) &&
        (!published || isPublished)
      );
    })
    .map(({ id, name, logoUrl, createdAt = "2026-01-01T00:00:00.000Z", metrics }: SeedPack) => ({
      id: String(id),
      shown: { pack: { id, name, ...(logoUrl === undefined ? {} : { logoUrl }), createdAt } },
      orders: { packId: id, name: name.toLowerCase(), createdAt },
      days: metrics,
    }));
}

/**
 * @typeParam Item what a subject and its metrics make together; their names are known only at run
 * time
 */
async function listSubjects<Item>(
  call: ServiceCall,
  subjects: readonly Subject[],
  metricNames: readonly string[],
  orders: readonly string[],
): Promise<Envelope<Item>> {
  const readParameters = () => {
    const { since, until } = readRange(call);
    return {
      limit: readLimit(call.query, MAX_LIMIT, DEFAULT_LIMIT),
      scale: readChoice(call.query, "scale", ["daily", "cumulative"]) ?? "daily",
      orderBy: readChoice(call.query, "orderBy", orders) ?? "date",
      direction: readChoice(call.query, "direction", ["ascending", "descending"]) ?? "ascending",
      ...(since === undefined ? {} : { sinceDate: since }),
      ...(until === undefined ? {} : { untilDate: until }),
    };
  };
  const listDays = ({ days }: Subject, parameters: ListParameters) => {
    const chosen = inRange(days, {
      since: toText(parameters["sinceDate"]),
      until: toText(parameters["untilDate"]),
    });
    const filled = chosen.map((day) => complete(day, metricNames));
    const scaled =
      parameters["scale"] === "cumulative" ? runningTotals(filled, metricNames) : filled;
    return parameters["orderBy"] === "date" && parameters["direction"] === "descending"
      ? scaled.toReversed()
      : scaled;
  };
  const getSortKey = (subject: Subject, parameters: ListParameters): string | number => {
    const orderBy = String(parameters["orderBy"]);
    if (orderBy === "date")
      return listDays(subject, { ...parameters, direction: "ascending" })[0]?.date ?? "";
    return subject.orders[orderBy] ?? sum(listDays(subject, parameters), orderBy);
  };
  const places = new Map<Subject, number>();
  // These lists have no link to themselves.
  const { href: _, ...list } = await listResponse<Subject, Item>(call, {
    parameters: readParameters,
    items: (parameters) => {
      const sign = parameters["direction"] === "descending" ? -1 : 1;
      const ordered = subjects.toSorted(
        (one, other) =>
          sign * compare(getSortKey(one, parameters), getSortKey(other, parameters)) ||
          compare(one.id, other.id),
      );
      ordered.forEach((subject, place) => {
        places.set(subject, place);
      });
      return ordered;
    },
    // The place in the order, because the key itself may be descending.
    getSortKey: (subject) => [places.get(subject) ?? 0, subject.id],
    render: (subject, parameters) =>
      ({ ...subject.shown, metrics: listDays(subject, parameters) }) as Item,
  });
  return list;
}

async function getAnalytics({ state }: ServiceCall): Promise<SeedAnalytics> {
  return JSON.parse((await readSetting(state.storage.db, "analytics")) ?? "{}") as SeedAnalytics;
}

interface DateRange {
  since: string | undefined;
  until: string | undefined;
}

function readRange({ query }: ServiceCall): DateRange {
  const [since, until] = ["sinceDate", "untilDate"].map((name) => {
    const text = query.get(name) ?? undefined;
    if (text !== undefined && (!/^\d{4}-\d\d-\d\d$/.test(text) || Number.isNaN(Date.parse(text))))
      throw new HttpError(400, `${name} must be a date such as 2026-01-31.`);
    return text;
  });
  if (since !== undefined && until !== undefined && since > until)
    throw new HttpError(400, "sinceDate must not be after untilDate.");
  return { since, until };
}

function inRange(days: readonly SeedMetrics[], { since, until }: DateRange): SeedMetrics[] {
  const chosen = days.filter(
    ({ date }) => (since === undefined || date >= since) && (until === undefined || date <= until),
  );
  return chosen.toSorted((one, other) => compare(one.date, other.date));
}

/** Every metric of the list, 0 where nothing was counted. Revenue is a decimal number as text. */
function complete(day: SeedMetrics, names: readonly string[]): SeedMetrics {
  const counts = Object.fromEntries(names.map((name) => [name, Number(day[name] ?? 0)]));
  return {
    date: day.date,
    ...counts,
    ...(names.includes("docsActivelyUsing")
      ? { revenueUsd: String(day["revenueUsd"] ?? "0.00") }
      : {}),
  };
}

/** Running totals within the requested range. */
function runningTotals(days: readonly SeedMetrics[], names: readonly string[]): SeedMetrics[] {
  const totals: Record<string, number> = {};
  let revenue = 0;
  return days.map((day) => {
    for (const name of names) totals[name] = (totals[name] ?? 0) + Number(day[name]);
    revenue += Number(day["revenueUsd"] ?? 0);
    return {
      date: day.date,
      ...totals,
      ...("revenueUsd" in day ? { revenueUsd: revenue.toFixed(2) } : {}),
    };
  });
}

function sum(days: readonly SeedMetrics[], name: string): number {
  return days.reduce((total, day) => total + Number(day[name] ?? 0), 0);
}

/** Separated by commas, in one parameter or in several. Unknown ids find nothing. */
function readTexts({ query }: ServiceCall, name: string): string[] {
  return query.getAll(name).flatMap((text) => text.split(",").filter((part) => part !== ""));
}

function toText(value: string | number | boolean | undefined): string | undefined {
  return value === undefined ? undefined : String(value);
}

function compare(one: string | number, other: string | number): number {
  return one === other ? 0 : one < other ? -1 : 1;
}
