import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runFormula } from "../../../src/execute/run-target.ts";
import { listenOnLoopback } from "../../../src/shared/loopback-server.ts";
import { createRedactor } from "../../../src/shared/redact.ts";
import { startToolsClient } from "../../support/tools-client.ts";

/** The API answers with `total`, and the author reads `count`. */
const PACK = `import { makeParameter, newPack } from "packsmith";
export const pack = newPack().addNetworkDomain("tasks.example");
pack.addFormula({
  name: "CountTasks",
  description: "Counts the tasks with a status.",
  parameters: [
    makeParameter({
      type: "string",
      name: "status",
      description: "Which tasks.",
      autocomplete: ["open", "done"],
    }),
  ],
  resultType: "number",
  execute: async ([status], context) => {
    const url = "https://tasks.example/count?status=" + status;
    const { body } = await context.fetcher.fetch({ method: "GET", url });
    return body.count;
  },
});
`;

const TESTS = `import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
assert.match(readFileSync("pack.ts", "utf8"), /body\\.total/, "the API answers with total");
`;

it("an assistant finds, runs, debugs and tests a formula by tools only", async () => {
  await using test = await startToolsClient(
    {
      "package.json": JSON.stringify({
        name: "tasks",
        type: "module",
        scripts: { test: "node tests.js" },
      }),
      "pack.ts": PACK,
      "tests.js": TESTS,
    },
    {},
    ["--allow-tests"],
  );
  const { project } = test;
  await recordResponse(project.path);
  const transcript: string[] = [];
  const use = async (tool: string, args: Record<string, unknown> = {}) => {
    const answer = await test.call(tool, args);
    transcript.push(`${tool} ${JSON.stringify(args)}`);
    return answer;
  };
  const run = {
    file: "pack.ts",
    target: "CountTasks",
    args: ["open"],
    network: "recorded",
  };

  // It finds what there is.
  expect(await use("list_targets")).toMatchObject({
    targets: [
      {
        target: "CountTasks",
        kind: "formula",
        parameters: [{ name: "status", choices: [{ value: "open" }, { value: "done" }] }],
      },
    ],
  });
  // It runs it, and sees that the result is wrong.
  const failed = await use("execute", run);
  expect(failed).toMatchObject({ ok: false, error: { code: "RESULT_INVALID" } });
  // It learns what the code means, and looks at what the API answered.
  expect(await use("explain_code", { code: failed.error?.code })).toMatchObject({ ok: true });
  expect(await use("read_requests", { id: 1 })).toMatchObject({
    request: { status: 200, responseBody: expect.stringContaining("total") },
  });
  expect((await use("run_tests"))["passed"]).toBe(false);
  // It edits the file, as its editor does, and makes a mistake that a rule finds.
  project.write(
    "pack.ts",
    PACK.replace("body.count", "body.total").replace('"CountTasks"', '"Count Tasks"'),
  );
  const { issues } = await use("validate");
  expect(issues).toMatchObject([{ file: "pack.ts", line: 4, hint: expect.any(String) }]);
  project.write("pack.ts", PACK.replace("body.count", "body.total"));
  // Now everything works.
  expect(await use("validate")).toMatchObject({ ok: true, issues: [] });
  expect(await use("execute", run)).toMatchObject({ ok: true, result: 2 });
  expect(await use("run_tests")).toMatchObject({ passed: true });
  expect(await use("build")).toMatchObject({ ok: true });
  expect(readdirSync(join(project.path, "build"))).toEqual(["tasks"]);
  expect(transcript.map((line) => line.split(" ")[0])).toEqual([
    ...["list_targets", "execute", "explain_code", "read_requests", "run_tests"],
    ...["validate", "validate", "execute", "run_tests", "build"],
  ]);
}, 240_000);

/** The response of the API, as the author has recorded it. */
async function recordResponse(path: string): Promise<void> {
  const api = await listenOnLoopback((_request, response) => {
    response.setHeader("content-type", "application/json");
    response.end('{"total":2}');
  }, 0);
  try {
    await runFormula({
      file: "pack.ts",
      cwd: path,
      home: join(path, ".home"),
      redactor: createRedactor(),
      formula: "CountTasks",
      args: { text: ["open"] },
      routes: [`https://tasks.example=http://127.0.0.1:${api.port}`],
      record: join(path, "cassettes"),
    });
  } finally {
    await api.close();
  }
}
