import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { PackView, TableView } from "../../wire/pack.ts";
import type { RunView } from "../../wire/run.ts";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { Empty } from "../parts/layout.tsx";
import { linkTo } from "../route.ts";
import { Console, RunFacts, RunFailure, ValueResult } from "./result-panel.tsx";
import { RowsResult } from "./rows-result.tsx";
import { readScreen, type Screen } from "./run-state.ts";
import type { RunControl } from "./use-run.ts";

interface OutcomeProps {
  pack: PackView;
  /** Undefined for a formula. */
  table: TableView | undefined;
  control: RunControl;
}

/** What a run returned, or why it failed, and what it wrote to the console. */
export function Outcome({ pack, table, control }: OutcomeProps) {
  const screen = readScreen(control.state);
  const run = screen.is === "empty" ? undefined : screen.run;
  return (
    <>
      <section
        class="card stack tight"
        aria-label="Result"
        aria-busy={screen.is === "running"}
        data-screen={screen.is}
      >
        <header>
          <h3>Result</h3>
          {run !== undefined && screen.is !== "running" && <RunFacts run={run} />}
          <span class="quiet small" role="status">
            {describeAge(screen, pack)}
          </span>
          {screen.is === "running" && <Elapsed />}
        </header>
        {renderProblem(screen, pack, table)}
        {screen.is === "running" && run === undefined && <Waiting />}
        {run?.kind === "rows" && (
          <RowsResult run={run} control={control} isTwoWay={table?.isTwoWay === true} />
        )}
        {run?.kind === "value" &&
          (screen.is === "done" || screen.is === "running") &&
          run.failure === undefined && <ValueResult run={run} />}
      </section>
      {run !== undefined && screen.is !== "running" && <Console logs={run.logs} />}
    </>
  );
}

function describeAge(screen: Screen, pack: PackView): string {
  if (screen.is === "empty") return "";
  if (screen.is === "running")
    return isEarlier(screen.run) ? "Running… This is the previous result." : "Running…";
  const isOld = screen.run !== undefined && screen.run.revision < pack.revision;
  return isOld && pack.status === "ready" ? "result of an older version" : "";
}

const TICK_MS = 1_000;

/** How long a run has been running, from the first second on. */
function Elapsed() {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const startedAtMs = Date.now();
    const timer = setInterval(
      () => setSeconds(Math.floor((Date.now() - startedAtMs) / TICK_MS)),
      TICK_MS,
    );
    return () => clearInterval(timer);
  }, []);
  // A screen reader would read every second.
  return seconds === 0 ? null : (
    <span class="quiet small elapsed" aria-hidden="true">
      {seconds} s
    </span>
  );
}

/** The place of the first result. */
function Waiting() {
  return (
    <div class="stack tight waiting-result">
      <span class="bone" />
      <span class="bone short" />
      <p class="quiet small">
        The <a href={linkTo("timeline")}>timeline</a> already shows the requests with a response. To
        end the run, choose Stop.
      </p>
    </div>
  );
}

/** Whether a run has ended, so that the one in progress is another one. */
function isEarlier(run: RunView | undefined): boolean {
  return run?.state === "ended" && (run.kind === "rows" || run.failure === undefined);
}

function renderProblem(
  screen: Screen,
  pack: PackView,
  table: TableView | undefined,
): ComponentChildren {
  switch (screen.is) {
    case "empty":
      return <Empty title="Nothing has run yet">{describeStart(screen, pack, table)}</Empty>;
    case "refused":
      return <FailureNotice failure={screen.failure} />;
    case "failed":
      return <RunFailure failure={screen.failure} run={screen.run.id} />;
    default:
      return null;
  }
}

function describeStart(
  { waitsForAccount }: Extract<Screen, { is: "empty" }>,
  { canRun }: PackView,
  table: TableView | undefined,
): string {
  if (!canRun) return "Fix the problems in the Pack first. packsmith checks it after each save.";
  if (waitsForAccount) return "The run starts when an account is connected.";
  return table === undefined
    ? "Fill in the form and choose Run."
    : "Choose Sync to see the first page of rows.";
}
