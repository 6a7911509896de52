import * as z from "zod";
import type { PackVersionDefinition } from "../../define/pack.ts";
import type { Target } from "../../execute/execute-target.ts";
import { runTarget } from "../../execute/run-target.ts";
import { toList, toMembers } from "../../shared/values.ts";
import { badRequest, type DevRouter, parseBody } from "../router.ts";
import type { DevSession } from "../session/dev-session.ts";
import {
  type ChoicesRequest,
  type ChoiceView,
  choicesRequest,
  type RowsView,
  rowEdit,
  runRequest,
} from "../wire/run.ts";
import type { DevRun } from "./dev-run.ts";
import { fetchResultImage } from "./result-image.ts";
import { createRunOptions, tableIn } from "./run-options.ts";

const nextRequest = z.object({ toTheEnd: z.boolean().optional() });
const editRequest = z.object({ edits: z.array(rowEdit) });
const uploadRequest = z.object({ type: z.string(), base64: z.string() });

const MAX_SLICE = 1_000;

/** The routes of the view Run. */
export function addRunRoutes(router: DevRouter, session: DevSession): undefined {
  const { runs } = session;
  const requireRun = (id: string | undefined): DevRun => {
    const run = runs.get(id ?? "");
    if (run === undefined) throw badRequest("This run no longer exists. Run the formula again.");
    return run;
  };
  router.post("/api/runs", async ({ body, signal }) => {
    const run = runs.create(parseBody(runRequest, body));
    await run.advance({ toTheEnd: false, signal });
    return run.view();
  });
  router.get("/api/runs", () => runs.list().map((run) => run.view()));
  router.get("/api/runs/:id", ({ params }) => requireRun(params["id"]).view());
  router.get("/api/runs/:id/rows", ({ params, query }): RowsView => {
    const from = parseCount(query, "from");
    return requireRun(params["id"]).rows(from, Math.min(MAX_SLICE, parseCount(query, "count")), {
      filter: query.get("filter") ?? "",
      sort: query.get("sort") ?? "",
      isDescending: query.get("descending") === "true",
    });
  });
  router.get("/api/runs/:id/image", ({ params, query, signal }) => {
    const url = query.get("url") ?? "";
    // The page may only load images that the run returned.
    if (!requireRun(params["id"]).holds(url))
      throw badRequest("The run did not return this image.");
    return fetchResultImage({
      url,
      signal,
      blobs: runs.blobs,
      routes: session.routes(),
      lookup: session.options.lookup,
      domains: session.state().definition?.networkDomains ?? [],
      isAsked: query.get("asked") === "true",
    });
  });
  router.post("/api/runs/:id/next", async ({ params, body, signal }) => {
    const run = requireRun(params["id"]);
    await run.advance({ toTheEnd: parseBody(nextRequest, body).toTheEnd ?? false, signal });
    return run.view();
  });
  router.post("/api/runs/:id/pause", ({ params }) => requireRun(params["id"]).pause());
  router.post("/api/runs/:id/edit", ({ params, body, signal }) =>
    requireRun(params["id"]).edit(parseBody(editRequest, body).edits, signal),
  );
  router.post("/api/choices", ({ body, signal }) =>
    choices(session, parseBody(choicesRequest, body), signal),
  );
  router.post("/api/uploads", async ({ body }) => {
    const { type, base64 } = parseBody(uploadRequest, body);
    const contentType = type || "application/octet-stream";
    const bytes = Buffer.from(base64, "base64");
    return { url: await runs.blobs.store(bytes, { contentType, expiryMs: 24 * 60 * 60_000 }) };
  });
}

/** The choices of a parameter for the text that the user has typed. */
async function choices(
  session: DevSession,
  request: ChoicesRequest,
  signal: AbortSignal,
): Promise<ChoiceView[]> {
  await using pack = await session.openPack();
  const target = findMetadataTarget(pack.definition, request);
  if (target === undefined) return [];
  await using run = runTarget(pack, target, {
    ...createRunOptions(session),
    account: request.account,
    signal,
    blobs: session.runs.blobs,
    timeoutMs: 10_000,
  });
  const result = await run.finish();
  if (!result.ok) throw result.failure.cause;
  return toList(result.result).map((choice) => {
    const { display, value } = toMembers(choice);
    return { display: String(display ?? value), value: String(value) };
  });
}

/** The metadata formula to run. Without a parameter, it lists the URLs of a dynamic table. */
function findMetadataTarget(
  definition: PackVersionDefinition,
  { of, search, parameter, values }: ChoicesRequest,
): Target | undefined {
  if (parameter !== "")
    return { target: `${of}:autocomplete:${parameter}`, args: [search, values] };
  const table = tableIn(definition, of);
  if (search !== "" && table?.searchDynamicUrls !== undefined)
    return { target: `${of}:searchDynamicUrls`, args: [search, values] };
  // The URLs below another URL are listed with that URL. The page lists only the first level.
  return table?.listDynamicUrls === undefined
    ? undefined
    : { target: `${of}:listDynamicUrls`, args: ["", values] };
}

function parseCount(query: URLSearchParams, name: "from" | "count"): number {
  const count = Number(query.get(name) ?? "0");
  if (Number.isInteger(count) && count >= 0) return count;
  throw badRequest(`${name} must be a whole number of at least 0.`);
}
