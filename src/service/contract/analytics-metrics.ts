/** Counts of a document and a day. */
export const DOC_METRICS = [
  "views",
  "copies",
  "likes",
  "sessionsMobile",
  "sessionsDesktop",
  "sessionsOther",
  "totalSessions",
  "aiCreditsChat",
  "aiCreditsBlock",
  "aiCreditsColumn",
  "aiCreditsAssistant",
  "aiCreditsReviewer",
  "aiCredits",
] as const;

/** Counts of a page and a day. */
export const PAGE_METRICS = [
  "views",
  "sessions",
  "users",
  "averageSecondsViewed",
  "medianSecondsViewed",
  "tabs",
] as const;

const PERIODS = ["", "7Day", "30Day", "90Day", "AllTime"] as const;
const USE_METRICS = [
  ...PERIODS.map((period) => `docsActivelyUsing${period}` as const),
  ...PERIODS.map((period) => `workspacesActivelyUsing${period}` as const),
] as const;
const TRIAL_METRICS = [
  ...PERIODS.map((period) => `workspacesActivelyTrialing${period}` as const),
  "workspacesNewlySubscribed",
  "workspacesWithActiveSubscriptions",
  "workspacesWithSuccessfulTrials",
] as const;

/** Counts of a Pack and a day, in addition to `revenueUsd`. */
export const PACK_METRICS = [
  "docInstalls",
  "workspaceInstalls",
  "numFormulaInvocations",
  "numActionInvocations",
  "numSyncInvocations",
  "numMetadataInvocations",
  ...USE_METRICS,
  ...TRIAL_METRICS,
] as const;

/** Counts of a formula of a Pack and a day, in addition to `revenueUsd`. */
export const PACK_FORMULA_METRICS = [
  "formulaInvocations",
  "errors",
  "medianLatencyMs",
  "medianResponseSizeBytes",
  ...USE_METRICS,
  ...TRIAL_METRICS,
] as const;

export const PACK_FORMULA_TYPES = ["action", "formula", "sync", "metadata"] as const;
export type PackFormulaType = (typeof PACK_FORMULA_TYPES)[number];

const SUBSCRIPTIONS = [
  "workspacesWithActiveSubscriptions",
  "workspacesWithSuccessfulTrials",
  "revenueUsd",
] as const;

/** What the lists may be ordered by. */
export const DOC_ORDERS = [
  "date",
  "docId",
  "title",
  "createdAt",
  "publishedAt",
  ...DOC_METRICS,
] as const;
export const PACK_ORDERS = [
  "date",
  "packId",
  "name",
  "createdAt",
  ...PACK_METRICS.slice(0, 6),
  ...USE_METRICS,
  ...SUBSCRIPTIONS,
] as const;
export const PACK_FORMULA_ORDERS = [
  "date",
  "formulaName",
  "formulaType",
  "formulaInvocations",
  "medianLatencyMs",
  "medianResponseSizeBytes",
  "errors",
  ...USE_METRICS,
] as const;
