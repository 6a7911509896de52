import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ReportedError } from "../../../shared/reported-error.ts";
import { SERVER_GONE } from "../api.ts";
import { FailureNotice } from "../parts/failure-notice.tsx";
import type { ViewProps } from "../route.ts";

/** A view whose code is loaded when it is opened for the first time. */
export function loadLater(load: () => Promise<ComponentType<ViewProps>>): ComponentType<ViewProps> {
  let Loaded: ComponentType<ViewProps> | undefined;
  return function Later(props) {
    const [failure, setFailure] = useState<ReportedError>();
    const [, setIsLoaded] = useState(Loaded !== undefined);
    useEffect(() => {
      if (Loaded !== undefined) return;
      load().then(
        (view) => {
          Loaded = view;
          setIsLoaded(true);
        },
        () => setFailure(SERVER_GONE),
      );
    }, []);
    if (Loaded !== undefined) return <Loaded {...props} />;
    return <FailureNotice failure={failure} />;
  };
}
