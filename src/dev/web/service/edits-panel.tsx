import type { EditView, RunningServiceView } from "../../wire/service.ts";
import { post } from "../api.ts";
import { Button } from "../parts/button.tsx";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { Toggle } from "../parts/field.tsx";
import { timeOfDay } from "../parts/format.ts";
import { Empty, Pill, Scroller } from "../parts/layout.tsx";
import { useChosen } from "../parts/use-chosen.ts";
import { type Action, useAction } from "../use-server.ts";
import { editText } from "./edit-text.ts";

interface EditsPanelProps {
  running: RunningServiceView;
  askedAtMs: number;
}

/** Accepted edits: the pending ones with their actions, and the applied ones. */
export function EditsPanel({ running, askedAtMs }: EditsPanelProps) {
  const { pending, done } = running;
  const action = useAction();
  return (
    <div class="stack">
      <EditsToolbar running={running} askedAtMs={askedAtMs} action={action} />
      <FailureNotice failure={action.failure} />
      {pending.length === 0 && done.length === 0 ? (
        <Empty title="No edits yet">
          Edit a cell above, or run an action that writes. Each edit is listed here until the
          service has applied it.
        </Empty>
      ) : (
        <Scroller label="Edits">
          <table class="table">
            <thead>
              <tr>
                <th scope="col">Edit</th>
                <th scope="col">Document</th>
                <th scope="col">Accepted</th>
                <th scope="col">State</th>
                <th scope="col">
                  <span class="visually-hidden">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {pending.map((edit) => (
                <PendingEdit key={edit.requestId} edit={edit} action={action} />
              ))}
              {done.map((edit) => (
                <AppliedEdit key={edit.requestId} edit={edit} />
              ))}
            </tbody>
          </table>
        </Scroller>
      )}
    </div>
  );
}

/** When edits are applied. */
function EditsToolbar({
  running: { pending, isHeld, latency: current },
  askedAtMs,
  action,
}: EditsPanelProps & { action: Action<unknown> }) {
  const { value: latency, choose } = useChosen(current, askedAtMs);
  const isKnown = LATENCIES.some(([id]) => id === latency);
  return (
    <div class="row">
      <Toggle
        isOn={isHeld}
        askedAtMs={askedAtMs}
        onToggle={(hold) => action.run(() => post("/api/service/mutations/hold", { hold }))}
      >
        Hold new edits
      </Toggle>
      <label class="inline-field">
        Apply edits
        <select
          class="input"
          value={latency}
          onChange={(event) => {
            const chosen = LATENCIES.find(([id]) => id === event.currentTarget.value);
            if (chosen !== undefined)
              choose(chosen[0], () =>
                action.run(() => post("/api/service/latency", { latency: chosen[2] })),
              );
          }}
        >
          {!isKnown && <option value={latency}>{latencyText(latency)}</option>}
          {LATENCIES.map(([id, text]) => (
            <option key={id} value={id}>
              {text}
            </option>
          ))}
        </select>
      </label>
      <span class="end" />
      <Button
        isSmall
        disabled={pending.length === 0}
        onClick={() => action.run(() => post("/api/service/mutations/complete"))}
      >
        Complete all
      </Button>
    </div>
  );
}

function PendingEdit({ edit, action }: { edit: EditView; action: Action<unknown> }) {
  const { requestId, docId, kind, rows, state, acceptedAtMs, dueAtMs } = edit;
  const warning = "Completed with a warning from packsmith dev.";
  return (
    <tr>
      <td>
        {kind === undefined ? state : editText(kind, rows)}
        <div class="mono quiet small">{requestId}</div>
      </td>
      <td class="mono quiet">{docId}</td>
      <td class="quiet">{timeOfDay(acceptedAtMs)}</td>
      <td>
        <Pill tone="accent">{state}</Pill>{" "}
        <span class="quiet small">
          {dueAtMs > LAST_TIME_MS ? "waits for you" : `due ${timeOfDay(dueAtMs)}`}
        </span>
      </td>
      <td>
        <div class="row">
          <Button
            isSmall
            onClick={() => action.run(() => post("/api/service/mutations/complete", { requestId }))}
          >
            Complete
          </Button>
          <Button
            isSmall
            onClick={() =>
              action.run(() => post("/api/service/mutations/warn", { requestId, warning }))
            }
          >
            Complete with warning
          </Button>
        </div>
      </td>
    </tr>
  );
}

function AppliedEdit({ edit }: { edit: RunningServiceView["done"][number] }) {
  const { requestId, docId, acceptedAtMs, completedAtMs, warning } = edit;
  return (
    <tr>
      <td class="mono quiet">{requestId}</td>
      <td class="mono quiet">{docId}</td>
      <td class="quiet">{timeOfDay(acceptedAtMs)}</td>
      <td>
        {warning === null ? <Pill tone="good">applied</Pill> : <Pill tone="warn">{warning}</Pill>}{" "}
        {completedAtMs !== null && (
          <span class="quiet small">after {duration(completedAtMs - acceptedAtMs)}</span>
        )}
      </td>
      <td />
    </tr>
  );
}

/** The end of the service's clock: a later edit waits until the user completes it. */
const LAST_TIME_MS = Date.UTC(10_000, 0);

function duration(ms: number): string {
  return ms < 1_000 ? `${Math.max(0, Math.round(ms))} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

/**
 * How long accepted edits wait: name in the control plane, label, and the value that it accepts.
 */
export const LATENCIES = [
  ["immediate", "immediately", "immediate"],
  ["100 ms", "after 100 ms", { ms: 100 }],
  ["3 polls", "after three status requests", { polls: 3 }],
  ["realistic", "after 10 to 20 seconds", "realistic"],
] as const;

export function latencyText(latency: string): string {
  return LATENCIES.find(([id]) => id === latency)?.[1] ?? `after ${latency}`;
}
