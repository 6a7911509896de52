import * as z from "zod";
import {
  DOC_METRICS,
  PACK_FORMULA_METRICS,
  PACK_FORMULA_TYPES,
  PACK_METRICS,
  PAGE_METRICS,
} from "../analytics-metrics.ts";
import { count, named, open, resource, text, time, url } from "./model.ts";
import { icon } from "./responses.ts";

/** The counts of one day, or up to it when the scale is cumulative. */
export type Metrics<Name extends string> = { date: string } & Record<Name, number>;

/** The counts of each day, and other members. */
function createMetricsSchema<
  const Name extends string,
  const Others extends z.ZodRawShape = Record<never, never>,
>(names: readonly Name[], others?: Others) {
  const counts = Object.fromEntries(names.map((name) => [name, z.int()]));
  const metrics: unknown = z.array(z.object({ date: z.iso.date(), ...counts, ...others }));
  return metrics as z.ZodType<(Metrics<Name> & z.output<z.ZodObject<Others>>)[]>;
}

/** Revenue is a decimal text, so that no digit is lost. */
const revenueUsd = z.string().regex(/^-?\d+(\.\d+)?$/);

const docModel = z.object({
  doc: z.object({
    ...resource("doc"),
    browserLink: url,
    title: text,
    icon: icon.optional(),
    createdAt: time,
    publishedAt: text.optional(),
  }),
  metrics: createMetricsSchema(DOC_METRICS),
});
export interface DocAnalytics extends z.output<typeof docModel> {}
export const docAnalytics: z.ZodType<DocAnalytics> = named("DocAnalytics", docModel);

const docSummaryModel = z.object({ totalSessions: count });
export interface DocAnalyticsSummary extends z.output<typeof docSummaryModel> {}
export const docAnalyticsSummary: z.ZodType<DocAnalyticsSummary> = named(
  "DocAnalyticsSummary",
  docSummaryModel,
);

const pageModel = z.object({
  page: z.object({ id: text, name: text, icon: icon.optional() }),
  metrics: createMetricsSchema(PAGE_METRICS),
});
export interface PageAnalytics extends z.output<typeof pageModel> {}
export const pageAnalytics: z.ZodType<PageAnalytics> = named("PageAnalytics", pageModel);

const packModel = z.object({
  pack: z.object({ id: z.int(), name: text, logoUrl: url.optional(), createdAt: time }),
  metrics: createMetricsSchema(PACK_METRICS, { revenueUsd }),
});
export interface PackAnalytics extends z.output<typeof packModel> {}
export const packAnalytics: z.ZodType<PackAnalytics> = named("PackAnalytics", packModel);

const packSummaryModel = z.object({
  totalDocInstalls: count,
  totalWorkspaceInstalls: count,
  totalInvocations: count,
});
export interface PackAnalyticsSummary extends z.output<typeof packSummaryModel> {}
export const packAnalyticsSummary: z.ZodType<PackAnalyticsSummary> = named(
  "PackAnalyticsSummary",
  packSummaryModel,
);

const packFormulaModel = z.object({
  formula: z.object({ name: text, type: open(...PACK_FORMULA_TYPES) }),
  metrics: createMetricsSchema(PACK_FORMULA_METRICS, { revenueUsd }),
});
export interface PackFormulaAnalytics extends z.output<typeof packFormulaModel> {}
export const packFormulaAnalytics: z.ZodType<PackFormulaAnalytics> = named(
  "PackFormulaAnalytics",
  packFormulaModel,
);

const lastUpdatedModel = z.object({
  docAnalyticsLastUpdated: z.iso.date(),
  packAnalyticsLastUpdated: z.iso.date(),
  packFormulaAnalyticsLastUpdated: z.iso.date(),
});
/** Days, counted in US Pacific time. */
export interface AnalyticsLastUpdated extends z.output<typeof lastUpdatedModel> {}
export const analyticsLastUpdated: z.ZodType<AnalyticsLastUpdated> = named(
  "AnalyticsLastUpdated",
  lastUpdatedModel,
);
