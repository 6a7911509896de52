import { useEffect, useState } from "preact/hooks";
import type { RunningServiceView, ServiceView } from "../../wire/service.ts";
import { post } from "../api.ts";
import { Button } from "../parts/button.tsx";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { Pill, Tabs } from "../parts/layout.tsx";
import type { ViewProps } from "../route.ts";
import { useAction } from "../use-server.ts";
import { Documents } from "./documents.tsx";
import { EditsPanel, latencyText } from "./edits-panel.tsx";
import { FaultsPanel } from "./faults-panel.tsx";
import { PackPanel } from "./pack-panel.tsx";
import { LimitsPanel, RequestsPanel } from "./requests-panel.tsx";
import { StartPanel } from "./start-panel.tsx";
import { useService } from "./use-service.ts";

export function Service({ parts }: ViewProps) {
  const { service, failure, askedAtMs } = useService();
  const action = useAction();
  const running = service?.running;
  return (
    <section class="view stack service" aria-labelledby="view-title">
      <header>
        <h2 id="view-title">Service</h2>
        {running !== undefined && (
          <>
            <Pill tone={running.failure === undefined ? "good" : "bad"}>
              {running.failure === undefined ? "running" : "not responding"}
            </Pill>
            <span class="quiet small mono">{running.origin}</span>
            <div class="aside row">
              <Button
                isSmall
                disabled={running.failure !== undefined}
                onClick={() => action.run(() => post("/api/service/reset"))}
              >
                Reset documents
              </Button>
              <Button
                isSmall
                kind="danger"
                onClick={() => action.run(() => post("/api/service/stop"))}
              >
                {running.isOwn ? "Stop" : "Disconnect"}
              </Button>
            </div>
          </>
        )}
      </header>
      <FailureNotice failure={failure} />
      <FailureNotice failure={action.failure} />
      {service !== undefined && running === undefined && <StartPanel />}
      <FailureNotice failure={running?.failure} />
      {service !== undefined && running !== undefined && running.failure === undefined && (
        <RunningService service={service} running={running} askedAtMs={askedAtMs} parts={parts} />
      )}
    </section>
  );
}

interface RunningServiceProps {
  service: ServiceView;
  running: RunningServiceView;
  askedAtMs: number;
  parts: readonly string[];
}

type Tab = "edits" | "requests" | "faults" | "limits" | "access";

function RunningService({ service, running, askedAtMs, parts }: RunningServiceProps) {
  const [tab, setTab] = useState<Tab>("edits");
  const { pending, faults, requests } = running;
  const count = (number: number) => (number === 0 ? undefined : <Pill>{number}</Pill>);
  const tabs = [
    ["edits", <>Edits {count(pending.length)}</>],
    ["requests", <>Requests {count(requests.length)}</>],
    ["faults", <>Faults {count(faults.length)}</>],
    ["limits", <>Limits</>],
    ["access", <>The Pack</>],
  ] as const;
  return (
    <div class="stack">
      <Stats service={service} running={running} askedAtMs={askedAtMs} onPick={setTab} />
      <div class="card documents-card">
        <Documents running={running} askedAtMs={askedAtMs} parts={parts} />
      </div>
      <div class="card">
        <Tabs label="Details of the service" tabs={tabs} current={tab} onPick={setTab}>
          {tab === "edits" && <EditsPanel running={running} askedAtMs={askedAtMs} />}
          {tab === "requests" && <RequestsPanel running={running} />}
          {tab === "faults" && <FaultsPanel running={running} />}
          {tab === "limits" && <LimitsPanel running={running} askedAtMs={askedAtMs} />}
          {tab === "access" && <PackPanel access={service.access} askedAtMs={askedAtMs} />}
        </Tabs>
      </div>
    </div>
  );
}

interface StatsProps extends Pick<RunningServiceProps, "service" | "running" | "askedAtMs"> {
  /** Opens the tab with the details of a figure. */
  onPick: (tab: Tab) => void;
}

/** The clock, and a figure for each tab that changes what the Pack gets. */
function Stats({ service, running, askedAtMs, onPick }: StatsProps) {
  const { pending, faults, windows, isLimited, isHeld } = running;
  const routed = service.access.routes.find(({ isOn }) => isOn);
  const fullest = Math.max(0, ...windows.map(({ recent, limit }) => recent / limit.requests));
  return (
    <div class="stats">
      <ClockCard running={running} askedAtMs={askedAtMs} />
      <Stat
        title="Pending edits"
        value={String(pending.length)}
        note={isHeld ? "held until you complete them" : `applied ${latencyText(running.latency)}`}
        onPick={() => onPick("edits")}
      />
      <Stat
        title="Faults"
        value={String(faults.length)}
        note={faults[0] === undefined ? "no faults injected" : `${faults[0].on} ${faults[0].what}`}
        onPick={() => onPick("faults")}
      />
      <Stat
        title="Limits"
        value={isLimited ? `${Math.round(fullest * 100)}%` : "off"}
        note={isLimited ? "of the most used limit" : "requests are not limited"}
        onPick={() => onPick("limits")}
      />
      <Stat
        title="The Pack"
        value={routed === undefined ? "not routed" : "routed"}
        note={
          routed === undefined
            ? "no requests are routed to this service"
            : breakAtDots(routed.origin.replace("https://", ""))
        }
        onPick={() => onPick("access")}
      />
    </div>
  );
}

/** Lets a long host name wrap after its dots. */
function breakAtDots(host: string): string {
  return host.replaceAll(".", ".\u200b");
}

interface StatProps {
  title: string;
  value: string;
  note: string;
  onPick: () => void;
}

/** One figure. A click opens the tab with the details. */
function Stat({ title, value, note, onPick }: StatProps) {
  return (
    <button type="button" class="card stat" onClick={onPick}>
      <span class="title">{title}</span>
      <span class="figure">{value}</span>
      <span class="note quiet small">{note}</span>
    </button>
  );
}

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

/** The clock of the service. Moving it ahead lets tokens and limits expire. */
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
        <Button
          isSmall
          isPressed={isFrozen}
          onClick={() => action.run(() => post("/api/service/clock", { freeze: !isFrozen }))}
        >
          Freeze
        </Button>
      </div>
      <FailureNotice failure={action.failure} />
    </section>
  );
}
