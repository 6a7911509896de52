import * as z from "zod";
import type { ExchangeDetail } from "../../execute/request-record.ts";
import type { ReportedError } from "../../shared/reported-error.ts";
import type { RunRequest, RunView } from "./run.ts";
import type { TimelineRow } from "./timeline.ts";

export const nameRequest = z.object({ name: z.string().trim().max(80) });

/** One argument of a run, as text. */
export interface ArgumentView {
  /** Name of the parameter. One of a repeated group has the number of its repetition. */
  name: string;
  text: string;
  /** Its name suggests a secret, so the text is masked. */
  isSecret: boolean;
}

/** A run in the list of the view History. */
export interface HistoryRow
  extends Pick<RunRequest, "account" | "dynamicUrl">,
    Pick<RunView, "id" | "target" | "state" | "revision" | "requests" | "durationMs"> {
  /** The name that the user gave it, or empty. */
  name: string;
  kind: "formula" | "action" | "table" | "tool";
  args: ArgumentView[];
  startedAtMs: number;
  /** The beginning of the result in one line, or how many rows there are. */
  summary: string;
  failure: Pick<ReportedError, "code" | "message"> | undefined;
}

export interface HistoryView {
  /** Newest first. */
  rows: HistoryRow[];
}

/** A request of a run, with what was sent and received. */
export interface HistoryRequest extends ExchangeDetail, Pick<TimelineRow, "id"> {}

/** Everything that is kept of a run. */
export interface HistoryDetail extends HistoryRow {
  /** Of a table, `value` has its first rows. */
  run: RunView;
  /** Requests that are no longer in the timeline are missing. */
  sent: HistoryRequest[];
  /** File names to suggest, which do not exist yet. */
  suggested: { test: string; cassette: string };
}
