import { type ComponentType, render } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { FailureView } from "../wire/common.ts";
import type { PackView } from "../wire/pack.ts";
import { Accounts } from "./accounts/accounts.tsx";
import { type StreamState, subscribeToStream } from "./api.ts";
import { Bundle } from "./bundle/bundle.tsx";
import { Overview } from "./overview/overview.tsx";
import { FailureNotice } from "./parts/failure-notice.tsx";
import { Pill } from "./parts/layout.tsx";
import { linkTo, usePlace, type ViewProps } from "./route.ts";
import { Run } from "./run/run.tsx";
import { Service } from "./service/service.tsx";
import { Timeline } from "./timeline/timeline.tsx";
import { useLive } from "./use-server.ts";

interface View {
  id: string;
  title: string;
  Component: ComponentType<ViewProps>;
}

const VIEWS: readonly View[] = [
  { id: "overview", title: "Overview", Component: Overview },
  { id: "accounts", title: "Accounts", Component: Accounts },
  { id: "run", title: "Run", Component: Run },
  { id: "timeline", title: "Timeline", Component: Timeline },
  { id: "service", title: "Service", Component: Service },
  { id: "bundle", title: "Bundle", Component: Bundle },
];

export function App() {
  const { view, parts } = usePlace();
  const { pack, failure } = usePack();
  const stream = useStreamState();
  const shown = VIEWS.find(({ id }) => id === view) ?? VIEWS[0];
  useEffect(() => {
    if (pack !== undefined && shown !== undefined) document.title = `${shown.title} · ${pack.name} · packsmith`;
  }, [pack?.name, shown]);
  return (
    <div class="shell">
      <button type="button" class="skip" onClick={() => document.getElementById("main")?.focus()}>
        Skip to content
      </button>
      <header class="side">
        <div>
          <h1>{pack?.name ?? "packsmith"}</h1>
          {pack !== undefined && <p class="file mono">{pack.file}</p>}
        </div>
        <nav aria-label="Views">
          {VIEWS.map(({ id, title }) => (
            <a key={id} href={linkTo(id)} aria-current={id === shown?.id ? "page" : undefined}>
              {title}
              {id === "overview" && pack !== undefined && <IssueCount pack={pack} />}
            </a>
          ))}
        </nav>
        <p class="foot" role="status">
          {stream === "lost" ? <Pill tone="bad">disconnected</Pill> : pack !== undefined && <PackStatus pack={pack} />}
        </p>
      </header>
      <main id="main" tabIndex={-1}>
        {failure !== undefined && <FailureNotice failure={failure} />}
        {pack !== undefined && shown !== undefined && <shown.Component pack={pack} parts={parts} />}
      </main>
    </div>
  );
}

function IssueCount({ pack }: { pack: PackView }) {
  const errors = pack.issues.filter(({ severity }) => severity === "error").length;
  const warnings = pack.issues.length - errors;
  if (errors > 0)
    return (
      <Pill tone="bad">
        {errors}
        <span class="visually-hidden"> errors</span>
      </Pill>
    );
  if (warnings > 0)
    return (
      <Pill tone="warn">
        {warnings}
        <span class="visually-hidden"> warnings</span>
      </Pill>
    );
  return null;
}

const STATUS = {
  ready: ["good", "ready"],
  invalid: ["bad", "has errors"],
  broken: ["bad", "does not load"],
  missing: ["bad", "file not found"],
} as const;

function PackStatus({ pack }: { pack: PackView }) {
  const [tone, text] = STATUS[pack.status];
  return (
    <>
      <Pill tone={tone}>{text}</Pill> {Math.max(1, Math.round(pack.durationMs))} ms
    </>
  );
}

function useStreamState(): StreamState {
  const [state, setState] = useState<StreamState>("open");
  useEffect(() => subscribeToStream(setState), []);
  return state;
}

export interface PackData {
  pack: PackView | undefined;
  /** Why the last request for it failed. */
  failure: FailureView | undefined;
}

/** The Pack, loaded again after every build. */
export function usePack(): PackData {
  const { data, failure, reload } = useLive<PackView>("/api/pack", ({ type }) => type === "pack");
  // A request to a server that has stopped fails, and the failure says so.
  useEffect(() => subscribeToStream((stream) => stream === "lost" && reload()), []);
  return { pack: data, failure };
}

const root = document.getElementById("app");
if (root !== null) {
  // Replace what the server drew while this script was loading.
  root.textContent = "";
  render(<App />, root);
}
