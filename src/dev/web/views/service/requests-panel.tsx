import type { RunningServiceView } from "../../../wire/service.ts";
import { Empty } from "../../parts/empty.tsx";
import { Pill } from "../../parts/pill.tsx";
import { Scroller } from "../../parts/scroller.tsx";
import { timeOfDay } from "./time-of-day.ts";

/** The journal of the service: what it was asked, without headers and bodies. What this page reads is not in it. */
export function RequestsPanel({ running: { requests } }: { running: RunningServiceView }) {
  if (requests.length === 0)
    return <Empty title="No requests yet">Run a formula that asks the service, or edit a row: its journal shows both.</Empty>;
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
