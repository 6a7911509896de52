import { useEffect } from "preact/hooks";
import type { FailureView } from "../wire/failure.ts";
import type { PackView } from "../wire/pack.ts";
import { subscribeToStream } from "./api.ts";
import { useLive } from "./use-live.ts";

export interface PackInUse {
  pack: PackView | undefined;
  /** Why the server could not be asked. */
  failure: FailureView | undefined;
}

/** The Pack as it stands, after every build again. */
export function usePack(): PackInUse {
  const { data, failure, reload } = useLive<PackView>("/api/pack", ({ type }) => type === "pack");
  // A server that is gone says so when it is asked.
  useEffect(() => subscribeToStream((stream) => stream === "lost" && reload()), []);
  return { pack: data, failure };
}
