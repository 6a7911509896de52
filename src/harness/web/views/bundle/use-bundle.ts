import { useEffect, useState } from "preact/hooks";
import type { BundleView } from "../../../dev/wire/bundle.ts";
import type { FailureView } from "../../../dev/wire/failure.ts";
import { failureOf, get, subscribe, subscribeToStream } from "../../api.ts";

export interface BundleInUse {
  /** Null while nothing could be bundled yet, undefined while it is asked for. */
  bundle: BundleView | null | undefined;
  failure: FailureView | undefined;
}

/** The bundle as it was last built, after every build again. */
export function useBundle(): BundleInUse {
  const [state, setState] = useState<BundleInUse>({ bundle: undefined, failure: undefined });
  useEffect(() => {
    let newest = 0;
    const load = () => {
      newest += 1;
      const mine = newest;
      get<BundleView | null>("/api/bundle").then(
        (bundle) => mine === newest && setState({ bundle, failure: undefined }),
        (error: unknown) => mine === newest && setState(({ bundle }) => ({ bundle, failure: failureOf(error) })),
      );
    };
    const endEvents = subscribe(({ type }) => type === "bundle" && load());
    const endStream = subscribeToStream((stream) => stream === "open" && load());
    load();
    return () => {
      newest = -1;
      endEvents();
      endStream();
    };
  }, []);
  return state;
}
