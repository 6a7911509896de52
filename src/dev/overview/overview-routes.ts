import { dirname, resolve } from "node:path";
import * as z from "zod";
import { openInEditor } from "../open-editor.ts";
import { badRequest, type DevRouter, parseBody } from "../router.ts";
import type { DevSession } from "../session/dev-session.ts";
import { describePack } from "./describe-pack.ts";

const issueRequest = z.object({ issue: z.int(), revision: z.int() });
const frameRequest = z.object({ run: z.string(), frame: z.int() });

/** The routes of the view Overview. Every view reads the Pack from them. */
export function addOverviewRoutes(router: DevRouter, session: DevSession): undefined {
  router.get("/api/pack", () => describePack(session));
  // The page sends the index of an issue or of a stack frame, never a path.
  router.post("/api/issues/open", async ({ body }) => {
    const { issue: index, revision } = parseBody(issueRequest, body);
    const state = session.state();
    const issue = state.issues[index];
    if (issue?.file === undefined || revision !== state.revision)
      throw badRequest("This issue no longer exists.");
    await openInEditor(session.options, {
      file: resolve(session.options.cwd, issue.file),
      line: issue.line ?? 1,
      column: issue.column ?? 1,
    });
  });
  router.post("/api/stack/open", async ({ body }) => {
    const { run, frame: index } = parseBody(frameRequest, body);
    const stack = session.runs.get(run)?.view().failure?.stack;
    const frame = stack?.[index];
    if (frame?.file === undefined) throw badRequest("This position no longer exists.");
    await openInEditor(session.options, {
      file: resolve(dirname(session.entry), frame.file),
      line: frame.line ?? 1,
      column: frame.column ?? 1,
    });
  });
}
