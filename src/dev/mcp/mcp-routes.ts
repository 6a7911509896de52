import * as z from "zod";
import { badRequest, type DevRouter, parseBody } from "../router.ts";
import type { DevSession } from "../session/dev-session.ts";
import { type AnswerProblems, type McpToolsView, questionAnswer } from "../wire/mcp.ts";
import { describeTool } from "./describe-tool.ts";

const toolsRequest = z.object({ account: z.string().optional() });

/** More tools are not shown. */
const MAX_TOOLS = 1_000;

/**
 * The routes of the view MCP. Tools are called through the routes of the view Run, as
 * `Mcp:call:name`.
 */
export function addMcpRoutes(router: DevRouter, session: DevSession): undefined {
  router.post("/api/mcp/tools", async ({ body, signal }): Promise<McpToolsView> => {
    const { account } = parseBody(toolsRequest, body);
    const run = session.runs.create({
      target: "Mcp:tools",
      args: [],
      account,
    });
    await run.advance({ toTheEnd: false, signal });
    const { id, requests, durationMs, failure } = run.view();
    return {
      run: { id, requests, durationMs },
      tools: run.rows(0, MAX_TOOLS).rows.map(describeTool),
      failure,
    };
  });
  router.get("/api/mcp/questions", () => session.questions.list());
  router.post("/api/mcp/questions/:id", ({ params, body }): AnswerProblems => {
    const answer = parseBody(questionAnswer, body);
    const problems = session.questions.answer(params["id"] ?? "", answer);
    if (problems === undefined) throw badRequest("The server no longer waits for this answer.");
    return problems;
  });
}
