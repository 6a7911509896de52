import { isPackError } from "../../errors.ts";
import type { StepUpView } from "../wire/run.ts";
import type { OpenRun } from "./open-run.ts";

/**
 * What the account of a failed run lacks: a server refused it or demands another login, the formula
 * declares more scopes than were
 * granted, or the Pack threw a `MissingScopesError`.
 * @param open the run; undefined if its accounts could not be opened
 */
export function stepUpOf(error: unknown, open: OpenRun | undefined): StepUpView | undefined {
  if (isPackError(error, "ACCOUNT_SCOPES")) {
    const { account, slot, missing } = error.details;
    return { account, slot, scopes: [...missing] };
  }
  if (isPackError(error, "ACCOUNT_LOGIN")) {
    const { account, slot, acrValues, maxAgeSeconds } = error.details;
    return { account, slot, scopes: [], login: { acrValues, maxAgeSeconds } };
  }
  const isThrown =
    isPackError(error, "FORMULA_FAILED") && error.details.thrown === "MissingScopesError";
  if (!isThrown || open?.options.account === undefined) return undefined;
  const { account, slot } = open.runAccount;
  return { account, slot, scopes: [...open.extraScopes] };
}
