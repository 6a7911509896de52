import type { ReportedError } from "../../../shared/reported-error.ts";
import type { RunFailureView, RunView } from "../../wire/run.ts";

/** Everything that the page knows about the run of a formula or table, and its account. */
export interface RunState {
  /** The user chose Run, and it has not started since. */
  isAsked: boolean;
  accounts: "unknown" | "missing" | "present";
  isBusy: boolean;
  /** An account was connected here since the last run started. */
  isConnected: boolean;
  /** The last run that the server answered with. */
  run: RunView | undefined;
  /** Why the last request failed. A failure of the Pack is in the run. */
  failure: ReportedError | undefined;
}

/** What the server reports, and what the user does, in any order. */
export type RunEvent =
  | { type: "asked" }
  | { type: "accounts"; accounts: RunState["accounts"] }
  | { type: "connected" }
  /** A new run, or the next page of a table. */
  | { type: "started" | "continued" }
  | { type: "answered"; run: RunView }
  | { type: "failed"; failure: ReportedError }
  /** More rows of a table that still runs. */
  | { type: "page"; run: RunView }
  /** Rows of this run were edited. */
  | { type: "edited"; run: RunView };

export const NOTHING_ASKED: RunState = {
  isAsked: false,
  accounts: "unknown",
  isBusy: false,
  isConnected: false,
  run: undefined,
  failure: undefined,
};

export function advance(state: RunState, event: RunEvent): RunState {
  switch (event.type) {
    case "asked":
      return state.isBusy ? state : { ...state, isAsked: true };
    case "accounts": {
      const next = { ...state, accounts: event.accounts };
      return { ...next, isAsked: state.isAsked || lacksItsAccount(next) };
    }
    case "connected":
      return { ...state, isConnected: true };
    case "started":
      return { ...state, isAsked: false, isBusy: true, isConnected: false, failure: undefined };
    case "continued": {
      const run = state.run && { ...state.run, state: "running" as const };
      return { ...state, run, isBusy: true, failure: undefined };
    }
    case "answered": {
      const next = { ...state, isBusy: false, run: event.run };
      return { ...next, isAsked: lacksItsAccount(next) };
    }
    case "failed":
      return { ...state, isBusy: false, failure: event.failure };
    case "page":
      return isLaterPage(state.run, event.run) ? { ...state, run: event.run } : state;
    case "edited":
      return state.run?.id === event.run.id ? { ...state, run: event.run } : state;
  }
}

/** Whether the run starts now. A run that waits for an account starts when there is one. */
export function startsNow(state: RunState): boolean {
  return !state.isBusy && state.accounts === "present" && (state.isAsked || isFollowedUp(state));
}

/** Whether a run starts as soon as an account is connected. */
export function waitsForAccount(state: RunState): boolean {
  return state.isAsked && state.accounts === "missing";
}

/** What the card that connects the account of a run has to know. */
export interface AccountNeed extends Pick<RunState, "isBusy" | "isConnected"> {
  /** The last run that used the account. */
  runId: string | undefined;
  /** Why the last run failed. */
  failure: RunFailureView | undefined;
  /** A run starts as soon as an account is connected. */
  isWaited: boolean;
}

export function describeNeed(state: RunState): AccountNeed {
  const { run, isBusy, isConnected } = state;
  const isWaited = waitsForAccount(state);
  return { runId: run?.id, failure: run?.failure, isBusy, isConnected, isWaited };
}

/** The one thing that the result of a run shows. */
export type Screen =
  | { is: "empty"; waitsForAccount: boolean }
  /** `run` is the run in progress, or the one before it. */
  | { is: "running"; run: RunView | undefined }
  /** The request failed. What an earlier request gave stays below it. */
  | { is: "refused"; failure: ReportedError; run: RunView | undefined }
  | { is: "failed"; failure: RunFailureView; run: RunView }
  | { is: "done"; run: RunView };

export function readScreen(state: RunState): Screen {
  const { run, failure } = state;
  if (state.isBusy || startsNow(state)) return { is: "running", run };
  if (failure !== undefined) return { is: "refused", failure, run };
  // A failure for want of an account is no longer true once one was connected.
  if (run === undefined || (isAboutAccount(run.failure) && state.isConnected))
    return { is: "empty", waitsForAccount: waitsForAccount(state) };
  return run.failure === undefined
    ? { is: "done", run }
    : { is: "failed", failure: run.failure, run };
}

/** Failures of a run that go away when its account is connected again. */
const RECONNECTABLE: ReadonlySet<string> = new Set([
  "ACCOUNT_RECONNECT",
  "ACCOUNT_HOSTS_CHANGED",
  "OAUTH_TOKEN_REJECTED",
]);

/** Whether a run failed because its account must be connected again. */
export function needsReconnection(failure: RunFailureView | undefined): boolean {
  return failure !== undefined && (failure.stepUp !== undefined || RECONNECTABLE.has(failure.code));
}

function isAboutAccount(failure: RunFailureView | undefined): boolean {
  return failure?.code === "ACCOUNT_MISSING" || needsReconnection(failure);
}

/** A run that failed for want of an account is followed by another one once there is one. */
function lacksItsAccount({ run, failure, accounts }: RunState): boolean {
  return (
    failure === undefined && run?.failure?.code === "ACCOUNT_MISSING" && accounts === "missing"
  );
}

function isFollowedUp({ run, failure, isConnected }: RunState): boolean {
  return isConnected && failure === undefined && isAboutAccount(run?.failure);
}

/**
 * Whether a run is newer than what is shown. The last page comes as the answer to the request that
 * runs.
 */
function isLaterPage(shown: RunView | undefined, seen: RunView): boolean {
  return (
    shown?.id === seen.id &&
    shown.state === "running" &&
    seen.state === "running" &&
    seen.rowCount >= shown.rowCount
  );
}
