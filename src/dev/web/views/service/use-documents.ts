import { useEffect, useState } from "preact/hooks";
import type { FailureView } from "../../../wire/failure.ts";
import { failureOf, get } from "../../api.ts";

/**
 * Something of the service, asked for again whenever documents may have changed. What was there before stays until the new is.
 * @param path undefined asks for nothing
 */
export function useDocuments<Answer>(
  path: string | undefined,
  stamp: string,
): { value: Answer | undefined; failure: FailureView | undefined } {
  const [state, setState] = useState<{ path?: string | undefined; value?: Answer; failure?: FailureView }>({});
  useEffect(() => {
    if (path === undefined) return;
    const gone = new AbortController();
    get<Answer>(path, { signal: gone.signal }).then(
      (value) => setState({ path, value }),
      (error: unknown) => !gone.signal.aborted && setState({ path, failure: failureOf(error) }),
    );
    return () => gone.abort();
  }, [path, stamp]);
  const isCurrent = state.path === path;
  return { value: isCurrent ? state.value : undefined, failure: isCurrent ? state.failure : undefined };
}
