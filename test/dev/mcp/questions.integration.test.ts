import { describe, expect, it } from "vitest";
import type { AnswerProblems, QuestionView } from "../../../src/dev/wire/mcp.ts";
import type { RunView } from "../../../src/dev/wire/run.ts";
import { startAskingServer } from "../../support/asking-server.ts";
import { type DevProject, startDevProject } from "../../support/dev.ts";
import { mcpPack } from "../../support/mcp-server.ts";

const FORM = {
  message: "How many?",
  requestedSchema: {
    type: "object",
    properties: { count: { type: "integer", maximum: 9 } },
    required: ["count"],
  },
};

/** The page, on which a tool has asked its question. */
async function startQuestion(params: object) {
  const server = await startAskingServer(params);
  const dev = await startDevProject(
    { "pack.ts": mcpPack("https://mcp.tasks.example/mcp") },
    { routes: [`https://mcp.tasks.example=${server.origin}`] },
  );
  const stop = new AbortController();
  const reports: string[] = [];
  const asked = new Promise<void>((resolve) =>
    dev.server.session.events.listen((event) => {
      if (event.type === "question") resolve();
      if (event.type === "toolLog") reports.push(event.message);
    }),
  );
  const run = dev.post("/api/runs", { target: "Mcp:call:clear", args: [] }, stop.signal);
  await asked;
  const [question] = await list(dev);
  return {
    run: run.then(async (response) => (await response.json()) as RunView),
    dev,
    server,
    stop,
    reports,
    question,
    answer: (body: object) => dev.post(`/api/mcp/questions/${question?.id}`, body),
    async [Symbol.asyncDispose]() {
      await dev[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

async function list(dev: DevProject): Promise<QuestionView[]> {
  return (await (await dev.get("/api/mcp/questions")).json()) as QuestionView[];
}

describe("a question of an MCP server on the page", () => {
  it("waits with its run until the answer is right, and shows the progress meanwhile", async () => {
    await using test = await startQuestion(FORM);
    expect(test.question).toMatchObject({
      target: "Mcp:call:clear",
      mode: "form",
      server: "mcp.tasks.example",
      fields: [{ name: "count", type: "integer", most: 9 }],
    });
    expect(test.reports).toEqual(["progress 1 of 2: looking"]);
    const wrong = await test.answer({ action: "accept", content: { count: 10 } });
    expect((await wrong.json()) as AnswerProblems).toEqual({
      problems: { count: "Write a number of at most 9." },
    });
    expect(await list(test.dev)).toHaveLength(1);
    const right = await test.answer({ action: "accept", content: { count: 9 } });
    expect((await right.json()) as AnswerProblems).toEqual({ problems: {} });
    expect(await test.run).toMatchObject({
      state: "ended",
      logs: [{ level: "info", message: "progress 1 of 2: looking" }],
    });
    expect(test.server.answers).toEqual([{ action: "accept", content: { count: 9 } }]);
    expect(await list(test.dev)).toEqual([]);
    expect((await test.answer({ action: "decline" })).status).toBe(400);
  });

  it.each(["decline", "cancel"])("can be answered with %s", async (action) => {
    await using test = await startQuestion(FORM);
    await test.answer({ action });
    await test.run;
    expect(test.server.answers).toEqual([{ action }]);
  });

  it("is withdrawn when its run is stopped", async () => {
    await using test = await startQuestion(FORM);
    const gone = new Promise<void>((resolve) =>
      test.dev.server.session.events.listen(({ type }) => type === "question" && resolve()),
    );
    test.run.catch(() => undefined);
    test.stop.abort();
    await gone;
    expect(await list(test.dev)).toEqual([]);
  });

  it("refuses what the page would not send", async () => {
    await using test = await startQuestion(FORM);
    for (const body of [{}, { action: "accept" }, { action: "accept", content: { count: {} } }])
      expect((await test.answer(body)).status).toBe(400);
    await test.answer({ action: "cancel" });
    await test.run;
  });
});
