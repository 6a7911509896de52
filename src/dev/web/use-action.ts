import { useState } from "preact/hooks";
import type { FailureView } from "../wire/failure.ts";
import { failureOf } from "./api.ts";

export interface Action<Answer> {
  isBusy: boolean;
  failure: FailureView | undefined;
  answer: Answer | undefined;
  /** Never rejects. @returns whether it went well */
  run: (work: () => Promise<Answer>) => Promise<boolean>;
  clear: () => void;
}

/** Something that a button starts: whether it works, and what came of it. */
export function useAction<Answer = unknown>(): Action<Answer> {
  const [state, setState] = useState<Pick<Action<Answer>, "isBusy" | "failure" | "answer">>(IDLE);
  return {
    ...state,
    async run(work) {
      setState({ isBusy: true, failure: undefined, answer: undefined });
      try {
        setState({ isBusy: false, failure: undefined, answer: await work() });
        return true;
      } catch (error) {
        setState({ isBusy: false, failure: failureOf(error), answer: undefined });
        return false;
      }
    },
    clear: () => setState(IDLE),
  };
}

const IDLE = { isBusy: false, failure: undefined, answer: undefined };
