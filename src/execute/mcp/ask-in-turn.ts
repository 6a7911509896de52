import type { LogEntry } from "../../sandbox/log-entry.ts";
import type { Elicit, ElicitationAnswer } from "./elicitation.ts";

/** A tool that asks more than this tires the user out, until everything is agreed to. */
const MAX_QUESTIONS = 10;

/**
 * Asks one question at a time, and only a few in one run. After the user has cancelled one, the
 * others are cancelled as well.
 */
export function askInTurn(elicit: Elicit, onLog: (entry: LogEntry) => void): Elicit {
  let last: Promise<unknown> = Promise.resolve();
  let count = 0;
  let isCancelled = false;
  const ask: Elicit = async (elicitation, signal) => {
    if (isCancelled || signal.aborted) return { action: "cancel" };
    count += 1;
    if (count > MAX_QUESTIONS) {
      const message = `The server asked more than ${MAX_QUESTIONS} questions. packsmith cancelled the other questions.`;
      if (count === MAX_QUESTIONS + 1) onLog({ level: "warn", message });
      return { action: "cancel" };
    }
    const answer = await elicit(elicitation, signal);
    isCancelled = answer.action === "cancel";
    return answer;
  };
  return (elicitation, signal) => {
    const answer = last.then((): Promise<ElicitationAnswer> => ask(elicitation, signal));
    last = answer.catch(() => undefined);
    return answer;
  };
}
