import type { TimelineDetail, TimelineRow } from "../../wire/timeline.ts";
import { Part } from "../accounts/sequence.tsx";
import { CopyButton } from "../parts/button.tsx";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { formatDuration, formatSize } from "../parts/format.ts";
import { Pill } from "../parts/layout.tsx";
import { useLive } from "../use-server.ts";
import { isFailed, type RowGroup } from "./group-rows.ts";
import { SaveForm } from "./save-form.tsx";

interface RequestRowProps {
  row: TimelineRow;
  group: RowGroup;
  isOpen: boolean;
  onToggle: () => void;
}

/** One request of the timeline; opened, everything about it. */
export function RequestRow({ row, group, isOpen, onToggle }: RequestRowProps) {
  const { id, method, url, status, error, durationMs, requestBytes, responseBytes, marks } = row;
  const failed = isFailed(row);
  return (
    <>
      <tr class={failed ? "request failed" : "request"}>
        <td class="method mono">{method}</td>
        <td class="url">
          <button type="button" aria-expanded={isOpen} aria-controls={isOpen ? `request-${id}` : undefined} onClick={onToggle}>
            <span class="visually-hidden">{method} </span>
            <Url text={url} />
          </button>
          {marks.map((mark) => (
            <Pill key={mark}>{mark}</Pill>
          ))}
        </td>
        <td class="status">
          <Pill tone={failed ? "bad" : "good"}>{status ?? "none"}</Pill>
          {error !== undefined && <span class="error mono">{error}</span>}
        </td>
        <td class="size number" title={`${requestBytes} bytes sent, ${responseBytes} bytes received`}>
          {formatSize(responseBytes)}
        </td>
        <td class="time number">{formatDuration(durationMs)}</td>
        <td class="bar" aria-hidden="true">
          <span class="lane">
            <span class="fill" style={barOf(row, group)} />
          </span>
        </td>
      </tr>
      {isOpen && (
        <tr class="opened" id={`request-${id}`}>
          <td colSpan={6}>
            <RequestDetail id={id} />
          </td>
        </tr>
      )}
    </>
  );
}

/** A URL with a pale origin: the path is what differs between requests. */
function Url({ text }: { text: string }) {
  const [, origin = "", rest = text] = /^(https?:\/\/[^/?#]*)(.*)$/s.exec(text) ?? [];
  return (
    <span class="mono">
      <span class="origin">{origin}</span>
      {rest}
    </span>
  );
}

function barOf({ startedAtMs, durationMs }: TimelineRow, group: RowGroup): { left: string; width: string } {
  const left = ((startedAtMs - group.startedAtMs) / group.spanMs) * 100;
  return { left: `${Math.min(left, 99)}%`, width: `${Math.max(1, (durationMs / group.spanMs) * 100)}%` };
}

/** A request and its response, with actions to copy it as curl or to save its run. */
export function RequestDetail({ id }: { id: number }) {
  const { data, failure } = useLive<TimelineDetail>(`/api/timeline/${id}`, () => false);
  if (failure !== undefined) return <FailureNotice failure={failure} />;
  if (data === undefined) return <p class="quiet">…</p>;
  const { requestHeaders, requestBody, responseHeaders, responseBody, authentication, error, curl } = data;
  const credentials = authentication === undefined ? [] : ([["credentials", authentication]] as const);
  return (
    <div class="request-detail stack">
      <div class="columns">
        <div class="stack tight">
          <Part part={{ title: "Request", rows: [["url", data.url], ...Object.entries(requestHeaders), ...credentials] }} />
          {requestBody !== undefined && <Part part={{ title: "Request body", rows: [], text: pretty(requestBody) }} />}
        </div>
        <div class="stack tight">
          <Part
            part={{
              title: "Response",
              rows: [["status", String(data.status ?? error ?? "none")], ...Object.entries(responseHeaders ?? {})],
            }}
          />
          {responseBody !== undefined && <Part part={{ title: "Response body", rows: [], text: pretty(responseBody) }} />}
        </div>
      </div>
      <div class="row">
        <CopyButton text={() => curl.text}>Copy as curl</CopyButton>
        {data.suggested !== undefined && <SaveForm detail={data} suggested={data.suggested} />}
      </div>
      <details>
        <summary>curl command</summary>
        <pre class="block" tabIndex={0} role="region" aria-label="curl command">
          {curl.text}
        </pre>
        {curl.variables.length > 0 && (
          <p class="quiet small">
            It contains no secrets. Set <span class="mono">{curl.variables.join(", ")}</span> in your shell first.
          </p>
        )}
      </details>
    </div>
  );
}

/** Formats JSON; leaves any other text as it is. */
function pretty(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}
