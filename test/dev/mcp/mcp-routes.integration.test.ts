import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { McpToolsView } from "../../../src/dev/wire/mcp.ts";
import type { PackView } from "../../../src/dev/wire/pack.ts";
import type { RunView } from "../../../src/dev/wire/run.ts";
import type { TimelineDetail, TimelineView } from "../../../src/dev/wire/timeline.ts";
import { type DevProject, startDevProject } from "../../support/dev.ts";
import { mcpPack, startMcpServer } from "../../support/mcp-server.ts";

const json = async <Shape>(answer: Promise<Response>): Promise<Shape> =>
  (await (await answer).json()) as Shape;

describe("the MCP server of the page", () => {
  let server: Awaited<ReturnType<typeof startMcpServer>>;
  let dev: DevProject;
  beforeAll(async () => {
    server = await startMcpServer();
    const pack = mcpPack("https://mcp.tasks.example/mcp");
    dev = await startDevProject(
      { "pack.ts": pack },
      { routes: [`https://mcp.tasks.example=${server.origin}`] },
    );
  });
  afterAll(async () => {
    await dev?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
  });

  it("is part of the Pack, with its tools and their arguments", async () => {
    const { mcpServer } = await json<PackView>(dev.get("/api/pack"));
    expect(mcpServer).toEqual({ name: "Tasks", endpointUrl: "https://mcp.tasks.example/mcp" });
    const { tools, failure } = await json<McpToolsView>(dev.post("/api/mcp/tools"));
    expect(failure).toBeUndefined();
    expect(tools.map(({ name, effect, fields }) => [name, effect, fields.length])).toEqual([
      ["search_tasks", "reads", 3],
      ["create_task", undefined, 4],
      ["delete_task", "deletes", 1],
      ["list_labels", "reads", 0],
    ]);
  });

  it("calls a tool as execute does, with its requests in the timeline", async () => {
    const args = ['{"title":"Tea","urgent":false}'];
    const run = await json<RunView>(
      dev.post("/api/runs", { target: "Mcp:call:create_task", args }),
    );
    expect(run).toMatchObject({
      kind: "value",
      value: { structuredContent: { id: "8" } },
      requests: 6,
    });
    expect(server.calls).toEqual([
      { name: "create_task", arguments: { title: "Tea", urgent: false } },
    ]);
    const { rows } = await json<TimelineView>(dev.get("/api/timeline"));
    const own = rows.filter(({ group }) => group === run.id);
    expect(own.map(({ method, target, status }) => [method, target, status])).toEqual([
      ["POST", "Mcp:call:create_task", 200],
      ["POST", "Mcp:call:create_task", 200],
      ["POST", "Mcp:call:create_task", 202],
      // An older server may ask the user there.
      ["GET", "Mcp:call:create_task", 405],
      ...Array(2).fill(["POST", "Mcp:call:create_task", 200]),
    ]);
    // Saving the run as a test would call the tool again.
    expect(await json<TimelineDetail>(dev.get(`/api/timeline/${own[0]?.id}`))).toMatchObject({
      isAction: true,
    });
  });

  it("reports the failure of a list and of a call like that of any run", async () => {
    expect(
      await json<RunView>(dev.post("/api/runs", { target: "Mcp:call:none", args: [] })),
    ).toMatchObject({
      state: "ended",
      failure: { code: "MCP_TOOL_UNKNOWN" },
    });
    await using plain = await startDevProject({
      "pack.ts": 'import { newPack } from "packsmith";\nexport const pack = newPack();\n',
    });
    expect((await json<PackView>(plain.get("/api/pack"))).mcpServer).toBeUndefined();
    expect(await json<McpToolsView>(plain.post("/api/mcp/tools"))).toMatchObject({
      tools: [],
      failure: { code: "MCP_SERVER_MISSING" },
    });
  });
});
