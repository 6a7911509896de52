import type { AccountSlot } from "../accounts/account-summary.ts";
import type { LoginDemand } from "../oauth/challenge.ts";

/** What the account of a failed run lacks: scopes, or another login of the user. */
export interface StepUp {
  account: string;
  slot: AccountSlot;
  /** Empty if it is not known which, or if none are missing. */
  scopes: readonly string[];
  /** The login that is demanded instead of scopes (RFC 9470). */
  login?: LoginDemand | undefined;
}
