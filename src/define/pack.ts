import type { Authentication, SystemAuthentication } from "./authentication.ts";
import type { Formula } from "./formula.ts";

/** Recognises text in a document and offers a formula for it. */
export interface Format {
  name: string;
  formulaName: string;
  instructions?: string | undefined;
  matchers?: RegExp[] | undefined;
}

/** A Pack: everything that one version of it offers. */
export interface PackVersionDefinition {
  /** One to three numbers, such as `"1.2.3"`, with an optional `-prerelease.<n>` (rule 182). */
  version?: string | undefined;
  /** How requests are signed for the account of the user who runs a formula. */
  defaultAuthentication?: Authentication | undefined;
  /** How requests are signed for the Pack's own account. */
  systemConnectionAuthentication?: SystemAuthentication | undefined;
  /** The only hosts that the Pack may call, with their subdomains. */
  networkDomains: string[];
  formulas: Formula[];
  formats: Format[];
  syncTables: unknown[];
  skills: unknown[];
  mcpServers?: unknown[] | undefined;
}

/** A Pack without its version. */
export type BasicPackDefinition = Omit<PackVersionDefinition, "version">;
