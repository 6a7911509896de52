import { useMemo, useState } from "preact/hooks";
import type { TimelineView } from "../../wire/timeline.ts";
import { post } from "../api.ts";
import { Button } from "../parts/button.tsx";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { countText, formatDuration } from "../parts/format.ts";
import { Empty, Pill } from "../parts/layout.tsx";
import { Name } from "../parts/name.tsx";
import { PHONE, useMedia } from "../parts/use-media.ts";
import { linkTo, type ViewProps } from "../route.ts";
import { useLive } from "../use-server.ts";
import { filterRows, groupRows, type RowFilter, type RowGroup } from "./group-rows.ts";
import { COLUMNS, PHONE_COLUMNS, RequestRow } from "./request-row.tsx";

/** How many groups are shown at first. */
const SHOWN_GROUPS = 40;
/** How many requests of one run are shown at first. */
const SHOWN_ROWS = 100;

/** Every request of runs and connections, the latest run first. */
export function Timeline({ parts: [run] }: ViewProps) {
  const { data, failure } = useLive<TimelineView>(
    "/api/timeline",
    ({ type }) => type === "request",
  );
  const [filter, setFilter] = useState<RowFilter>({ text: "", source: "all", failedOnly: false });
  const [openId, setOpenId] = useState<number>();
  const [shownGroups, setShownGroups] = useState(SHOWN_GROUPS);
  const rows = useMemo(
    () =>
      (data?.rows ?? []).filter(
        ({ source, group }) => run === undefined || (source === "run" && group === run),
      ),
    [data, run],
  );
  const filtered = useMemo(() => filterRows(rows, filter), [rows, filter]);
  const groups = useMemo(() => groupRows(filtered), [filtered]);
  return (
    <div class="view stack timeline">
      <header>
        <h2>Timeline</h2>
        <p class="quiet small" role="status">
          {data !== undefined &&
            (filtered.length === rows.length
              ? countText(rows.length, "request")
              : `${filtered.length} of ${rows.length} requests`)}
        </p>
        {run !== undefined && (
          <p class="small aside">
            Requests of one run. <a href={linkTo("timeline")}>Show all</a>
          </p>
        )}
      </header>
      <FailureNotice failure={failure} />
      {data !== undefined && rows.length === 0 && (
        <Empty title="No requests yet">
          <p>
            <a href={linkTo("run")}>Run a formula</a> or{" "}
            <a href={linkTo("accounts")}>connect an account</a> to see its requests here.
          </p>
        </Empty>
      )}
      {rows.length > 0 && (
        <div class="stack">
          <Filter filter={filter} onFilter={setFilter} />
          {groups.slice(0, shownGroups).map((group) => (
            <Group key={group.key} group={group} openId={openId} onOpen={setOpenId} />
          ))}
          {filtered.length === 0 && <p class="quiet">No requests match the filter.</p>}
          {groups.length > shownGroups && (
            <div>
              <Button onClick={() => setShownGroups(shownGroups + SHOWN_GROUPS)}>
                Show older requests
              </Button>
            </div>
          )}
        </div>
      )}
    </div>
  );
}

function Filter({
  filter,
  onFilter,
}: {
  filter: RowFilter;
  onFilter: (filter: RowFilter) => void;
}) {
  return (
    <div class="row filter" role="search">
      <input
        class="input"
        type="search"
        aria-label="Filter requests"
        aria-keyshortcuts="/"
        placeholder="Filter by URL, status, method or name"
        value={filter.text}
        onInput={(event) => onFilter({ ...filter, text: event.currentTarget.value })}
      />
      <select
        class="input"
        aria-label="Which requests"
        value={filter.source}
        onChange={(event) =>
          onFilter({ ...filter, source: event.currentTarget.value as RowFilter["source"] })
        }
      >
        <option value="all">Runs and connections</option>
        <option value="run">Runs</option>
        <option value="connection">Connections</option>
      </select>
      <label class="check">
        <input
          type="checkbox"
          checked={filter.failedOnly}
          onChange={(event) => onFilter({ ...filter, failedOnly: event.currentTarget.checked })}
        />
        Failed only
      </label>
      <span class="end">
        <Button isSmall onClick={() => void post("/api/timeline/clear")}>
          Clear
        </Button>
      </span>
    </div>
  );
}

interface GroupProps {
  group: RowGroup;
  openId: number | undefined;
  onOpen: (id: number | undefined) => void;
}

function Group({ group, openId, onOpen }: GroupProps) {
  const { target, source, startedAtMs, spanMs, rows } = group;
  const [shownRows, setShownRows] = useState(SHOWN_ROWS);
  const columns = useMedia(PHONE) ? PHONE_COLUMNS : COLUMNS;
  return (
    <section class="card group" aria-label={`Requests of ${target}`}>
      <header>
        <h3 class="wrap">
          <Name text={target} />
        </h3>
        <Pill tone={source === "run" ? "neutral" : "accent"}>{source}</Pill>
        <span class="quiet small when">
          {new Date(startedAtMs).toLocaleTimeString()} · {countText(rows.length, "request")} in{" "}
          {formatDuration(spanMs)}
        </span>
      </header>
      <table class="requests">
        <colgroup>
          {columns.map(([name]) => (
            <col key={name} class={name} />
          ))}
        </colgroup>
        <thead class="visually-hidden">
          <tr>
            {columns.map(([name, title]) => (
              <th key={name} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, shownRows).map((row) => (
            <RequestRow
              key={row.id}
              row={row}
              group={group}
              columns={columns}
              isOpen={row.id === openId}
              onToggle={() => onOpen(row.id === openId ? undefined : row.id)}
            />
          ))}
        </tbody>
      </table>
      {rows.length > shownRows && (
        <p class="more">
          <Button isSmall onClick={() => setShownRows(rows.length)}>
            {`Show ${rows.length - shownRows} more`}
          </Button>
        </p>
      )}
    </section>
  );
}
