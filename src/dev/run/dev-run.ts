import type { BlobStore } from "../../execute/blob-store.ts";
import { createResponseCache } from "../../execute/fetch/fetch-cache.ts";
import type { Pack } from "../../execute/open-pack.ts";
import {
  type FailedRun,
  type Run,
  type RunTargetOptions,
  runTarget,
} from "../../execute/run-target.ts";
import type { UpdateOutcome } from "../../execute/tables/execute-update.ts";
import { toFailure } from "../../shared/failures.ts";
import { uptimeMs } from "../../shared/time.ts";
import { runFailureView } from "../failures.ts";
import { badRequest } from "../router.ts";
import type { PackSession } from "../session/pack-session.ts";
import type { RowEdit, RowEditOutcome, RunRequest, RunState, RunView } from "../wire/run.ts";
import { createRunOptions, formulaIn, tableIn } from "./run-options.ts";
import { createRunRecord, type RunRecord } from "./run-record.ts";

/** A run of the page: a formula, a metadata formula, or a sync table that reads an API page by page. */
export interface DevRun extends AsyncDisposable, Pick<RunRecord, "holds" | "rows"> {
  readonly id: string;
  readonly request: RunRequest;
  view(): RunView;
  /**
   * Runs until the result or the next page of a table arrives. With `toTheEnd`, runs until there
   * are no more pages.
   * @throws {PackError} USAGE_INVALID while it is running, and after it has ended
   */
  advance(options: { toTheEnd: boolean; signal: AbortSignal }): Promise<void>;
  /** Stops a run to the end after the current page. */
  pause(): void;
  /** Writes edited rows, and updates the rows of this run. */
  edit(edits: readonly RowEdit[], signal: AbortSignal): Promise<RowEditOutcome[]>;
}

/** The page asks for each page of a table, so a sync has nearly no limit. */
const TABLE_LIMITS = { maxRows: 2_000_000, maxPages: Number.POSITIVE_INFINITY };
/** How often the page is notified about new rows, in milliseconds. */
const NOTIFY_MS = 100;

/** The Pack and the run, open between two pages. */
interface Open extends AsyncDisposable {
  pack: Pack;
  run: Run;
}

export function createDevRun(
  session: PackSession,
  id: string,
  request: RunRequest,
  blobs: BlobStore,
): DevRun {
  const { target, dynamicUrl } = request;
  const args = { text: request.args };
  const ending = new AbortController();
  const cache = createResponseCache({ now: session.now });
  const record = createRunRecord();
  const status: Pick<RunView, "state" | "revision" | "failure"> = {
    state: "paused",
    revision: 0,
    failure: undefined,
  };
  let open: Open | undefined;
  let isPausing = false;

  const optionsUntil = (signal: AbortSignal): RunTargetOptions => ({
    ...createRunOptions(session, { kind: "run", id, target }),
    account: request.account,
    blobs,
    cache,
    signal,
    elicit: session.questions.elicitFor(target),
    onToolLog: (entry) => session.events.send({ type: "toolLog", target, ...entry }),
  });
  const start = async (): Promise<Open> => {
    const pack = await session.openRun(ending.signal);
    status.revision = pack.revision;
    const isTable = tableIn(pack.definition, target) !== undefined;
    const options = { ...optionsUntil(ending.signal), ...(isTable ? TABLE_LIMITS : {}) };
    const run = runTarget(pack, { target, args, dynamicUrl }, options);
    return { pack, run, [Symbol.asyncDispose]: () => closeInOrder(run, pack) };
  };
  const notify = (state: "started" | "page" | "ended"): void =>
    session.events.send({ type: "run", id, state });
  const fail = ({ failure, stepUp }: Pick<FailedRun, "failure" | "stepUp">): "ended" => {
    status.failure = {
      ...runFailureView(session, failure.cause),
      stepUp: stepUp && { ...stepUp, scopes: [...stepUp.scopes] },
    };
    return "ended";
  };

  const finish = async ({ pack, run }: Open): Promise<"ended"> => {
    const result = await run.finish();
    record.addTrace(result);
    if (!result.ok) return fail(result);
    record.takeValue(result.result, formulaIn(pack.definition, target));
    return "ended";
  };
  const takePage = async ({ pack, run }: Open): Promise<"paused" | "ended"> => {
    const next = await run.nextPage();
    if (!next.ok) {
      record.addTrace(next);
      return fail(next);
    }
    if (next.page === undefined) return "ended";
    record.addTrace(next.page);
    record.addPage(next.page, tableIn(pack.definition, target)?.schema);
    return next.page.end === undefined ? "paused" : "ended";
  };
  const takePages = async (from: Open, toTheEnd: boolean): Promise<RunState> => {
    let notifiedAtMs = uptimeMs();
    for (;;) {
      const state = await takePage(from);
      if (state === "ended" || !toTheEnd || isPausing) return state;
      if (uptimeMs() - notifiedAtMs <= NOTIFY_MS) continue;
      notifiedAtMs = uptimeMs();
      notify("page");
    }
  };

  return {
    id,
    request,
    view: () => ({ id, target, ...status, ...record.view() }),
    holds: record.holds,
    rows: record.rows,
    async advance({ toTheEnd, signal }) {
      requirePaused(status.state);
      status.state = "running";
      isPausing = false;
      const stop = (): void => ending.abort();
      signal.addEventListener("abort", stop, { once: true });
      notify("started");
      try {
        open ??= await start();
        const isTable = tableIn(open.pack.definition, target) !== undefined;
        status.state = isTable ? await takePages(open, toTheEnd) : await finish(open);
        if (status.state === "ended") await open[Symbol.asyncDispose]();
      } catch (error) {
        status.state = fail({ failure: toFailure(error) });
      } finally {
        signal.removeEventListener("abort", stop);
        notify("ended");
      }
    },
    pause() {
      isPausing = true;
    },
    async edit(edits, signal) {
      const updates = edits.map(record.prepareEdit);
      await using pack = await session.openRun(signal);
      await using run = runTarget(
        pack,
        { target: `${target}:update`, args, updates, dynamicUrl, schema: record.rowSchema },
        optionsUntil(signal),
      );
      const result = await run.finish();
      record.addTrace(result);
      if (!result.ok) throw result.failure.cause;
      return (result.result as UpdateOutcome[]).map((outcome, index) =>
        record.takeOutcome(edits[index] as RowEdit, updates[index]?.newValue, outcome),
      );
    },
    async [Symbol.asyncDispose]() {
      ending.abort();
      await Promise.resolve(open?.[Symbol.asyncDispose]()).catch(() => undefined);
    },
  };
}

async function closeInOrder(...opened: readonly AsyncDisposable[]): Promise<void> {
  for (const one of opened) await one[Symbol.asyncDispose]();
}

/** @throws {PackError} USAGE_INVALID */
function requirePaused(state: RunState): void {
  if (state === "paused") return;
  throw badRequest(state === "running" ? "The run is still in progress." : "The run has ended.");
}
