import type { TimelineRow } from "../../wire/timeline.ts";
import { Pill } from "../parts/pill.tsx";
import { formatSize } from "../parts/size-text.ts";
import { formatDuration } from "./format-duration.ts";
import { isFailed, type RowGroup } from "./group-rows.ts";
import { RequestDetail } from "./request-detail.tsx";

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

/** The path is what tells requests apart. */
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
