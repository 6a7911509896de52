import type { LogEntry } from "../../sandbox/log-entry.ts";

/** A tool that asks more than this tires the user out, until everything is agreed to. */
const MAX_QUESTIONS = 10;

/** A value that a user may give. */
export type ElicitedValue = string | number | boolean | string[];

/** One question of an elicitation: a restricted JSON Schema. */
export interface ElicitationField {
  name: string;
  title: string;
  description: string | undefined;
  type: "text" | "number" | "integer" | "boolean" | "choice" | "choices";
  isRequired: boolean;
  /** A suggestion. What is not in the answer is not sent. */
  default: ElicitedValue | undefined;
  /** Of a choice. */
  options: readonly { value: string; title: string }[];
  /** Of a text. */
  format: "email" | "uri" | "date" | "date-time" | undefined;
  /** Least length of a text, value of a number, or number of choices. */
  least: number | undefined;
  /** Greatest length of a text, value of a number, or number of choices. */
  most: number | undefined;
}

/** Questions whose answers go to the server. */
export interface FormElicitation {
  mode: "form";
  /** Host of the server. */
  server: string;
  message: string;
  fields: readonly ElicitationField[];
}

/** A page that the user should visit. What is entered there does not pass through packsmith. */
export interface UrlElicitation {
  mode: "url";
  /** Host of the server. */
  server: string;
  message: string;
  /** https, or http on this machine. Do not open it before the user has seen it and agreed. */
  url: string;
}

/** What a server of the Model Context Protocol wants from the user while its tool runs. */
export type Elicitation = FormElicitation | UrlElicitation;

/** `accept` has the answers of a form, or says that the user has visited the page. */
export type ElicitationAnswer =
  | { action: "accept"; content?: Record<string, ElicitedValue> | undefined }
  | { action: "decline" | "cancel" };

/**
 * Asks the user, one question at a time. What it returns is sent to the server.
 * @param signal aborts when the server no longer waits for the answer
 */
export type Elicit = (elicitation: Elicitation, signal: AbortSignal) => Promise<ElicitationAnswer>;

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
