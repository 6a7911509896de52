import { findSlotAuthentication } from "../../accounts/pack-account.ts";
import type { Authentication } from "../../define/authentication.ts";
import { readReason } from "../../execute/fetch/read-reason.ts";
import { parseRoutes } from "../../oauth/routes.ts";
import { listSlots } from "../accounts/describe-accounts.ts";
import { badRequest, type DevRouter, parseBody } from "../router.ts";
import { formulaIn } from "../run/run-options.ts";
import type { DevSession } from "../session/dev-session.ts";
import type { TimelineDetail, TimelineRow, TimelineView } from "../wire/timeline.ts";
import { curlCommand } from "./curl-command.ts";
import { saveRequest, saveRun, suggestNames } from "./save-run.ts";
import type { TrafficEntry } from "./traffic.ts";

/** The routes of the view Timeline. */
export function addTimelineRoutes(router: DevRouter, session: DevSession): undefined {
  const { traffic } = session;
  const requireEntry = (id: string | undefined): TrafficEntry => {
    const entry = traffic.get(Number(id));
    if (entry === undefined)
      throw badRequest("This request is no longer stored. Run the formula again.");
    return entry;
  };
  router.get(
    "/api/timeline",
    (): TimelineView => ({ rows: traffic.list().map((entry) => describeRow(session, entry)) }),
  );
  router.get("/api/timeline/:id", ({ params }) =>
    describeDetail(session, requireEntry(params["id"])),
  );
  router.post("/api/timeline/clear", () => traffic.clear());
  router.post("/api/timeline/:id/save", async ({ params, body, signal }) => {
    const { source } = requireEntry(params["id"]);
    const run = source.kind === "run" ? session.runs.history.get(source.id) : undefined;
    if (run === undefined)
      throw badRequest("The run of this request is no longer stored. Run the formula again.");
    return await saveRun(session, run.request, { ...parseBody(saveRequest, body), signal });
  });
}

function describeRow({ runs }: DevSession, entry: TrafficEntry): TimelineRow {
  const { requestHeaders: _, requestBody: __, responseHeaders: ___, ...line } = entry;
  const { responseBody: ____, authentication: _____, source, ...record } = line;
  return {
    ...record,
    reason: readReason(entry),
    source: source.kind,
    group: source.id,
    target: source.target,
    canSave: source.kind === "run" && runs.history.get(source.id) !== undefined,
  };
}

function describeDetail(session: DevSession, entry: TrafficEntry): TimelineDetail {
  const { authentication, source } = entry;
  const row = describeRow(session, entry);
  const { definition } = session.state();
  const isAction =
    definition !== undefined && formulaIn(definition, source.target)?.isAction === true;
  return {
    ...entry,
    ...row,
    curl: curlCommand(entry, {
      authentication:
        authentication === undefined ? undefined : authenticationOfType(session, authentication),
      routes: parseRoutes(session.routes()),
    }),
    suggested: row.canSave ? suggestNames(session, source.target) : undefined,
    isAction:
      isAction || source.target.includes(":update") || source.target.startsWith("Mcp:call:"),
  };
}

/** The authentication whose credentials the request carried. */
function authenticationOfType(session: DevSession, type: string): Authentication | undefined {
  const { definition } = session.state();
  if (definition === undefined) return undefined;
  return listSlots(definition)
    .map((slot) => findSlotAuthentication(definition, slot))
    .find((authentication) => authentication?.type === type);
}
