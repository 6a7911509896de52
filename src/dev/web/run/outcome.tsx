import type { PackView, TableView } from "../../wire/pack.ts";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { Empty } from "../parts/layout.tsx";
import { Console, RunFacts, RunFailure, ValueResult } from "./result-panel.tsx";
import { RowsResult } from "./rows-result.tsx";
import type { RunControl } from "./use-run.ts";

interface OutcomeProps {
  pack: PackView;
  /** Undefined for a formula. */
  table: TableView | undefined;
  control: RunControl;
  /** Whether the failure of the run is still true. */
  showsFailure: boolean;
  /** The run starts when an account is connected. */
  waitsForAccount: boolean;
}

/** What a run returned, or why it failed, and what it wrote to the console. */
export function Outcome({ pack, table, control, showsFailure, waitsForAccount }: OutcomeProps) {
  const { run, isBusy, failure } = control;
  return (
    <>
      <section class="card stack tight" aria-label="Result" aria-busy={isBusy}>
        <header>
          <h3>Result</h3>
          {run !== undefined && <RunFacts run={run} />}
          <span class="quiet small" role="status">
            {isBusy
              ? "Running…"
              : run !== undefined && run.revision < pack.revision && pack.status === "ready"
                ? "result of an older version"
                : ""}
          </span>
        </header>
        <FailureNotice failure={failure} />
        {run?.failure !== undefined && showsFailure && (
          <RunFailure failure={run.failure} run={run.id} />
        )}
        {run === undefined && failure === undefined && !isBusy && (
          <Empty title="Nothing has run yet">
            {waitsForAccount
              ? "The run starts when an account is connected."
              : table === undefined
                ? "Fill in the form and choose Run."
                : "Choose Sync to see the first page of rows."}
          </Empty>
        )}
        {run !== undefined && run.kind === "rows" && (
          <RowsResult run={run} control={control} isTwoWay={table?.isTwoWay === true} />
        )}
        {run !== undefined &&
          run.kind === "value" &&
          run.failure === undefined &&
          failure === undefined && <ValueResult run={run} />}
      </section>
      {run !== undefined && <Console logs={run.logs} />}
    </>
  );
}
