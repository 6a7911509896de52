import { countText } from "../../shared/count-text.ts";
import { badRequest, type DevRouter, parseBody } from "../router.ts";
import type { DevSession } from "../session/dev-session.ts";
import { saveRequest, saveRun, suggestNames } from "../timeline/save-run.ts";
import {
  type HistoryDetail,
  type HistoryRequest,
  type HistoryRow,
  type HistoryView,
  nameRequest,
} from "../wire/history.ts";
import type { RunView } from "../wire/run.ts";
import type { HistoryEntry } from "./run-history.ts";

const MAX_SUMMARY = 160;

/** The routes of the view History. */
export function addHistoryRoutes(router: DevRouter, session: DevSession): undefined {
  const { runs } = session;
  const requireEntry = (id: string | undefined): HistoryEntry => {
    const entry = runs.history.get(id ?? "");
    if (entry === undefined)
      throw badRequest("This run is no longer stored. Run the formula again.");
    return entry;
  };
  router.get("/api/history", (): HistoryView => ({ rows: runs.history.list().map(describeRow) }));
  router.get("/api/history/:id", ({ params }) =>
    describeDetail(session, requireEntry(params["id"])),
  );
  router.post("/api/history/clear", () => runs.history.clear());
  router.post("/api/history/:id/name", ({ params, body }) => {
    runs.history.rename(requireEntry(params["id"]).run.id, parseBody(nameRequest, body).name);
  });
  router.post("/api/history/:id/again", async ({ params, signal }) => {
    const run = runs.create(requireEntry(params["id"]).request);
    await run.advance({ toTheEnd: false, signal });
    return { id: run.id };
  });
  router.post(
    "/api/history/:id/save",
    async ({ params, body, signal }) =>
      await saveRun(session, requireEntry(params["id"]).request, {
        ...parseBody(saveRequest, body),
        signal,
      }),
  );
}

function describeRow({ request, startedAtMs, kind, args, name, run }: HistoryEntry): HistoryRow {
  const { id, target, state, revision, durationMs, requests, failure } = run;
  return {
    id,
    name,
    target,
    kind,
    args: [...args],
    account: request.account,
    dynamicUrl: request.dynamicUrl,
    startedAtMs,
    durationMs,
    state,
    revision,
    requests,
    summary: summarize(run),
    failure: failure && { code: failure.code, message: failure.message },
  };
}

function describeDetail(session: DevSession, entry: HistoryEntry): HistoryDetail {
  const row = describeRow(entry);
  return {
    ...row,
    run: entry.run,
    sent: describeRequests(session, row.id),
    suggested: suggestNames(session, row.target),
  };
}

function describeRequests({ traffic }: DevSession, id: string): HistoryRequest[] {
  return traffic
    .list()
    .filter(({ source }) => source.kind === "run" && source.id === id)
    .sort((left, right) => left.startedAtMs - right.startedAtMs || left.id - right.id)
    .map(({ source: _, ...request }) => request);
}

function summarize({ kind, value, excerpt, rowCount, state, failure }: RunView): string {
  if (failure !== undefined || (state === "running" && value === undefined)) return "";
  if (kind === "rows") return `${countText(rowCount, "row")}${state === "paused" ? " so far" : ""}`;
  const text = excerpt ?? (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > MAX_SUMMARY ? `${line.slice(0, MAX_SUMMARY - 1)}…` : line;
}
