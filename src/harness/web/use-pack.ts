import { useEffect, useState } from "preact/hooks";
import type { FailureView } from "../dev/wire/failure.ts";
import type { PackView } from "../dev/wire/pack.ts";
import { failureOf, get, subscribe, subscribeToStream } from "./api.ts";

export interface PackInUse {
  pack: PackView | undefined;
  /** Why the server could not be asked. */
  failure: FailureView | undefined;
}

/** The Pack as it stands, after every build again. */
export function usePack(): PackInUse {
  const [state, setState] = useState<PackInUse>({ pack: undefined, failure: undefined });
  useEffect(() => {
    let newest = 0;
    const load = () => {
      const mine = ++newest;
      get<PackView>("/api/pack").then(
        (pack) => mine === newest && setState({ pack, failure: undefined }),
        (error: unknown) => mine === newest && setState(({ pack }) => ({ pack, failure: failureOf(error) })),
      );
    };
    const endEvents = subscribe((event) => event.type === "pack" && load());
    const endStream = subscribeToStream(load);
    load();
    return () => {
      endEvents();
      endStream();
    };
  }, []);
  return state;
}
