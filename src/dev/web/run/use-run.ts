import { useEffect, useReducer, useRef } from "preact/hooks";
import type { ReportedError } from "../../../shared/reported-error.ts";
import type { AccountsView, ProfileView, SlotView } from "../../wire/accounts.ts";
import type { RunRequest, RunView } from "../../wire/run.ts";
import { findFailure, get, isAborted, post, subscribe } from "../api.ts";
import { useLive } from "../use-server.ts";
import type { Runnable } from "./form-values.ts";
import { advance, NOTHING_ASKED, type RunEvent, type RunState } from "./run-state.ts";

export interface RunControl {
  state: RunState;
  /** Reports what happened to the run or its account. */
  note(event: RunEvent): void;
  start(request: RunRequest): void;
  /** Loads the next page of a table, or all remaining pages. */
  next(toTheEnd: boolean): void;
  /** Stops after the current page. */
  pause(): void;
  /** Stops at once. */
  cancel(): void;
}

/** The run of a formula or a table. Starting another one ends it. */
export function useRun(): RunControl {
  const [state, note] = useReducer(advance, NOTHING_ASKED);
  const current = useRef<AbortController | undefined>(undefined);
  const id = useRef<string | undefined>(undefined);
  id.current = state.run?.id;

  useEffect(() => () => current.current?.abort(), []);
  useEffect(
    () =>
      subscribe((event) => {
        if (event.type !== "run" || event.state !== "page" || event.id !== id.current) return;
        get<RunView>(`/api/runs/${event.id}`).then(
          (run) => note({ type: "page", run }),
          () => {},
        );
      }),
    [],
  );

  const ask = (path: string, body: unknown): void => {
    current.current?.abort();
    const abort = new AbortController();
    current.current = abort;
    const noteOwn = (event: RunEvent): void => {
      if (current.current === abort) note(event);
    };
    post<RunView>(path, body, { signal: abort.signal }).then(
      (run) => noteOwn({ type: "answered", run }),
      (error: unknown) => noteOwn({ type: "failed", failure: readFailure(error) }),
    );
  };
  return {
    state,
    note,
    start(request) {
      note({ type: "started" });
      ask("/api/runs", request);
    },
    next(toTheEnd) {
      if (state.run === undefined) return;
      note({ type: "continued" });
      ask(`/api/runs/${state.run.id}/next`, { toTheEnd });
    },
    pause() {
      if (state.run !== undefined) post(`/api/runs/${state.run.id}/pause`).catch(() => {});
    },
    cancel: () => current.current?.abort(),
  };
}

function readFailure(error: unknown): ReportedError {
  return isAborted(error)
    ? { code: "INTERRUPTED", message: "The run was stopped." }
    : findFailure(error);
}

export interface RunAccounts {
  /** The kinds of account that the Pack declares. */
  slots: readonly SlotView[];
  /** The kind that runs use; undefined if the Pack declares none, or while it is loading. */
  slot: SlotView | undefined;
  profiles: readonly ProfileView[];
  /** The accounts to choose from. */
  names: readonly string[];
  /** Whether the accounts are known, or cannot be read. */
  isLoaded: boolean;
  /** A run would fail, because no account is connected. */
  isMissing: boolean;
}

/** The accounts that a run may use. */
export function useRunAccounts(connection: Runnable["connection"]): RunAccounts {
  const path = connection === "none" ? undefined : "/api/accounts";
  const { data, failure } = useLive<AccountsView>(
    path,
    ({ type }) => type === "account" || type === "pack",
  );
  const slots = data?.slots.filter(({ kind }) => kind !== "unsupported") ?? [];
  // Without user authentication, runs use the Pack's own account, of which there is one.
  const users = slots.filter(({ slot }) => slot !== "system");
  const slot = users[0] ?? slots[0];
  const names = [...new Set(users.flatMap(({ accounts }) => accounts.map(({ name }) => name)))];
  const isKnown = data !== undefined && data.vault === undefined;
  const isMissing =
    isKnown &&
    connection === "required" &&
    slot !== undefined &&
    slot.accounts.length === 0 &&
    names.length === 0;
  const isLoaded = path === undefined || data !== undefined || failure !== undefined;
  return { slots, slot, profiles: data?.profiles ?? [], names, isLoaded, isMissing };
}

/**
 * The account that a run uses. No name means the account "default"; if there is no such account,
 * the first one is used.
 */
export function chosenAccount(
  { names }: Pick<RunAccounts, "names">,
  picked: string,
): string | undefined {
  return names.includes(picked) ? picked : names.includes("default") ? undefined : names[0];
}
