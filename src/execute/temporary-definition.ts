import type { OAuth2Authentication, OAuth2ClientCredentialsAuthentication } from "../define/oauth.ts";

/** Stands in until src/define has these types. */
export type Authentication = { type: "None" } | OAuth2Authentication | OAuth2ClientCredentialsAuthentication;

export interface Parameter {
  name: string;
  type: string;
  description?: string | undefined;
  optional?: boolean | undefined;
}

export interface Formula {
  name: string;
  description?: string | undefined;
  parameters?: readonly Parameter[] | undefined;
  varargParameters?: readonly Parameter[] | undefined;
  isAction?: boolean | undefined;
  resultType: unknown;
  schema?: unknown;
  items?: unknown;
  connectionRequirement?: string | undefined;
}

export interface PackVersionDefinition {
  version?: string | undefined;
  defaultAuthentication?: Authentication | undefined;
  systemConnectionAuthentication?: Authentication | undefined;
  networkDomains: string[];
  formulas: Formula[];
  formats: unknown[];
  syncTables: unknown[];
  skills: unknown[];
}
