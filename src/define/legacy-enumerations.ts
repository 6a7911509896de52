// Generated from .ci/enumerations.mjs. To change it, edit that file and run: npm run docs
//
// What only `@codahq/packs-sdk` exports, and the enumerations that existing Packs also read by
// number.

/** The numbers that stand for value types in a compiled definition, and their names by number. */
export const Type = {
  string: 0,
  number: 1,
  object: 2,
  boolean: 3,
  date: 4,
  html: 5,
  image: 6,
  file: 7,
  markdown: 8,
  email: 9,
  0: "string",
  1: "number",
  2: "object",
  3: "boolean",
  4: "date",
  5: "html",
  6: "image",
  7: "file",
  8: "markdown",
  9: "email",
} as const;
export type Type = (typeof Type)[keyof typeof Type & string];

/** What an attribution shows, and the names by number. */
export const AttributionNodeType = {
  Text: 1,
  Link: 2,
  Image: 3,
  1: "Text",
  2: "Link",
  3: "Image",
} as const;
export type AttributionNodeType = (typeof AttributionNodeType)[keyof typeof AttributionNodeType &
  string];
export declare namespace AttributionNodeType {
  type Text = 1;
  type Link = 2;
  type Image = 3;
}

/**
 * @deprecated Accepted for compatibility with existing Packs. The category of a Pack in a listing.
 */
export const PackCategory = {
  CRM: "CRM",
  Calendar: "Calendar",
  Communication: "Communication",
  DataStorage: "DataStorage",
  Design: "Design",
  Financial: "Financial",
  Fun: "Fun",
  Geo: "Geo",
  IT: "IT",
  Mathematics: "Mathematics",
  Organization: "Organization",
  Recruiting: "Recruiting",
  Shopping: "Shopping",
  Social: "Social",
  Sports: "Sports",
  Travel: "Travel",
  Weather: "Weather",
} as const;
export type PackCategory = (typeof PackCategory)[keyof typeof PackCategory];
export declare namespace PackCategory {
  type CRM = "CRM";
  type Calendar = "Calendar";
  type Communication = "Communication";
  type DataStorage = "DataStorage";
  type Design = "Design";
  type Financial = "Financial";
  type Fun = "Fun";
  type Geo = "Geo";
  type IT = "IT";
  type Mathematics = "Mathematics";
  type Organization = "Organization";
  type Recruiting = "Recruiting";
  type Shopping = "Shopping";
  type Social = "Social";
  type Sports = "Sports";
  type Travel = "Travel";
  type Weather = "Weather";
}

/** @deprecated Accepted for compatibility with existing Packs. The plan that a Pack needs. */
export const FeatureSet = {
  Basic: "Basic",
  Pro: "Pro",
  Team: "Team",
  Enterprise: "Enterprise",
} as const;
export type FeatureSet = (typeof FeatureSet)[keyof typeof FeatureSet];
export declare namespace FeatureSet {
  type Basic = "Basic";
  type Pro = "Pro";
  type Team = "Team";
  type Enterprise = "Enterprise";
}

/** @deprecated Accepted for compatibility with existing Packs. What a quota counts. */
export const QuotaLimitType = {
  Action: "Action",
  Getter: "Getter",
  Sync: "Sync",
  Metadata: "Metadata",
} as const;
export type QuotaLimitType = (typeof QuotaLimitType)[keyof typeof QuotaLimitType];
export declare namespace QuotaLimitType {
  type Action = "Action";
  type Getter = "Getter";
  type Sync = "Sync";
  type Metadata = "Metadata";
}

/** @deprecated Accepted for compatibility with existing Packs. How often a table may sync. */
export const SyncInterval = {
  Manual: "Manual",
  Daily: "Daily",
  Hourly: "Hourly",
  EveryTenMinutes: "EveryTenMinutes",
} as const;
export type SyncInterval = (typeof SyncInterval)[keyof typeof SyncInterval];
export declare namespace SyncInterval {
  type Manual = "Manual";
  type Daily = "Daily";
  type Hourly = "Hourly";
  type EveryTenMinutes = "EveryTenMinutes";
}
