import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { runFormula } from "../../src/execute/run-target.ts";
import { createRedactor } from "../../src/shared/redact.ts";
import { json, startTestServer } from "../execute/http-server.ts";
import { IN_ONE_PROCESS, runVitestProject } from "../support/child-vitest.ts";
import { makeProject } from "../support/project.ts";

const page = readFileSync(fileURLToPath(new URL("../../docs/testing.md", import.meta.url)), "utf8");
const fences = [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)]
  .map((match) => match[1] ?? "")
  .filter((text) => text.includes("it("));

/** What the tests of the page are about. */
const pack = (
  authentication: string,
  greet = "",
) => `import { makeObjectSchema, makeParameter, newPack, ParameterType, simpleAutocomplete, ValueType } from "packsmith";
export const pack = newPack().addNetworkDomain("tasks.example");
${authentication}
const text = (name: string, more = {}) => makeParameter({ type: ParameterType.String, name, description: name, ...more });
const api = "https://api.tasks.example";
pack.addFormula({ name: "Greet", description: "Greets.", resultType: ValueType.String, connectionRequirement: "none",
  parameters: [text("name", { autocomplete: [{ display: "Ada", value: "ada" }, { display: "Bob", value: "bob" }] })], execute: async ([name], context) => { ${greet} return "Hello " + name; } });
pack.addFormula({ name: "AddTask", description: "Adds.", resultType: ValueType.String, parameters: [text("title")],
  execute: async ([title], context) => (await context.fetcher.fetch({ method: "POST", url: api + "/tasks", body: JSON.stringify({ title }) })).body.id });
pack.addFormula({ name: "ListTasks", description: "Lists.", resultType: ValueType.Array, items: { type: ValueType.String }, parameters: [text("list")],
  execute: async ([list], context) => (await context.fetcher.fetch({ method: "GET", url: api + "/lists/" + list })).body });
pack.addFormula({ name: "Today", description: "Today.", resultType: ValueType.String, connectionRequirement: "none", parameters: [],
  execute: async (_, context) => new Date(Date.now() + (context.timezone === "Asia/Tokyo" ? 9 * 3_600_000 : 0)).toISOString().slice(0, 10) });
const schema = makeObjectSchema({ idProperty: "id", displayProperty: "id", properties: { id: { type: ValueType.String }, done: { type: ValueType.Boolean, mutable: true } } });
pack.addSyncTable({ name: "Tasks", identityName: "Task", schema, connectionRequirement: "none", formula: { name: "Tasks", description: "Tasks.", parameters: [text("list")],
  execute: async (_, context) => {
    const page = Number(context.sync.continuation?.page ?? 0);
    return { result: Array.from({ length: 40 }, (_, index) => ({ id: String(page * 40 + index), done: false })), continuation: page < 2 ? { page: page + 1 } : undefined };
  },
  executeUpdate: async (_, updates) => ({ result: updates.map(({ newValue }) => newValue) }) } });
`;
const token = `pack.setUserAuthentication({ type: "HeaderBearerToken" });`;
const oauth = `pack.setUserAuthentication({ type: "OAuth2", authorizationUrl: "https://login.tasks.example/authorize", tokenUrl: "https://login.tasks.example/token", getConnectionName: async () => "Ada" });`;

it("the page's tests pass", async () => {
  await using server = await startTestServer((_, response) => json(response, 200, ["a", "b", "c"]));
  using project = makeProject({ "pack.ts": pack(token) });
  const recorded = await runFormula({
    file: "pack.ts",
    formula: "ListTasks",
    args: ["work"],
    cwd: project.path,
    redactor: createRedactor(),
    credentials: { token: "a-token" },
    routes: [`https://api.tasks.example=${server.origin}`],
    record: "cassettes",
  });
  expect(recorded.ok).toBe(true);
  const [withProvider, others] = [
    fences.filter((text) => text.includes("connectPack")),
    fences.filter((text) => !text.includes("connectPack")),
  ];
  expect([withProvider.length, others.length]).toEqual([1, 4]);
  const createFiles = (texts: readonly string[]) =>
    Object.fromEntries(texts.map((text, index) => [`fence-${index}.test.ts`, text]));
  const [first, second] = await Promise.all([
    runVitestProject(
      {
        ...createFiles(others),
        "pack.ts": pack(token),
        "cassettes/ListTasks.json": project.read("cassettes/ListTasks.json"),
      },
      [],
      IN_ONE_PROCESS,
    ),
    runVitestProject({ ...createFiles(withProvider), "pack.ts": pack(oauth) }),
  ]);
  expect(first.code, first.output).toBe(0);
  expect(first.output).toContain("6 passed");
  expect(second.code, second.output).toBe(0);
});
