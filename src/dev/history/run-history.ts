import { isSecretParameter } from "../../shared/secret-parameter.ts";
import type { DevRun } from "../run/dev-run.ts";
import { formulaIn, tableIn } from "../run/run-options.ts";
import type { PackSession } from "../session/pack-session.ts";
import type { ArgumentView, HistoryRow } from "../wire/history.ts";
import type { RunRequest, RunView } from "../wire/run.ts";

/** A run that has started, also after its result was forgotten. */
export interface HistoryEntry {
  readonly request: RunRequest;
  readonly startedAtMs: number;
  readonly kind: HistoryRow["kind"];
  readonly args: readonly ArgumentView[];
  /** The name that the user gave it, or empty. */
  name: string;
  /** Of a table, `value` has its first rows. */
  run: RunView;
}

/** The runs of the page since it was started. They are in memory only. */
export interface RunHistory {
  /** Newest first. */
  list(): readonly HistoryEntry[];
  get(id: string): HistoryEntry | undefined;
  rename(id: string, name: string): void;
  clear(): void;
}

/** Older runs are forgotten; those with a name last. */
const MAX_ENTRIES = 100;
/** How many rows of a table are kept to compare, and how long they may be. */
const MAX_ROWS = 1_000;
const MAX_ROWS_LENGTH = 300_000;
/** A run that the page itself starts to list the tools of a server. */
const LISTING = "Mcp:tools";
const MASK = "••••";

/** @param runOf finds a run that has just started */
export function createRunHistory(
  session: PackSession,
  runOf: (id: string) => DevRun | undefined,
): RunHistory {
  const entries = new Map<string, HistoryEntry>();
  /** Runs in progress: their records may be forgotten before they end. */
  const running = new Map<string, DevRun>();
  const notify = (): void => session.events.send({ type: "history" });

  const noteStart = (run: DevRun): void => {
    running.set(run.id, run);
    const entry = entries.get(run.id);
    if (entry !== undefined) entry.run = { ...entry.run, state: "running" };
    else entries.set(run.id, createEntry(session, run));
    forgetOldest(entries);
  };
  const noteEnd = (run: DevRun): void => {
    running.delete(run.id);
    const entry = entries.get(run.id);
    if (entry !== undefined) entry.run = keepView(run);
  };
  session.events.listen((event) => {
    if (event.type !== "run" || event.state === "page") return;
    const run = running.get(event.id) ?? runOf(event.id);
    if (run === undefined || run.request.target === LISTING) return;
    if (event.state === "started") noteStart(run);
    else noteEnd(run);
    notify();
  });
  return {
    list: () => [...entries.values()].reverse(),
    get: (id) => entries.get(id),
    rename(id, name) {
      const entry = entries.get(id);
      if (entry !== undefined) entry.name = name;
      notify();
    },
    clear() {
      for (const id of entries.keys()) if (!running.has(id)) entries.delete(id);
      notify();
    },
  };
}

function createEntry(session: PackSession, run: DevRun): HistoryEntry {
  const { request } = run;
  return {
    request,
    startedAtMs: session.now(),
    kind: findKind(session, request.target),
    args: listArguments(session, request),
    name: "",
    run: run.view(),
  };
}

function forgetOldest(entries: Map<string, HistoryEntry>): void {
  if (entries.size <= MAX_ENTRIES) return;
  const all = [...entries];
  const [oldest] = all.find(([, { name }]) => name === "") ?? all[0] ?? [];
  if (oldest !== undefined) entries.delete(oldest);
}

/** The view of a run, with rows in place of the number of rows. */
function keepView(run: DevRun): RunView {
  const view = run.view();
  if (view.kind === "value") return view;
  const kept: unknown[] = [];
  let length = 0;
  for (const row of run.rows(0, MAX_ROWS).rows) {
    length += JSON.stringify(row)?.length ?? 0;
    if (length > MAX_ROWS_LENGTH) break;
    kept.push(row);
  }
  return { ...view, value: kept };
}

function findKind(session: PackSession, target: string): HistoryRow["kind"] {
  const { definition } = session.state();
  if (target.startsWith("Mcp:")) return "tool";
  if (definition === undefined) return "formula";
  if (tableIn(definition, target) !== undefined) return "table";
  return formulaIn(definition, target)?.isAction === true ? "action" : "formula";
}

/** The arguments with the names that their parameters have now. */
function listArguments(session: PackSession, { target, args }: RunRequest): ArgumentView[] {
  const { definition } = session.state();
  const formula =
    definition && (formulaIn(definition, target) ?? tableIn(definition, target)?.getter);
  const named = formula?.parameters ?? [];
  const repeated = formula?.varargParameters ?? [];
  return args.map((text, index) => {
    const name = named[index]?.name ?? repeatedName(repeated, index - named.length, index);
    const isSecret = isSecretParameter(name);
    return { name, text: isSecret ? MASK : maskMembers(text), isSecret };
  });
}

/** The arguments of a tool are one JSON text, whose members may be secrets. */
function maskMembers(text: string): string {
  if (!text.startsWith("{")) return text;
  try {
    return JSON.stringify(JSON.parse(text), (name, value: unknown) =>
      isSecretParameter(name) ? MASK : value,
    );
  } catch {
    return text;
  }
}

function repeatedName(
  repeated: readonly { readonly name: string }[],
  place: number,
  index: number,
): string {
  const { length } = repeated;
  const parameter = length === 0 ? undefined : repeated[place % length];
  if (parameter === undefined) return `argument ${index + 1}`;
  return `${parameter.name} ${Math.floor(place / length) + 1}`;
}
