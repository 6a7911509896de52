import type { RunResult } from "../../src/execute/run-target.ts";
import type { Call } from "./calls.ts";
import { type Answer, askPublished } from "./published-package.ts";

/** What decides how an answer is read. */
type Asked = Pick<Call, "compare" | "context">;

/** What a run of packsmith answered, in the form that is compared. */
export function answerOfRun(run: RunResult, { compare }: Asked): unknown {
  if (!run.ok) return createFailure(run.failure.error.code, run.failure.error.message);
  const result = JSON.parse(JSON.stringify(run.result ?? null)) as unknown;
  if (compare === "pages") return pickRows(result as Record<string, unknown>);
  if (compare === "options") return (result as { result: unknown }).result;
  if (compare === "updates")
    return (result as { outcome: string; finalValue?: unknown }[]).map(
      ({ outcome, finalValue }) => [outcome, finalValue ?? null],
    );
  return result;
}

/** What each bundle answers in the published runtime, page by page in a sync. */
export async function publishedAnswers(jobs: readonly object[], call: Asked): Promise<unknown[]> {
  const pages = jobs.map((): Record<string, unknown>[] => []);
  for (let continuations: unknown[] = jobs.map(() => undefined); ; ) {
    const calls = jobs.map((job, index) => {
      const sync = call.context?.["sync"] as object | undefined;
      return {
        ...job,
        context: {
          ...call.context,
          ...(sync && { sync: { ...sync, continuation: continuations[index] } }),
        },
      };
    });
    const answers = await askPublished<Answer[]>({ kind: "execute", calls });
    if (call.compare !== "pages" || answers.some(({ ok }) => !ok))
      return answers.map((answer) => publishedAnswer(answer, call));
    continuations = answers.map((answer, index) => {
      const page = (answer as { result: Record<string, unknown> }).result;
      pages[index]?.push(page);
      return page["continuation"];
    });
    if (continuations.includes(undefined)) break;
  }
  return pages.map((all) => ({
    rows: all.flatMap(({ result }) => result),
    deletedRowIds: all.flatMap(({ deletedRowIds = [] }) => deletedRowIds),
    completion: all.at(-1)?.["completion"] ?? null,
  }));
}
export function publishedAnswer(answer: Answer, call: Asked): unknown {
  if (!answer.ok) return publishedFailure(answer);
  const { result } = answer;
  if (call.compare === "choices") return (result as unknown[]).map(asChoice);
  if (call.compare === "options")
    return (
      result as { packResult: { results: { display?: string; value: unknown }[] } }
    ).packResult.results.map(({ display, value }) =>
      asChoice(display === undefined ? value : { display, value }),
    );
  if (call.compare === "updates")
    return (result as { result: { outcome: string; finalValue?: unknown }[] }).result.map(
      ({ outcome, finalValue }) => [outcome, finalValue ?? null],
    );
  return result;
}

function pickRows({ rows, deletedRowIds, completion }: Record<string, unknown>): unknown {
  return { rows, deletedRowIds, completion: completion ?? null };
}

function asChoice(choice: unknown): unknown {
  return typeof choice === "object" ? choice : { display: String(choice), value: choice };
}

/** The classes of failure that users of a Pack can tell apart. */
function createFailure(code: string, message: string): unknown {
  if (code === "FORMULA_USER_ERROR") return { failure: "user", message };
  return { failure: code.startsWith("FETCH") ? "FORMULA_FAILED" : code };
}

function publishedFailure({ isUserVisible, message }: Extract<Answer, { ok: false }>): unknown {
  return isUserVisible ? { failure: "user", message } : { failure: "FORMULA_FAILED" };
}
