import type { RunningServiceView } from "../../../wire/service.ts";
import { post } from "../../api.ts";
import { FailureNotice } from "../../parts/failure-notice.tsx";
import { Toggle } from "../../parts/toggle.tsx";
import { useAction } from "../../use-action.ts";

const NAMES: Readonly<Record<string, string>> = {
  read: "Reads",
  write: "Writes",
  content: "Page content",
  listDocs: "List of documents",
  analytics: "Analytics",
};

/** How much of the documented limits is used up, for each user. */
export function LimitsPanel({ running: { isLimited, windows } }: { running: RunningServiceView }) {
  const action = useAction();
  return (
    <div class="stack">
      <Toggle isOn={isLimited} onToggle={(isOn) => action.run(() => post("/api/service/rate-limits", isOn ? {} : { off: true }))}>
        Refuse what the documented limits do not allow
      </Toggle>
      {action.failure !== undefined && <FailureNotice failure={action.failure} />}
      {!isLimited && <p class="quiet">Nothing is limited, and nothing is counted.</p>}
      {isLimited && windows.length === 0 && <p class="quiet">No request has been counted yet.</p>}
      <ul class="plain windows">
        {windows.map(({ userId, group, recent, requests, windowMs }) => (
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
