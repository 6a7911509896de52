import { useMemo, useState } from "preact/hooks";
import type { HistoryRow } from "../../wire/history.ts";
import { post } from "../api.ts";
import { Button } from "../parts/button.tsx";
import { countText, formatDuration } from "../parts/format.ts";
import { Pill } from "../parts/layout.tsx";
import { Name } from "../parts/name.tsx";
import { linkTo } from "../route.ts";
import { describeArguments, filterHistory, type HistoryFilter } from "./filter-history.ts";

/** The runs, newest first. Two that are marked can be compared. */
export function RunList({
  rows,
  shown,
}: {
  rows: readonly HistoryRow[];
  /** Id of the run that is shown. */
  shown: string | undefined;
}) {
  const [filter, setFilter] = useState<HistoryFilter>({ text: "", failedOnly: false });
  const [marked, setMarked] = useState<readonly string[]>([]);
  const filtered = useMemo(() => filterHistory(rows, filter), [rows, filter]);
  const pair = rows.filter(({ id }) => marked.includes(id)).map(({ id }) => id);
  const mark = (id: string, isMarked: boolean) =>
    // The two that were chosen last.
    setMarked(isMarked ? [...marked.slice(-1), id] : marked.filter((each) => each !== id));
  return (
    <div class="stack tight run-list-box">
      <div class="row filter" role="search">
        <input
          class="input"
          type="search"
          aria-label="Filter runs"
          aria-keyshortcuts="/"
          placeholder="Filter runs"
          value={filter.text}
          onInput={(event) => setFilter({ ...filter, text: event.currentTarget.value })}
        />
        <label class="check">
          <input
            type="checkbox"
            checked={filter.failedOnly}
            onChange={(event) => setFilter({ ...filter, failedOnly: event.currentTarget.checked })}
          />
          Failed only
        </label>
      </div>
      <div class="row">
        <p class="quiet small" role="status">
          {filtered.length === rows.length
            ? countText(rows.length, "run")
            : `${filtered.length} of ${rows.length} runs`}
        </p>
        <span class="row end">
          {pair.length === 2 ? (
            <a class="button small primary" href={linkTo("history", pair[1] ?? "", pair[0] ?? "")}>
              Compare 2 runs
            </a>
          ) : (
            <span class="quiet small">Mark two runs to compare them</span>
          )}
          <Button isSmall onClick={() => void post("/api/history/clear")}>
            Clear
          </Button>
        </span>
      </div>
      <ul class="plain runs card" aria-label="Runs, newest first">
        {filtered.map((row) => (
          <Entry
            key={row.id}
            row={row}
            isShown={row.id === shown}
            isMarked={marked.includes(row.id)}
            onMark={(isMarked) => mark(row.id, isMarked)}
          />
        ))}
        {filtered.length === 0 && <li class="quiet">No runs match the filter.</li>}
      </ul>
    </div>
  );
}

interface EntryProps {
  row: HistoryRow;
  isShown: boolean;
  isMarked: boolean;
  onMark: (isMarked: boolean) => void;
}

function Entry({ row, isShown, isMarked, onMark }: EntryProps) {
  const { id, name, target, startedAtMs, durationMs, state, summary, failure } = row;
  const time = new Date(startedAtMs).toLocaleTimeString();
  const title = name === "" ? target : name;
  return (
    <li class={isShown ? "current" : undefined}>
      <input
        type="checkbox"
        aria-label={`Compare ${title}, ${time}`}
        checked={isMarked}
        onChange={(event) => onMark(event.currentTarget.checked)}
      />
      <a href={linkTo("history", id)} aria-current={isShown ? "true" : undefined}>
        <span class="row">
          <strong class={name === "" ? "mono wrap" : "wrap"} dir="auto">
            <Name text={title} />
          </strong>
          <RunState row={row} />
          <span class="quiet small end">
            {time}
            {state !== "running" && ` · ${formatDuration(durationMs)}`}
          </span>
        </span>
        <span class="line quiet small" dir="auto">
          {name !== "" && <span class="mono">{target} </span>}
          {describeArguments(row)}
        </span>
        <span class={failure === undefined ? "line small" : "line small problem"} dir="auto">
          {failure?.message ?? summary}
        </span>
      </a>
    </li>
  );
}

/** A word about a run that did not simply succeed. */
export function RunState({ row: { state, failure, kind } }: { row: HistoryRow }) {
  if (failure !== undefined) return <Pill tone="bad">failed</Pill>;
  if (state === "running") return <Pill tone="accent">running</Pill>;
  return kind === "formula" ? null : <Pill>{kind}</Pill>;
}
