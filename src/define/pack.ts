import type { Authentication, SystemAuthentication } from "./authentication.ts";
import type { Formula } from "./formula.ts";

/** Everything that a Pack declares: what the builder collects and what the tools read. */
export interface PackVersionDefinition {
  /** One to three numbers, such as `1.2.0`. */
  version?: string | undefined;
  /** How each user's account proves itself. */
  defaultAuthentication?: Authentication | undefined;
  /** How the Pack's own account proves itself. */
  systemConnectionAuthentication?: SystemAuthentication | undefined;
  /** Domains that the Pack may send requests to; their subdomains count. */
  networkDomains: string[];
  formulas: Formula[];
}
