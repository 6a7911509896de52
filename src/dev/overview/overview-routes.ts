import { dirname, resolve } from "node:path";
import { openInEditor } from "../open-editor.ts";
import { badRequest, type DevRouter, membersOf } from "../router.ts";
import type { DevSession } from "../session/dev-session.ts";
import { describePack } from "./describe-pack.ts";

/** The routes of the view Overview. Every view reads the Pack from them. */
export function addOverviewRoutes(router: DevRouter, session: DevSession): undefined {
  router.get("/api/pack", () => describePack(session));
  // The page sends the index of an issue or of a stack frame, never a path.
  router.post("/api/issues/open", async ({ body }) => {
    const { issue: index, revision } = membersOf(body);
    const state = session.state();
    const issue = typeof index === "number" ? state.issues[index] : undefined;
    if (issue?.file === undefined || revision !== state.revision)
      throw badRequest("This issue no longer exists.");
    await openInEditor(session.options, {
      file: resolve(session.options.cwd, issue.file),
      line: issue.line ?? 1,
      column: issue.column ?? 1,
    });
  });
  router.post("/api/stack/open", async ({ body }) => {
    const { run, frame: index } = membersOf(body);
    const stack = session.runs.get(String(run))?.view().failure?.stack;
    const frame = typeof index === "number" ? stack?.[index] : undefined;
    if (frame?.file === undefined) throw badRequest("This position no longer exists.");
    await openInEditor(session.options, {
      file: resolve(dirname(session.entry), frame.file),
      line: frame.line ?? 1,
      column: frame.column ?? 1,
    });
  });
}
