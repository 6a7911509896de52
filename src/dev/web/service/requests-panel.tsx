import type { RunningServiceView } from "../../wire/service.ts";
import { post } from "../api.ts";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { Toggle } from "../parts/field.tsx";
import { timeOfDay } from "../parts/format.ts";
import { Empty, Pill, Scroller } from "../parts/layout.tsx";
import { useAction } from "../use-server.ts";

/**
 * The requests that the service received, without headers and bodies. What this page reads is not
 * included.
 */
export function RequestsPanel({ running: { requests } }: { running: RunningServiceView }) {
  if (requests.length === 0)
    return (
      <Empty title="No requests yet">Run a formula that calls the service, or edit a row.</Empty>
    );
  return (
    <Scroller label="Requests">
      <table class="table">
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Status</th>
            <th scope="col">Operation</th>
            <th scope="col">Request</th>
          </tr>
        </thead>
        <tbody>
          {requests.map(({ requestId, atMs, method, path, status, operation }) => (
            <tr key={requestId}>
              <td class="quiet">{timeOfDay(atMs)}</td>
              <td>
                <Pill tone={status < 400 ? "good" : "bad"}>{status}</Pill>
              </td>
              <td>{operation}</td>
              <td class="mono wrap">
                {method} {path}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroller>
  );
}

const NAMES: Readonly<Record<string, string>> = {
  read: "Reads",
  write: "Writes",
  content: "Page content",
  listDocs: "List of documents",
  analytics: "Analytics",
};

/** How much of the documented rate limits each user has used. */
export function LimitsPanel({
  running: { isLimited, windows },
  askedAtMs,
}: {
  running: RunningServiceView;
  askedAtMs: number;
}) {
  const action = useAction();
  return (
    <div class="stack">
      <Toggle
        isOn={isLimited}
        askedAtMs={askedAtMs}
        onToggle={(isOn) =>
          action.run(() => post("/api/service/rate-limits", isOn ? {} : { off: true }))
        }
      >
        Enforce the documented rate limits
      </Toggle>
      <FailureNotice failure={action.failure} />
      {!isLimited && <p class="quiet">Requests are not limited or counted.</p>}
      {isLimited && windows.length === 0 && (
        <p class="quiet">No requests counted yet. Run a formula that calls the service.</p>
      )}
      <ul class="plain windows">
        {windows.map(({ userId, group, recent, limit: { requests, windowMs } }) => (
          <li key={`${group} ${userId}`}>
            <span class="name">
              {NAMES[group] ?? group} <span class="quiet mono small">{userId}</span>
            </span>
            <meter
              min={0}
              max={requests}
              value={Math.min(recent, requests)}
              high={requests * 0.8}
              aria-label={`${NAMES[group] ?? group} used`}
            />
            <span class="quiet">
              {recent} of {requests} in {windowMs / 1_000} s
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
