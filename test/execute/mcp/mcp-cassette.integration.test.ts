import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runFormula } from "../../../src/execute/run-target.ts";
import { createRedactor } from "../../../src/shared/redact.ts";
import { executeFormula } from "../../../src/testing/test-formula.ts";
import { MCP_TASKS, mcpPack, startMcpServer } from "../../support/mcp-server.ts";
import { makeProject } from "../../support/project.ts";

it("a call of a tool is recorded with all its requests, and replayed without the server", async () => {
  const [name = ""] = Object.keys(MCP_TASKS.results);
  using project = makeProject({
    "package.json": "{}",
    "pack.ts": mcpPack("https://mcp.tasks.example/mcp"),
  });
  const call = (options: object) =>
    runFormula({
      file: join(project.path, "pack.ts"),
      cwd: project.path,
      home: join(project.path, "home"),
      redactor: createRedactor(),
      formula: `Mcp:call:${name}`,
      args: { text: ["{}"] },
      ...options,
    });
  const cassettes = join(project.path, "cassettes");
  let recorded: unknown;
  {
    await using server = await startMcpServer();
    const routes = [`https://mcp.tasks.example=${server.origin}`];
    const run = await call({ routes, record: cassettes });
    expect(run).toMatchObject({ ok: true, cassette: { mode: "recorded", requests: 5 } });
    recorded = run.ok ? run.result : undefined;
  }
  const [file = ""] = readdirSync(cassettes, { recursive: true, encoding: "utf8" }).filter((each) =>
    each.endsWith(".json"),
  );
  const text = readFileSync(join(cassettes, file), "utf8");
  for (const method of ["server/discover", "initialize", "tools/list", "tools/call"])
    expect(text).toContain(method);
  expect(await call({ replay: cassettes, strict: true })).toMatchObject({
    ok: true,
    result: recorded,
  });
  // A test of the Pack uses the same client.
  const options = { cwd: project.path, home: join(project.path, "home"), replay: cassettes };
  expect(await executeFormula("pack.ts", `Mcp:call:${name}`, [{}], options)).toEqual(recorded);
});
