import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { json, startTestServer } from "../execute/http-server.ts";
import { IN_ONE_PROCESS, linkPackages, PRESET, runVitest } from "../support/child-vitest.ts";
import { runCli } from "../support/cli.ts";
import { makeProject } from "../support/project.ts";

const ORIGIN = "https://api.tasks.example";
const PACK = `import { makeObjectSchema, makeParameter, newPack, ParameterType, UserVisibleError, ValueType } from "packsmith";
export const pack = newPack().addNetworkDomain("api.tasks.example");
pack.setUserAuthentication({ type: "HeaderBearerToken" });
const schema = makeObjectSchema({ idProperty: "id", displayProperty: "id", properties: { id: { type: ValueType.String }, "due-date": { type: ValueType.String } } });
const get = async (context: any, path: string) => (await context.fetcher.fetch({ method: "GET", url: "${ORIGIN}" + path })).body;
const list = makeParameter({ type: ParameterType.String, name: "list", description: "List.",
  autocomplete: async (context) => (await get(context, "/lists")).items.map((item: any) => item.id) });
pack.addFormula({ name: "Since", description: "What changed.", parameters: [list], resultType: ValueType.String,
  execute: async ([list], context) => list + " " + new Date().toISOString() + " " + (await get(context, "/since?at=" + new Date().toISOString())).token });
pack.addFormula({ name: "Fails", description: "Fails.", parameters: [], resultType: ValueType.String,
  execute: async (_, context) => { await get(context, "/lists"); throw new UserVisibleError("Not \\"today\\"."); } });
pack.addSyncTable({ name: "Tasks", identityName: "Task", schema, formula: { name: "Tasks", description: "Tasks.", parameters: [],
  execute: async (_, context) => {
    const page = Number(context.sync.continuation?.page ?? 1);
    return { result: (await get(context, "/lists?page=" + page)).items, continuation: page < 3 ? { page: page + 1 } : undefined };
  } } });
`;

it("execute --save-test writes tests that pass, without the network and without the account", async () => {
  using project = makeProject({
    "src/pack.ts": PACK,
    "package.json": JSON.stringify({ type: "module" }),
    "vitest.config.ts": PRESET,
  });
  linkPackages(project.path);
  await using api = await startTestServer((request, response) => {
    const url = new URL(request.url, ORIGIN);
    const token = request.headers.authorization ?? "";
    json(response, 200, {
      token,
      items: [{ id: `a${url.searchParams.get("page")}`, "due-date": "2026-01-02" }],
    });
  });
  const env = {
    PACKSMITH_HOME: join(project.path, "home"),
    PACKSMITH_SECRET_TOKEN: "s3cret-token-1",
  };
  const route = ["--route", `${ORIGIN}=${api.origin}`];
  const cli = (...args: string[]) => runCli(args, { cwd: project.path, env });
  expect((await cli("auth", "connect", "src/pack.ts")).code).toBe(0);

  const since = await cli(
    "execute",
    "src/pack.ts",
    "Since",
    "Home",
    ...route,
    "--save-test",
    "test/since.test.ts",
  );
  expect([since.code, since.stderr]).toEqual([
    0,
    expect.stringMatching(
      /wrote {2}test\/since\.test\.ts\n[\s\S]*recorded {2}1 request {2}→ {2}test\/cassettes\/since\.json/,
    ),
  ]);
  expect(
    (
      await cli(
        "execute",
        "src/pack.ts",
        "Tasks",
        ...route,
        "--max-rows",
        "2",
        "--save-test",
        "test/tasks.test.ts",
      )
    ).code,
  ).toBe(0);
  expect(
    (await cli("execute", "src/pack.ts", "Fails", ...route, "--save-test", "test/fails.test.ts"))
      .code,
  ).toBe(1);
  expect(
    (
      await cli(
        "execute",
        "src/pack.ts",
        "Since:autocomplete:list",
        "a",
        ...route,
        "--save-test",
        "test/lists.test.ts",
      )
    ).code,
  ).toBe(0);

  expect(project.read("test/tasks.test.ts")).toMatch(
    /^import \{ fileURLToPath \} from "node:url";\nimport \{ createFakeClock, executeSyncTable \} from "packsmith\/testing";\n[\s\S]*replay: "cassettes\/tasks\.json",\n {2}strict: true,\n {2}clock: createFakeClock\("[\d-]+T[\d:]+\.000Z"\),\n {2}maxRows: 2,\n\};\n\nit\("Tasks gives what was recorded", async \(\) => \{\n {2}expect\(await executeSyncTable\("\.\.\/src\/pack\.ts", "Tasks", \{[\s\S]*"due-date": "2026-01-02"/,
  );
  for (const name of readdirSync(join(project.path, "test"), {
    recursive: true,
    withFileTypes: true,
  })) {
    if (name.isFile())
      expect(readFileSync(join(name.parentPath, name.name), "utf8")).not.toContain("s3cret");
  }
  const sent = api.requests.length;
  await api[Symbol.asyncDispose]();
  const { code, output } = await runVitest(project.path, IN_ONE_PROCESS);
  expect(output).toContain("4 passed");
  expect(code, output).toBe(0);
  expect(api.requests).toHaveLength(sent);

  const again = await cli(
    "execute",
    "src/pack.ts",
    "Since",
    "Home",
    "--save-test",
    "test/since.test.ts",
    "--json",
  );
  expect([again.code, again.json()]).toEqual([
    2,
    { ok: false, error: expect.objectContaining({ code: "USAGE_INVALID" }) },
  ]);
  expect(
    (await cli("execute", "src/pack.ts", "Since", "Home", "--save-test", "since.ts")).code,
  ).toBe(2);
});
