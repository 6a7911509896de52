import * as z from "zod";
import type {
  AnalyticsLastUpdated,
  DocAnalytics,
  DocAnalyticsSummary,
  PackAnalytics,
  PackAnalyticsSummary,
  PackFormulaAnalytics,
  PageAnalytics,
} from "../analytics-items.ts";
import { DOC_METRICS, PACK_FORMULA_METRICS, PACK_METRICS, PAGE_METRICS } from "../analytics-metrics.ts";
import { icon, named, packFormulaType, type ShapeOf } from "./wire-models.ts";

const text = z.string();
const url = z.url();
const time = z.iso.datetime({ offset: true });
const total = z.int().min(0);
// A text of digits, so that nothing is lost (decision 107).
const revenueUsd = z.string().regex(/^-?\d+(\.\d+)?$/);

function counts<const Name extends string>(names: readonly Name[]) {
  return Object.fromEntries(names.map((name) => [name, z.int()])) as unknown as Record<Name, z.ZodType<number>>;
}

export const docAnalytics = named(
  "DocAnalytics",
  z.object({
    doc: z.object({
      id: text,
      type: z.literal("doc"),
      href: url,
      browserLink: url,
      title: text,
      icon: icon.optional(),
      createdAt: time,
      publishedAt: text.optional(),
    } satisfies ShapeOf<DocAnalytics["doc"]>),
    metrics: z.array(z.object({ date: z.iso.date(), ...counts(DOC_METRICS) })),
  } satisfies ShapeOf<DocAnalytics>),
);

export const docAnalyticsSummary = named("DocAnalyticsSummary", z.object({ totalSessions: total } satisfies ShapeOf<DocAnalyticsSummary>));

export const pageAnalytics = named(
  "PageAnalytics",
  z.object({
    page: z.object({ id: text, name: text, icon: icon.optional() } satisfies ShapeOf<PageAnalytics["page"]>),
    metrics: z.array(z.object({ date: z.iso.date(), ...counts(PAGE_METRICS) })),
  } satisfies ShapeOf<PageAnalytics>),
);

export const packAnalytics = named(
  "PackAnalytics",
  z.object({
    pack: z.object({ id: z.int(), name: text, logoUrl: url.optional(), createdAt: time } satisfies ShapeOf<PackAnalytics["pack"]>),
    metrics: z.array(z.object({ date: z.iso.date(), ...counts(PACK_METRICS), revenueUsd })),
  } satisfies ShapeOf<PackAnalytics>),
);

export const packAnalyticsSummary = named(
  "PackAnalyticsSummary",
  z.object({
    totalDocInstalls: total,
    totalWorkspaceInstalls: total,
    totalInvocations: total,
  } satisfies ShapeOf<PackAnalyticsSummary>),
);

export const packFormulaAnalytics = named(
  "PackFormulaAnalytics",
  z.object({
    formula: z.object({ name: text, type: packFormulaType } satisfies ShapeOf<PackFormulaAnalytics["formula"]>),
    metrics: z.array(z.object({ date: z.iso.date(), ...counts(PACK_FORMULA_METRICS), revenueUsd })),
  } satisfies ShapeOf<PackFormulaAnalytics>),
);

export const analyticsLastUpdated = named(
  "AnalyticsLastUpdated",
  z.object({
    docAnalyticsLastUpdated: z.iso.date(),
    packAnalyticsLastUpdated: z.iso.date(),
    packFormulaAnalyticsLastUpdated: z.iso.date(),
  } satisfies ShapeOf<AnalyticsLastUpdated>),
);
