import { useEffect, useRef, useState } from "preact/hooks";
import type { ReportedError } from "../../shared/reported-error.ts";
import type { DevEvent } from "../wire/common.ts";
import { findFailure, get, subscribe, subscribeToStream } from "./api.ts";

export interface Live<Data> {
  data: Data | undefined;
  /** Why the last request failed. */
  failure: ReportedError | undefined;
  /** In milliseconds of this browser's clock. */
  receivedAtMs: number | undefined;
  reload: () => void;
}

/**
 * What the server answers to a path, loaded again after every event that concerns it. Events that
 * arrive during a request
 * cause one more request, not one each.
 * @param path undefined loads nothing
 */
export function useLive<Data>(
  path: string | undefined,
  concerns: (event: DevEvent) => boolean,
): Live<Data> {
  const [state, setState] = useState<Omit<Live<Data>, "reload">>({
    data: undefined,
    failure: undefined,
    receivedAtMs: undefined,
  });
  const reload = useRef(() => {});
  const isConcerned = useRef(concerns);
  isConcerned.current = concerns;
  useEffect(() => {
    if (path === undefined) return;
    let isGone = false;
    let isAsking = false;
    let isStale = false;
    const load = (): void => {
      isStale = isAsking;
      if (isAsking) return;
      isAsking = true;
      get<Data>(path)
        .then(
          (data) => !isGone && setState({ data, failure: undefined, receivedAtMs: Date.now() }),
          (error: unknown) =>
            !isGone && setState((before) => ({ ...before, failure: findFailure(error) })),
        )
        .finally(() => {
          isAsking = false;
          if (isStale && !isGone) load();
        });
    };
    reload.current = load;
    const endEvents = subscribe((event) => isConcerned.current(event) && load());
    const endStream = subscribeToStream((stream) => stream === "open" && load());
    load();
    return () => {
      isGone = true;
      endEvents();
      endStream();
    };
  }, [path]);
  return { ...state, reload: () => reload.current() };
}

export interface Action<Answer> {
  isBusy: boolean;
  failure: ReportedError | undefined;
  answer: Answer | undefined;
  /** Never rejects. @returns whether it succeeded */
  run: (work: () => Promise<Answer>) => Promise<boolean>;
  clear: () => void;
}

/**
 * Work that a button starts: whether it is running, and its answer or failure. If it is started
 * again while it runs, the answer of the
 * earlier work does not replace that of the later one, and no failure gets lost.
 */
export function useAction<Answer = unknown>(): Action<Answer> {
  const [state, setState] = useState<Pick<Action<Answer>, "isBusy" | "failure" | "answer">>(IDLE);
  const latest = useRef(0);
  return {
    ...state,
    async run(work) {
      latest.current += 1;
      const own = latest.current;
      const isLatest = () => own === latest.current;
      setState({ isBusy: true, failure: undefined, answer: undefined });
      try {
        const answer = await work();
        if (isLatest()) setState(({ failure }) => ({ isBusy: false, failure, answer }));
        return true;
      } catch (error) {
        setState((before) => ({
          ...before,
          isBusy: before.isBusy && !isLatest(),
          failure: findFailure(error),
        }));
        return false;
      }
    },
    clear() {
      latest.current += 1;
      setState(IDLE);
    },
  };
}

const IDLE = { isBusy: false, failure: undefined, answer: undefined };
