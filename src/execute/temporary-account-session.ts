import type { Authentication } from "./temporary-definition.ts";

/** Stands in until src/accounts arrives. */
export interface AccountSession {
  readonly endpoint: string | undefined;
  readonly authentication: Authentication;
  getAccessToken(): Promise<string>;
  renewAfterUnauthorized(rejected: string): Promise<string | undefined>;
}
