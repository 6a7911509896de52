import { findAnswerProblem } from "../../execute/mcp/check-answer.ts";
import type { Elicit, Elicitation, ElicitationAnswer } from "../../execute/mcp/elicitation.ts";
import type { EventStream } from "../session/event-stream.ts";
import type { AnswerProblems, QuestionView } from "../wire/mcp.ts";

/** What MCP servers ask the user while their tools run. */
export interface Questions {
  /** Asks on the page. @param target the run that asks */
  elicitFor(target: string): Elicit;
  /** The questions that wait for an answer. */
  list(): QuestionView[];
  /**
   * Gives the answer to the server. The question stays if something is wrong with it.
   * @returns undefined if the question is gone
   */
  answer(id: string, answer: ElicitationAnswer): AnswerProblems | undefined;
}

interface Open {
  view: QuestionView;
  resolve(answer: ElicitationAnswer): void;
}

export function createQuestions(events: EventStream): Questions {
  const open = new Map<string, Open>();
  let lastId = 0;
  const notify = (): void => events.send({ type: "question" });
  return {
    elicitFor: (target) => (elicitation, signal) =>
      new Promise((resolve) => {
        lastId += 1;
        const id = String(lastId);
        const end = (answer: ElicitationAnswer): void => {
          open.delete(id);
          signal.removeEventListener("abort", withdraw);
          notify();
          resolve(answer);
        };
        const withdraw = (): void => end({ action: "cancel" });
        signal.addEventListener("abort", withdraw, { once: true });
        open.set(id, { view: { id, target, ...elicitation }, resolve: end });
        notify();
      }),
    list: () => [...open.values()].map(({ view }) => view),
    answer(id, answer) {
      const question = open.get(id);
      if (question === undefined) return undefined;
      const problems = answer.action === "accept" ? findProblems(question.view, answer) : {};
      if (Object.keys(problems).length === 0) question.resolve(answer);
      return { problems };
    },
  };
}

function findProblems(
  elicitation: Elicitation,
  { content = {} }: Extract<ElicitationAnswer, { action: "accept" }>,
): Record<string, string> {
  if (elicitation.mode === "url") return {};
  return Object.fromEntries(
    elicitation.fields.flatMap((field) => {
      const value = Object.hasOwn(content, field.name) ? content[field.name] : undefined;
      const problem = findAnswerProblem(field, value);
      return problem === undefined ? [] : [[field.name, problem]];
    }),
  );
}
