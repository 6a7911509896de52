import { useEffect, useState } from "preact/hooks";
import type { McpToolView, QuestionView } from "../../wire/mcp.ts";
import { subscribe } from "../api.ts";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { Empty } from "../parts/layout.tsx";
import { Console, RunFacts, RunFailure } from "../run/result-panel.tsx";
import { type RunState, readScreen } from "../run/run-state.ts";
import { useLive } from "../use-server.ts";
import { QuestionPanel } from "./question-panel.tsx";
import { ToolResult } from "./tool-result.tsx";

interface ToolOutcomeProps {
  tool: McpToolView;
  /** The run that calls the tool. */
  target: string;
  state: RunState;
}

/** What a call reports and asks while it runs, and what it returned. */
export function ToolOutcome({ tool, target, state }: ToolOutcomeProps) {
  const screen = readScreen(state);
  const isRunning = screen.is === "running";
  const run = screen.is === "empty" || isRunning ? undefined : screen.run;
  const report = useLastReport(target, isRunning);
  const questions = useLive<QuestionView[]>("/api/mcp/questions", isAboutQuestions);
  const [question] = (questions.data ?? []).filter((each) => each.target === target);
  return (
    <>
      <section
        class="card stack tight"
        aria-label="Result"
        aria-busy={isRunning}
        data-screen={screen.is}
      >
        <header>
          <h3>Result</h3>
          {run !== undefined && <RunFacts run={run} />}
          <span class="quiet small wrap" role="status">
            {isRunning ? `Calling… ${report}` : ""}
          </span>
        </header>
        {isRunning && question !== undefined && (
          <QuestionPanel key={question.id} question={question} />
        )}
        {screen.is === "refused" && <FailureNotice failure={screen.failure} />}
        {screen.is === "failed" && <RunFailure failure={screen.failure} run={screen.run.id} />}
        {screen.is === "empty" && (
          <Empty title="No result yet">
            {tool.effect === "reads"
              ? "Choose Call to run the tool."
              : "Choose Call to run the tool. It has the account's permissions and can change data."}
          </Empty>
        )}
        {screen.is === "done" && <ToolResult run={screen.run} />}
      </section>
      {run !== undefined && <Console logs={run.logs} />}
    </>
  );
}

function isAboutQuestions({ type }: { type: string }): boolean {
  return type === "question";
}

/** The last progress or log message of the tool, while it runs. */
function useLastReport(target: string, isBusy: boolean): string {
  const [report, setReport] = useState("");
  useEffect(() => setReport(""), [isBusy]);
  useEffect(
    () =>
      subscribe((event) => {
        if (event.type === "toolLog" && event.target === target) setReport(event.message);
      }),
    [target],
  );
  return report;
}
