import { useState } from "preact/hooks";
import type { RunningServiceView } from "../../wire/service.ts";
import { post } from "../api.ts";
import { Button } from "../parts/button.tsx";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { SelectField, TextField } from "../parts/field.tsx";
import { useAction } from "../use-server.ts";

/** The faults to choose from: label, and what the control plane accepts. */
const EFFECTS = {
  "429": ["returns 429 Too Many Requests", { status: 429, retryAfter: 2 }],
  "503": ["returns 503 Service Unavailable", { status: 503 }],
  "500": ["returns 500 Internal Server Error", { status: 500 }],
  "401": ["returns 401 Unauthorized", { status: 401 }],
  "403": ["returns 403 Forbidden", { status: 403 }],
  "404": ["returns 404 Not Found", { status: 404 }],
  "504": ["returns 504 Gateway Timeout", { status: 504 }],
  drop: ["closes the connection without a response", { drop: "before" }],
  after: ["processes the request, then closes the connection", { drop: "after" }],
  truncate: ["sends only part of the response", { truncate: true }],
  slow: ["waits five seconds before the response", { delayMs: 5_000 }],
} as const;

const OFTEN = { once: { count: 1 }, "three times": { count: 3 }, always: {} } as const;

/** Faults on purpose. They affect requests of Packs, not what this page reads. */
export function FaultsPanel({ running: { faults, operations } }: { running: RunningServiceView }) {
  const [operation, setOperation] = useState("");
  const [effect, setEffect] = useState<string>("503");
  const [often, setOften] = useState<string>("once");
  const [percent, setPercent] = useState("100");
  const action = useAction();
  const add = () =>
    post("/api/service/faults/add", {
      ...(operation === "" ? {} : { operation }),
      ...EFFECTS[effect as keyof typeof EFFECTS][1],
      ...OFTEN[often as keyof typeof OFTEN],
      ...(percent === "100" ? {} : { probability: Number(percent) / 100 }),
    });
  return (
    <div class="stack">
      <form
        class="fault-form"
        onSubmit={(event) => {
          event.preventDefault();
          action.run(add);
        }}
      >
        <SelectField
          label="Request"
          value={operation}
          onValue={setOperation}
          options={[["", "every request"], ...operations.map((name) => [name, name] as const)]}
        />
        <SelectField
          label="The service"
          value={effect}
          onValue={setEffect}
          options={Object.entries(EFFECTS).map(([id, [text]]) => [id, text] as const)}
        />
        <SelectField
          label="How often"
          value={often}
          onValue={setOften}
          options={Object.keys(OFTEN).map((id) => [id, id] as const)}
        />
        <TextField
          label="Probability"
          note="%"
          type="number"
          value={percent}
          onValue={setPercent}
        />
        <Button type="submit" kind="primary" isBusy={action.isBusy}>
          Inject fault
        </Button>
      </form>
      <FailureNotice failure={action.failure} />
      {faults.length === 0 ? (
        <p class="quiet">No faults. Inject a fault to see how your Pack handles errors.</p>
      ) : (
        <ul class="plain faults">
          {faults.map(({ key, on, what, often: times }, index) => (
            <li key={index} class="row">
              <span>
                <strong>{on}</strong> {what}, <span class="quiet">{times}</span>
              </span>
              <span class="end" />
              <Button
                isSmall
                label={`Remove the fault for ${on}`}
                onClick={() => action.run(() => post("/api/service/faults/remove", { key }))}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
