import { useEffect, useState } from "preact/hooks";
import type { ReportedError } from "../../../shared/reported-error.ts";
import type { ServiceView } from "../../wire/service.ts";
import { findFailure, get, subscribe } from "../api.ts";

export interface ServiceData {
  service: ServiceView | undefined;
  failure: ReportedError | undefined;
  /**
   * When it was asked, in milliseconds of this browser. The clock of the service runs on from
   * there; a later edit is not in it.
   */
  askedAtMs: number;
}

/** How often the service is asked while no edit is pending. */
const CALM_MS = 1_000;
/** How often while edits are pending. */
const BUSY_MS = 200;

/** The state of the service, updated while the page is visible. */
export function useService(): ServiceData {
  const [state, setState] = useState<ServiceData>({
    service: undefined,
    failure: undefined,
    askedAtMs: 0,
  });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isClosed = false;
    let isAsking = false;
    let isWanted = false;
    const ask = (): void => {
      clearTimeout(timer);
      // The current answer may miss what changed since its request: ask again afterwards.
      isWanted = isAsking;
      if (isAsking) return;
      isAsking = true;
      const askedAtMs = Date.now();
      get<ServiceView>("/api/service")
        .then(
          (service) => {
            if (!isClosed) setState({ service, failure: undefined, askedAtMs });
            return service.running !== undefined &&
              service.running.pending.length > 0 &&
              !service.running.isHeld
              ? BUSY_MS
              : CALM_MS;
          },
          (error: unknown) => {
            if (!isClosed) setState((before) => ({ ...before, failure: findFailure(error) }));
            return CALM_MS;
          },
        )
        .then((waitMs) => {
          isAsking = false;
          if (isClosed) return;
          if (isWanted) ask();
          else if (document.visibilityState === "visible") timer = setTimeout(ask, waitMs);
        });
    };
    const onVisible = () => document.visibilityState === "visible" && ask();
    document.addEventListener("visibilitychange", onVisible);
    const endEvents = subscribe(({ type }) => (type === "service" || type === "pack") && ask());
    ask();
    return () => {
      isClosed = true;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", onVisible);
      endEvents();
    };
  }, []);
  return state;
}

/**
 * Data of the service, loaded again when documents may have changed. The old data stays until the
 * new data arrives.
 * @param path undefined loads nothing
 */
export function useDocuments<Answer>(
  path: string | undefined,
  fingerprint: string,
): { value: Answer | undefined; failure: ReportedError | undefined } {
  const [state, setState] = useState<{
    path?: string | undefined;
    value?: Answer;
    failure?: ReportedError;
  }>({});
  useEffect(() => {
    if (path === undefined) return;
    const gone = new AbortController();
    get<Answer>(path, { signal: gone.signal }).then(
      (value) => setState({ path, value }),
      (error: unknown) => !gone.signal.aborted && setState({ path, failure: findFailure(error) }),
    );
    return () => gone.abort();
  }, [path, fingerprint]);
  const isCurrent = state.path === path;
  return {
    value: isCurrent ? state.value : undefined,
    failure: isCurrent ? state.failure : undefined,
  };
}
