import type { HistoryView } from "../../wire/history.ts";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { Empty } from "../parts/layout.tsx";
import { Split } from "../parts/split.tsx";
import { linkTo, type ViewProps } from "../route.ts";
import { useLive } from "../use-server.ts";
import { Comparison } from "./comparison.tsx";
import { RunDetail } from "./run-detail.tsx";
import { RunList } from "./run-list.tsx";

/** The runs since the page was started. One is shown, or two are compared. */
export function History({ pack, parts: [chosen, other] }: ViewProps) {
  const { data, failure } = useLive<HistoryView>("/api/history", ({ type }) => type === "history");
  const rows = data?.rows ?? [];
  const shown = chosen ?? rows[0]?.id;
  return (
    <div class={["view stack history", ...classesFor(chosen, other)].join(" ")}>
      <header>
        <h2>History</h2>
        <p class="quiet small">All runs since the start of packsmith dev</p>
        {chosen !== undefined && (
          <p class="small aside back">
            <a href={linkTo("history")}>All runs</a>
          </p>
        )}
      </header>
      <FailureNotice failure={failure} />
      {data !== undefined && rows.length === 0 && (
        <Empty title="No runs yet">
          <p>
            <a href={linkTo("run")}>Run a formula</a> to see the run here and to compare the run
            with later runs.
          </p>
        </Empty>
      )}
      {rows.length > 0 && chosen !== undefined && other !== undefined && (
        <Comparison key={`${chosen} ${other}`} rows={rows} left={chosen} right={other} />
      )}
      {rows.length > 0 && other === undefined && (
        <Split
          name="run-history"
          label="Width of the list"
          limits={LIST_WIDTHS}
          first={<RunList rows={rows} shown={shown} />}
          second={
            <div class="stack chosen">
              {shown !== undefined && <RunDetail key={shown} pack={pack} rows={rows} id={shown} />}
            </div>
          }
        />
      )}
    </div>
  );
}

function classesFor(chosen: string | undefined, other: string | undefined): string[] {
  if (chosen === undefined) return [];
  return other === undefined ? ["has-chosen"] : ["has-chosen", "has-two"];
}

const LIST_WIDTHS = { initial: 420, least: 260, most: 720 };
