import { useState } from "preact/hooks";
import type { TimelineDetail, TimelineRow } from "../../wire/timeline.ts";
import { Part } from "../accounts/sequence.tsx";
import { CopyButton } from "../parts/button.tsx";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { formatDuration, formatSize } from "../parts/format.ts";
import { Pill, Tabs } from "../parts/layout.tsx";
import { Name } from "../parts/name.tsx";
import { useLive } from "../use-server.ts";
import { ComparePanel } from "./compare/compare-panel.tsx";
import { isFailed, type RowGroup } from "./group-rows.ts";
import { SaveForm } from "./save-form.tsx";

type Columns = readonly (readonly [name: string, title: string])[];

/** The columns of the table of requests. */
export const COLUMNS: Columns = [
  ["method", "Method"],
  ["url", "URL"],
  ["status", "Status"],
  ["size", "Size"],
  ["time", "Time"],
  ["bar", "Waterfall"],
];
/** The columns that a phone has room for. The rest is shown with the opened request. */
export const PHONE_COLUMNS: Columns = [
  ["method", "Method"],
  ["url", "Path"],
  ["status", "Status"],
];

interface RequestRowProps {
  row: TimelineRow;
  group: RowGroup;
  columns: Columns;
  isOpen: boolean;
  onToggle: () => void;
}

/** How it came that this request was sent, or was not. */
function readMarks({ fromCache, retriedAfter401, retriedAfter429 }: TimelineRow): string[] {
  return [
    ...(fromCache ? ["from the cache"] : []),
    ...(retriedAfter401 === true ? ["retry after 401"] : []),
    ...(retriedAfter429 === true ? ["retry after 429"] : []),
  ];
}

/** One request of the timeline; opened, everything about it. */
export function RequestRow({ row, group, columns, isOpen, onToggle }: RequestRowProps) {
  const { id, method, url, status, error, reason, durationMs, requestBytes, responseBytes } = row;
  const failed = isFailed(row);
  const isPhone = columns === PHONE_COLUMNS;
  return (
    <>
      <tr class={failed ? "request failed" : "request"}>
        <td class="method mono">{method}</td>
        <td class="url">
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={isOpen ? `request-${id}` : undefined}
            onClick={onToggle}
          >
            <span class="visually-hidden">{method} </span>
            <Url text={url} isPathOnly={isPhone} />
          </button>
          {readMarks(row).map((mark) => (
            <Pill key={mark}>{mark}</Pill>
          ))}
          {reason !== undefined && (
            <p class="reason" dir="auto">
              {reason}
            </p>
          )}
        </td>
        <td class="status">
          <Pill tone={failed ? "bad" : "good"}>{status ?? "none"}</Pill>
          {error !== undefined && <span class="error mono">{error}</span>}
        </td>
        {!isPhone && (
          <>
            <td
              class="size number"
              title={`${requestBytes} bytes sent, ${responseBytes} bytes received`}
            >
              {formatSize(responseBytes)}
            </td>
            <td class="time number">{formatDuration(durationMs)}</td>
            <td class="bar" aria-hidden="true">
              <span class="lane">
                <span class="fill" style={getBar(row, group)} />
              </span>
            </td>
          </>
        )}
      </tr>
      {isOpen && (
        <tr class="opened" id={`request-${id}`}>
          <td colSpan={columns.length}>
            <RequestDetail id={id} />
          </td>
        </tr>
      )}
    </>
  );
}

/** A URL with a pale origin, or without it: the path is what differs between requests. */
function Url({ text, isPathOnly }: { text: string; isPathOnly: boolean }) {
  const [, origin = "", rest = text] = /^(https?:\/\/[^/?#]*)(.*)$/s.exec(text) ?? [];
  return (
    <span class="mono">
      {!isPathOnly && <span class="origin">{origin}</span>}
      <Name text={isPathOnly && rest === "" ? "/" : rest} />
    </span>
  );
}

function getBar(
  { startedAtMs, durationMs }: TimelineRow,
  group: RowGroup,
): { left: string; width: string } {
  const left = ((startedAtMs - group.startedAtMs) / group.spanMs) * 100;
  return {
    left: `${Math.min(left, 99)}%`,
    width: `${Math.max(1, (durationMs / group.spanMs) * 100)}%`,
  };
}

/** A request and its response in tabs, with actions to copy it as curl or to save its run. */
export function RequestDetail({ id }: { id: number }) {
  const { data, failure } = useLive<TimelineDetail>(`/api/timeline/${id}`, () => false);
  const [tab, setTab] = useState<keyof typeof TABS>("response");
  if (failure !== undefined) return <FailureNotice failure={failure} />;
  if (data === undefined) return <p class="quiet">…</p>;
  const Panel = TABS[tab].Panel;
  return (
    <div class="request-detail stack">
      <Tabs
        label="Parts of the request"
        tabs={(["response", "request", "curl", "compare"] as const).map(
          (each) => [each, TABS[each].title] as const,
        )}
        current={tab}
        onPick={setTab}
      >
        <div class="stack tight">
          <Panel detail={data} />
        </div>
      </Tabs>
      <div class="row">
        <CopyButton text={() => data.curl.text}>Copy as curl</CopyButton>
        {data.suggested !== undefined && (
          <SaveForm
            path={`/api/timeline/${id}/save`}
            target={data.target}
            isAction={data.isAction}
            suggested={data.suggested}
          />
        )}
      </div>
    </div>
  );
}

interface PanelProps {
  detail: TimelineDetail;
}

const TABS = {
  response: { title: "Response", Panel: ResponsePanel },
  request: { title: "Request", Panel: RequestPanel },
  curl: { title: "curl", Panel: CurlPanel },
  compare: { title: "Compare", Panel: ComparePanel },
} as const;

function ResponsePanel({ detail }: PanelProps) {
  const { status, error, durationMs, responseBytes, responseHeaders, responseBody } = detail;
  const facts = [
    ["Status", String(status ?? error ?? "none")],
    ["Time", formatDuration(durationMs)],
    ["Size", formatSize(responseBytes)],
  ] as const;
  return (
    <>
      <Part part={{ title: "Result", rows: [...facts] }} />
      {responseHeaders !== undefined && (
        <Part part={{ title: "Response headers", rows: Object.entries(responseHeaders) }} />
      )}
      {responseBody !== undefined && (
        <Part part={{ title: "Response body", rows: [], text: responseBody }} />
      )}
    </>
  );
}

function RequestPanel({ detail }: PanelProps) {
  const { method, url, requestHeaders, requestBody, authentication } = detail;
  const headers = Object.entries(requestHeaders);
  const credentials =
    authentication === undefined ? [] : ([["Credentials", authentication]] as const);
  return (
    <>
      <Part
        part={{ title: "Request line", rows: [["Method", method], ["URL", url], ...credentials] }}
      />
      {headers.length > 0 ? (
        <Part part={{ title: "Request headers", rows: headers }} />
      ) : (
        <p class="quiet small">The Pack did not set any headers.</p>
      )}
      {requestBody !== undefined && (
        <Part part={{ title: "Request body", rows: [], text: requestBody }} />
      )}
    </>
  );
}

function CurlPanel({ detail: { curl } }: PanelProps) {
  return (
    <>
      <pre class="block" tabIndex={0} role="region" aria-label="curl command">
        {curl.text}
      </pre>
      {curl.variables.length > 0 && (
        <p class="quiet small">
          The command contains no secrets. Before you run the command, set{" "}
          <span class="mono">{curl.variables.join(", ")}</span> in your shell.
        </p>
      )}
    </>
  );
}
