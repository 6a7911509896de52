import type { DOC_METRICS, PACK_FORMULA_METRICS, PACK_METRICS, PAGE_METRICS, PackFormulaType } from "./analytics-metrics.ts";
import type { Icon, Open, Resource } from "./wire.ts";

/** The counts of one day, or up to it when the scale is cumulative. */
export type Metrics<Name extends string> = { date: string } & Record<Name, number>;

export interface DocAnalytics {
  doc: Resource<"doc"> & {
    browserLink: string;
    title: string;
    icon?: Icon | undefined;
    createdAt: string;
    publishedAt?: string | undefined;
  };
  metrics: Metrics<(typeof DOC_METRICS)[number]>[];
}

export interface DocAnalyticsSummary {
  totalSessions: number;
}

export interface PageAnalytics {
  page: { id: string; name: string; icon?: Icon | undefined };
  metrics: Metrics<(typeof PAGE_METRICS)[number]>[];
}

/** Revenue is a decimal text (decision 107). */
type Sold<Counts> = Counts & { revenueUsd: string };

export interface PackAnalytics {
  pack: { id: number; name: string; logoUrl?: string | undefined; createdAt: string };
  metrics: Sold<Metrics<(typeof PACK_METRICS)[number]>>[];
}

export interface PackAnalyticsSummary {
  totalDocInstalls: number;
  totalWorkspaceInstalls: number;
  totalInvocations: number;
}

export interface PackFormulaAnalytics {
  formula: { name: string; type: Open<PackFormulaType> };
  metrics: Sold<Metrics<(typeof PACK_FORMULA_METRICS)[number]>>[];
}

/** Days, counted in US Pacific time. */
export interface AnalyticsLastUpdated {
  docAnalyticsLastUpdated: string;
  packAnalyticsLastUpdated: string;
  packFormulaAnalyticsLastUpdated: string;
}
