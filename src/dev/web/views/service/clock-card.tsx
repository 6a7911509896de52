import { useEffect, useState } from "preact/hooks";
import type { RunningServiceView } from "../../../wire/service.ts";
import { post } from "../../api.ts";
import { Button } from "../../parts/button.tsx";
import { FailureNotice } from "../../parts/failure-notice.tsx";
import { useAction } from "../../use-action.ts";

const MINUTE_MS = 60_000;
const STEPS = [
  ["1 min", MINUTE_MS],
  ["1 hour", 60 * MINUTE_MS],
  ["1 day", 24 * 60 * MINUTE_MS],
] as const;

interface ClockCardProps {
  running: RunningServiceView;
  askedAtMs: number;
}

/** The present of the service, which can be moved: what expires, expires. */
export function ClockCard({ running: { nowMs, isFrozen }, askedAtMs }: ClockCardProps) {
  const [pageMs, setPageMs] = useState(() => Date.now());
  const action = useAction();
  useEffect(() => {
    const timer = setInterval(() => setPageMs(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const shownMs = isFrozen ? nowMs : nowMs + Math.max(0, pageMs - askedAtMs);
  const [day, time] = new Date(shownMs).toISOString().split("T");
  return (
    <section class="card stat" aria-labelledby="service-clock">
      <h3 id="service-clock">Clock</h3>
      <p class="figure">
        <time dateTime={new Date(shownMs).toISOString()}>
          {time?.slice(0, 8)} <small>{day} UTC</small>
        </time>
      </p>
      <div class="row" role="group" aria-label="Advance the clock">
        {STEPS.map(([text, advanceMs]) => (
          <Button
            key={text}
            isSmall
            label={`Advance the clock by ${text}`}
            onClick={() => action.run(() => post("/api/service/clock", { advanceMs }))}
          >
            +{text}
          </Button>
        ))}
        <Button isSmall isPressed={isFrozen} onClick={() => action.run(() => post("/api/service/clock", { freeze: !isFrozen }))}>
          Freeze
        </Button>
      </div>
      {action.failure !== undefined && <FailureNotice failure={action.failure} />}
    </section>
  );
}
