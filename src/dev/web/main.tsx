import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ReportedError } from "../../shared/reported-error.ts";
import type { PackView } from "../wire/pack.ts";
import { type StreamState, subscribeToStream } from "./api.ts";
import { FailureNotice } from "./parts/failure-notice.tsx";
import { Pill } from "./parts/layout.tsx";
import { Name } from "./parts/name.tsx";
import { PACK_STATUS } from "./parts/pack-status.ts";
import { linkTo, usePlace } from "./route.ts";
import { CommandPalette } from "./shell/command-palette.tsx";
import { Icon } from "./shell/icons.tsx";
import { PALETTE_KEYS, ShortcutsDialog, useShortcuts } from "./shell/shortcuts.tsx";
import { VIEWS, viewsFor } from "./shell/views.ts";
import { useLive } from "./use-server.ts";

export function App() {
  const { view, parts } = usePlace();
  const { pack, failure } = usePack();
  const stream = useStreamState();
  const shown = VIEWS.find(({ id, maxParts }) => id === view && parts.length <= maxParts);
  const [dialog, setDialog] = useState<"palette" | "shortcuts" | undefined>(undefined);
  const close = () => setDialog(undefined);
  const showHelp = () => setDialog("shortcuts");
  useShortcuts({ onPalette: () => setDialog("palette"), onHelp: showHelp });
  useEffect(() => {
    if (pack !== undefined)
      document.title = `${shown?.title ?? "Page not found"} · ${pack.name} · packsmith`;
  }, [pack?.name, shown]);
  return (
    <div class="shell">
      <button type="button" class="skip" onClick={() => document.getElementById("main")?.focus()}>
        Skip to content
      </button>
      <header class="side">
        <div class="name">
          <h1>
            <Name text={pack?.name ?? "packsmith"} />
          </h1>
          {pack !== undefined && <p class="file mono">{pack.file}</p>}
        </div>
        <div class="tools">
          <button type="button" class="button small" onClick={() => setDialog("palette")}>
            Search <kbd>{PALETTE_KEYS}</kbd>
          </button>
          <button
            type="button"
            class="button small"
            aria-label="Keyboard shortcuts"
            onClick={showHelp}
          >
            <kbd>?</kbd>
          </button>
        </div>
        <nav aria-label="Views" style={{ "--columns": Math.ceil(viewsFor(pack).length / 2) }}>
          {viewsFor(pack).map(({ id, title }) => (
            <a key={id} href={linkTo(id)} aria-current={id === shown?.id ? "page" : undefined}>
              <Icon name={id} />
              <span>{title}</span>
              {id === "overview" && pack !== undefined && <IssueCount pack={pack} />}
            </a>
          ))}
        </nav>
        <p class="foot" role="status">
          {stream === "lost" ? (
            <Pill tone="bad">disconnected</Pill>
          ) : (
            pack !== undefined && <PackStatus pack={pack} />
          )}
        </p>
      </header>
      <main id="main" tabIndex={-1}>
        <FailureNotice failure={failure} />
        {shown === undefined ? (
          <NotFound />
        ) : (
          pack !== undefined && <shown.Component pack={pack} parts={parts} />
        )}
      </main>
      {dialog === "palette" && <CommandPalette pack={pack} onClose={close} onHelp={showHelp} />}
      {dialog === "shortcuts" && <ShortcutsDialog onClose={close} />}
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

function PackStatus({ pack }: { pack: PackView }) {
  const [tone, text] = PACK_STATUS[pack.status];
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
  failure: ReportedError | undefined;
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

/** For an address that the page does not know. */
function NotFound() {
  return (
    <div class="view stack">
      <header>
        <h2>Page not found</h2>
      </header>
      <p class="wrap">
        Nothing is at <span class="mono">{location.hash}</span>. Choose a view from the navigation,
        or go to the <a href={linkTo("overview")}>overview</a>.
      </p>
    </div>
  );
}
