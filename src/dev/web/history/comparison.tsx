import { useMemo, useState } from "preact/hooks";
import type { HistoryDetail, HistoryRow } from "../../wire/history.ts";
import { type Difference, isEqual } from "../parts/difference.ts";
import { DifferenceTable, EqualParts } from "../parts/difference-table.tsx";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { countText, formatDuration } from "../parts/format.ts";
import { Pill } from "../parts/layout.tsx";
import { Name } from "../parts/name.tsx";
import { linkTo } from "../route.ts";
import { useLive } from "../use-server.ts";
import { compareRuns, describeOutcome, type RequestPair, readStatus } from "./compare-runs.ts";
import { describeArguments } from "./filter-history.ts";
import { RunState } from "./run-list.tsx";

const WORDS: Readonly<Record<Difference["state"], string>> = {
  different: "different",
  missing: "only in the first",
  extra: "only in the second",
  hidden: "secret, not compared",
  same: "same",
};
const MAX_CHOICE = 60;
const SIDES = ["First run", "Second run"] as const;

interface ComparisonProps {
  rows: readonly HistoryRow[];
  /** Ids of the runs. */
  left: string;
  right: string;
}

/** Two runs side by side: what they were given, what they sent, and what they returned. */
export function Comparison({ rows, left, right }: ComparisonProps) {
  const one = useEntry(left);
  const other = useEntry(right);
  const [showsAll, setShowsAll] = useState(false);
  const compared = useMemo(
    () => one.data && other.data && compareRuns(one.data, other.data),
    [one.data, other.data],
  );
  const failure = one.failure ?? other.failure;
  if (failure !== undefined) return <FailureNotice failure={failure} />;
  if (compared === undefined) return <p class="quiet">…</p>;
  const all = [
    ...compared.inputs,
    ...compared.requests.flatMap(({ parts }) => parts),
    ...compared.results,
  ];
  const count = all.filter((row) => !isEqual(row)).length;
  const choose = (parts: readonly Difference[]) =>
    showsAll ? parts : parts.filter((row) => !isEqual(row));
  return (
    <div class="stack">
      <div class="columns sides">
        <SideCard
          title={SIDES[0]}
          row={one.data}
          rows={rows}
          linkFor={(id) => linkTo("history", id, right)}
        />
        <SideCard
          title={SIDES[1]}
          row={other.data}
          rows={rows}
          linkFor={(id) => linkTo("history", left, id)}
        />
      </div>
      <EqualParts rows={all} showsAll={showsAll} onShow={setShowsAll}>
        {count === 0 ? "The runs do not differ." : countText(count, "difference")}
      </EqualParts>
      <Part title="Arguments and account" parts={choose(compared.inputs)} />
      <Requests pairs={compared.requests} choose={choose} />
      <Part
        title="Result"
        parts={choose(compared.results)}
        note={describeKept(one.data, other.data)}
      />
    </div>
  );
}

function useEntry(id: string) {
  return useLive<HistoryDetail>(
    `/api/history/${encodeURIComponent(id)}`,
    ({ type }) => type === "history",
  );
}

interface SideCardProps {
  title: string;
  row: HistoryDetail | undefined;
  rows: readonly HistoryRow[];
  linkFor: (id: string) => string;
}

/** One of the two runs, and a list to choose another one. */
function SideCard({ title, row, rows, linkFor }: SideCardProps) {
  if (row === undefined) return null;
  const { id, name, target, startedAtMs, durationMs } = row;
  return (
    <section class="card stack tight" aria-label={title}>
      <div class="row">
        <h3 class={name === "" ? "mono wrap" : "wrap"} dir="auto">
          <Name text={name === "" ? target : name} />
        </h3>
        <RunState row={row} />
      </div>
      <p class="quiet small">
        {new Date(startedAtMs).toLocaleTimeString()} · {formatDuration(durationMs)} ·{" "}
        {describeOutcome(row)}
      </p>
      <select
        class="input"
        aria-label={title}
        value={id}
        onChange={(event) => {
          location.hash = linkFor(event.currentTarget.value);
        }}
      >
        {rows.map((each) => (
          <option key={each.id} value={each.id}>
            {describeChoice(each)}
          </option>
        ))}
      </select>
    </section>
  );
}

function describeChoice(row: HistoryRow): string {
  const time = new Date(row.startedAtMs).toLocaleTimeString();
  return [row.name || row.target, describeArguments(row).slice(0, MAX_CHOICE), time]
    .filter((text) => text !== "")
    .join(" · ");
}

function Part({
  title,
  parts,
  note,
}: {
  title: string;
  parts: readonly Difference[];
  note?: string | undefined;
}) {
  return (
    <section class="card stack tight" aria-label={title}>
      <header>
        <h3>{title}</h3>
        {parts.every(isEqual) && <Pill tone="good">same</Pill>}
      </header>
      {note !== undefined && <p class="quiet small">{note}</p>}
      <DifferenceTable label={title} sides={SIDES} words={WORDS} rows={parts} />
    </section>
  );
}

interface RequestsProps {
  pairs: readonly RequestPair[];
  choose: (parts: readonly Difference[]) => readonly Difference[];
}

function Requests({ pairs, choose }: RequestsProps) {
  return (
    <section class="card stack tight" aria-label="Requests">
      <header>
        <h3>Requests</h3>
        {pairs.length === 0 && <span class="quiet small">neither run sent any</span>}
      </header>
      {pairs.map(({ title, left, right, parts }, index) => (
        <details key={`${index} ${title}`} class="request-pair" open={!parts.every(isEqual)}>
          <summary>
            <span class="mono wrap">{title}</span>
            <span class="row end small">
              {left === undefined
                ? "not sent"
                : `${readStatus(left)} in ${formatDuration(left.durationMs)}`}
              {" → "}
              {right === undefined
                ? "not sent"
                : `${readStatus(right)} in ${formatDuration(right.durationMs)}`}
              {parts.every(isEqual) && <Pill tone="good">same</Pill>}
            </span>
          </summary>
          <DifferenceTable label={title} sides={SIDES} words={WORDS} rows={choose(parts)} />
        </details>
      ))}
    </section>
  );
}

/** Tables are compared by the rows that are kept. */
function describeKept(...runs: readonly (HistoryDetail | undefined)[]): string | undefined {
  const isCut = runs.some(
    (each) => Array.isArray(each?.run.value) && each.run.value.length < each.run.rowCount,
  );
  return isCut ? "packsmith keeps and compares only the first rows of each run." : undefined;
}
