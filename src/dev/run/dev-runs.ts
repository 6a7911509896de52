import { type BlobStore, createBlobStore } from "../../execute/blob-store.ts";
import { createRunHistory, type RunHistory } from "../history/run-history.ts";
import type { PackSession } from "../session/pack-session.ts";
import type { RunRequest } from "../wire/run.ts";
import { createDevRun, type DevRun } from "./dev-run.ts";

/** The latest runs of the page. */
export interface DevRuns extends AsyncDisposable {
  /** Temporary blobs of the Pack, and files that the page uploaded. */
  readonly blobs: BlobStore;
  /** What is kept of runs after they were forgotten. */
  readonly history: RunHistory;
  create(request: RunRequest): DevRun;
  get(id: string): DevRun | undefined;
  /** Oldest first. */
  list(): readonly DevRun[];
}

/** Older runs are forgotten, with their rows. */
const MAX_RUNS = 12;

export function createDevRuns(session: PackSession): DevRuns {
  const runs = new Map<string, DevRun>();
  const blobs = createBlobStore({ now: session.now });
  const history = createRunHistory(session, (id) => runs.get(id));
  let lastId = 0;

  const forget = (run: DevRun): void => {
    runs.delete(run.id);
    void run[Symbol.asyncDispose]();
  };
  return {
    blobs,
    history,
    create(request) {
      lastId += 1;
      // A new sync of a table replaces the earlier one.
      for (const run of runs.values())
        if (run.request.target === request.target && run.view().kind === "rows") forget(run);
      for (const run of [...runs.values()].slice(0, Math.max(0, runs.size - MAX_RUNS + 1)))
        forget(run);
      const run = createDevRun(session, String(lastId), request, blobs);
      runs.set(run.id, run);
      return run;
    },
    get: (id) => runs.get(id),
    list: () => [...runs.values()],
    async [Symbol.asyncDispose]() {
      await Promise.all([...runs.values()].map((run) => run[Symbol.asyncDispose]()));
      await blobs[Symbol.asyncDispose]();
    },
  };
}
