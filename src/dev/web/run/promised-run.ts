/** What the page knows about a run that may need an account. */
export interface PromisedRun {
  /** The user chose Run, and it has not started since. */
  isAsked: boolean;
  accounts: "unknown" | "missing" | "present";
  isBusy: boolean;
  /** Why the last run failed: for want of an account, because of its account, or another reason. */
  failure: "missing" | "refused" | "other" | undefined;
  /** An account was connected here since the last run started. */
  isConnected: boolean;
}

/** What the server reports, and what the user does, in any order. */
export type RunEvent =
  | { type: "asked" }
  | { type: "accounts"; accounts: PromisedRun["accounts"] }
  | { type: "connected" }
  | { type: "started" }
  | { type: "answered"; failure: PromisedRun["failure"] };

export const NOTHING_ASKED: PromisedRun = {
  isAsked: false,
  accounts: "unknown",
  isBusy: false,
  failure: undefined,
  isConnected: false,
};

export function advance(run: PromisedRun, event: RunEvent): PromisedRun {
  switch (event.type) {
    case "asked":
      return run.isBusy ? run : { ...run, isAsked: true };
    case "accounts": {
      // A run that failed for want of an account is followed by another one once there is one.
      const isAsked = run.isAsked || (run.failure === "missing" && event.accounts === "missing");
      return { ...run, accounts: event.accounts, isAsked };
    }
    case "connected":
      return { ...run, isConnected: true };
    case "started":
      return { ...run, isAsked: false, isBusy: true, isConnected: false };
    case "answered": {
      const isAsked = event.failure === "missing" && run.accounts === "missing";
      return { ...run, isBusy: false, failure: event.failure, isAsked };
    }
  }
}

/** Whether the run starts now. A run that waits for an account starts when there is one. */
export function startsNow(run: PromisedRun): boolean {
  return !run.isBusy && run.accounts === "present" && (run.isAsked || isFollowedUp(run));
}

/** Whether a run starts as soon as an account is connected. */
export function waitsForAccount(run: PromisedRun): boolean {
  return run.isAsked && run.accounts === "missing";
}

/** Whether the failure of the last run is still true: no account has been connected since. */
export function showsFailure(run: PromisedRun): boolean {
  const isAboutAccount = run.failure === "missing" || run.failure === "refused";
  return !isAboutAccount || !(run.isBusy || run.isConnected || startsNow(run));
}

function isFollowedUp({ failure, isConnected }: PromisedRun): boolean {
  return isConnected && (failure === "missing" || failure === "refused");
}
