import { useEffect, useRef, useState } from "preact/hooks";
import type { FailureView } from "../../wire/common.ts";
import type { RunRequest, RunView } from "../../wire/run.ts";
import { failureOf, get, isAborted, post, subscribe } from "../api.ts";

export interface RunControl {
  run: RunView | undefined;
  isBusy: boolean;
  /** Why the request failed. A failure of the Pack is in the run. */
  failure: FailureView | undefined;
  start(request: RunRequest): void;
  /** Loads the next page of a table, or all remaining pages. */
  next(toTheEnd: boolean): void;
  /** Stops after the current page. */
  pause(): void;
  /** Stops at once. */
  cancel(): void;
  setRun(run: RunView): void;
}

/** The run of a formula or a table. Starting another one ends it. */
export function useRun(): RunControl {
  const [run, setRun] = useState<RunView | undefined>(undefined);
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<FailureView | undefined>(undefined);
  const current = useRef<AbortController | undefined>(undefined);
  const id = useRef<string | undefined>(undefined);
  id.current = run?.id;

  useEffect(() => () => current.current?.abort(), []);
  useEffect(
    () =>
      subscribe((event) => {
        if (event.type !== "run" || event.state !== "page" || event.id !== id.current) return;
        get<RunView>(`/api/runs/${event.id}`).then(
          // Ignore an answer that is older than what is shown.
          (seen) =>
            setRun((shown) => (shown?.id === seen.id && shown.state === "running" && seen.rowCount >= shown.rowCount ? seen : shown)),
          () => {},
        );
      }),
    [],
  );

  const ask = (path: string, body: unknown): void => {
    current.current?.abort();
    const abort = new AbortController();
    current.current = abort;
    setIsBusy(true);
    setFailure(undefined);
    post<RunView>(path, body, { signal: abort.signal }).then(
      (answer) => {
        if (current.current !== abort) return;
        setRun(answer);
        setIsBusy(false);
      },
      (error: unknown) => {
        if (current.current !== abort) return;
        setIsBusy(false);
        if (isAborted(error)) setFailure({ code: "INTERRUPTED", message: "The run was stopped." });
        else setFailure(failureOf(error));
      },
    );
  };
  return {
    run,
    isBusy,
    failure,
    setRun,
    start: (request) => ask("/api/runs", request),
    next(toTheEnd) {
      if (run === undefined) return;
      setRun({ ...run, state: "running" });
      ask(`/api/runs/${run.id}/next`, { toTheEnd });
    },
    pause() {
      if (run !== undefined) post(`/api/runs/${run.id}/pause`).catch(() => {});
    },
    cancel: () => current.current?.abort(),
  };
}

/** The names of the accounts that a run may use; undefined if it uses none, or while they are loading. */
export function useAccountNames(connection: "none" | "optional" | "required"): readonly string[] | undefined {
  const [names, setNames] = useState<readonly string[] | undefined>(undefined);
  useEffect(() => {
    if (connection === "none") return;
    const load = () => void get<string[]>("/api/account-names").then(setNames, () => setNames(undefined));
    load();
    return subscribe((event) => event.type === "account" && load());
  }, [connection]);
  return names;
}
