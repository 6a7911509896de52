/** A span of days, relative to today: a suggested value of a `DateArray` parameter. */
export const PrecannedDateRange = {
  Yesterday: "yesterday",
  Last7Days: "last_7_days",
  Last30Days: "last_30_days",
  Last90Days: "last_90_days",
  Last180Days: "last_180_days",
  Last365Days: "last_365_days",
  LastWeek: "last_week",
  LastMonth: "last_month",
  /** @deprecated Accepted for compatibility with existing Packs. */
  Last3Months: "last_3_months",
  /** @deprecated Accepted for compatibility with existing Packs. */
  Last6Months: "last_6_months",
  LastYear: "last_year",
  Today: "today",
  ThisWeek: "this_week",
  ThisMonth: "this_month",
  YearToDate: "year_to_date",
  ThisYear: "this_year",
  Last7AndNext7Days: "last_7_and_next_7_days",
  Last30AndNext30Days: "last_30_and_next_30_days",
  Last90AndNext90Days: "last_90_and_next_90_days",
  Tomorrow: "tomorrow",
  Next7Days: "next_7_days",
  Next30Days: "next_30_days",
  Next90Days: "next_90_days",
  Next180Days: "next_180_days",
  Next365Days: "next_365_days",
  NextWeek: "next_week",
  NextMonth: "next_month",
  /** @deprecated Accepted for compatibility with existing Packs. */
  Next3Months: "next_3_months",
  /** @deprecated Accepted for compatibility with existing Packs. */
  Next6Months: "next_6_months",
  NextYear: "next_year",
  /** All days, from long ago to far in the future. */
  Everything: "everything",
} as const;
export type PrecannedDateRange = (typeof PrecannedDateRange)[keyof typeof PrecannedDateRange];
export declare namespace PrecannedDateRange {
  type Yesterday = "yesterday";
  type Last7Days = "last_7_days";
  type Last30Days = "last_30_days";
  type Last90Days = "last_90_days";
  type Last180Days = "last_180_days";
  type Last365Days = "last_365_days";
  type LastWeek = "last_week";
  type LastMonth = "last_month";
  type Last3Months = "last_3_months";
  type Last6Months = "last_6_months";
  type LastYear = "last_year";
  type Today = "today";
  type ThisWeek = "this_week";
  type ThisMonth = "this_month";
  type YearToDate = "year_to_date";
  type ThisYear = "this_year";
  type Last7AndNext7Days = "last_7_and_next_7_days";
  type Last30AndNext30Days = "last_30_and_next_30_days";
  type Last90AndNext90Days = "last_90_and_next_90_days";
  type Tomorrow = "tomorrow";
  type Next7Days = "next_7_days";
  type Next30Days = "next_30_days";
  type Next90Days = "next_90_days";
  type Next180Days = "next_180_days";
  type Next365Days = "next_365_days";
  type NextWeek = "next_week";
  type NextMonth = "next_month";
  type Next3Months = "next_3_months";
  type Next6Months = "next_6_months";
  type NextYear = "next_year";
  type Everything = "everything";
}

/** @deprecated Accepted for compatibility with existing Packs. */
export const PrecannedDate = {
  Today: "today",
  Yesterday: "yesterday",
  Tomorrow: "tomorrow",
  DaysAgo7: "7_days_ago",
  DaysAgo30: "30_days_ago",
  DaysAgo90: "90_days_ago",
  DaysAgo180: "180_days_ago",
  DaysAgo365: "365_days_ago",
  DaysAhead7: "7_days_ahead",
  DaysAhead30: "30_days_ahead",
  DaysAhead90: "90_days_ahead",
  DaysAhead180: "180_days_ahead",
  DaysAhead365: "365_days_ahead",
} as const;
export type PrecannedDate = (typeof PrecannedDate)[keyof typeof PrecannedDate];
export declare namespace PrecannedDate {
  type Today = "today";
  type Yesterday = "yesterday";
  type Tomorrow = "tomorrow";
  type DaysAgo7 = "7_days_ago";
  type DaysAgo30 = "30_days_ago";
  type DaysAgo90 = "90_days_ago";
  type DaysAgo180 = "180_days_ago";
  type DaysAgo365 = "365_days_ago";
  type DaysAhead7 = "7_days_ahead";
  type DaysAhead30 = "30_days_ahead";
  type DaysAhead90 = "90_days_ahead";
  type DaysAhead180 = "180_days_ahead";
  type DaysAhead365 = "365_days_ahead";
}
