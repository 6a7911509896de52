import { useRef, useState } from "preact/hooks";
import type { FailureView } from "../../dev/wire/failure.ts";
import { failureOf } from "../api.ts";

/** Something that a person starts, of which there is one at a time. */
export interface Action {
  isBusy: boolean;
  /** Of the latest one that failed, until another one begins. */
  failure: FailureView | undefined;
  /** Never rejects; tells whether it went well. */
  run(work: () => Promise<unknown>): Promise<boolean>;
  forget(): void;
}

/** @param onDone called after each one, whether or not it failed */
export function useAction(onDone?: () => void): Action {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<FailureView | undefined>(undefined);
  const latest = useRef(0);
  return {
    isBusy,
    failure,
    forget: () => setFailure(undefined),
    run(work) {
      latest.current += 1;
      const mine = latest.current;
      setBusy(true);
      setFailure(undefined);
      return work()
        .then(
          () => true,
          (error: unknown) => {
            if (mine === latest.current) setFailure(failureOf(error));
            return false;
          },
        )
        .finally(() => {
          if (mine === latest.current) setBusy(false);
          onDone?.();
        });
    },
  };
}
