import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createServiceClient } from "../../src/service.ts";
import { runCli, startCliServer } from "../support/cli.ts";
import type { CliRun } from "../support/cli-run.ts";
import { startLongCli } from "../support/long-cli.ts";
import { makeProject } from "../support/project.ts";

const API_TOKEN = "synthetic-token-of-the-account";
const ROWS = "https://api.tasks.example/apis/v1/docs/plans/tables/People/rows";

const PACK = `import { AuthenticationType, ConnectionRequirement, newPack, ValueType } from "packsmith";
export const pack = newPack({ version: "1.0.0" });
pack.addNetworkDomain("api.tasks.example");
pack.setUserAuthentication({ type: AuthenticationType.HeaderBearerToken });
pack.addFormula({
  name: "Count", description: "Counts the people.", isAction: true, parameters: [], resultType: ValueType.Number,
  execute: async (_args, context) => {
    console.log("counting");
    return (await context.fetcher.fetch({ method: "GET", url: "${ROWS}", cacheTtlSecs: 0 })).body.items.length;
  },
});
pack.addFormula({
  name: "Fail", description: "Always fails.", isAction: true, parameters: [], resultType: ValueType.String,
  connectionRequirement: ConnectionRequirement.None,
  execute: async () => {
    throw new TypeError("no such person");
  },
});
`;
/** The line of `throw` in the source. */
const FAIL_LINE = PACK.split("\n").findIndex((line) => line.includes("throw new TypeError")) + 1;

const button = (name: string) => ({
  name,
  type: "button",
  button: { action: { pack: "1001", formula: name } },
});
const SEED = {
  users: [{ name: "Ada", email: "ada@tasks.example" }],
  tokens: [{ token: API_TOKEN }],
  docs: [
    {
      id: "plans",
      title: "Plans",
      tables: [
        {
          name: "People",
          columns: [{ name: "Name" }, button("Count"), button("Fail")],
          rows: [{ Name: "Ada" }, { Name: "Grace" }],
        },
      ],
    },
  ],
};

interface ServiceFacts {
  url: string;
  controlUrl: string;
  token: string;
}

/** A free port, for a service whose address its own Packs must know before it starts. */
async function freePort(): Promise<number> {
  await using service = await startCliServer<ServiceFacts>(["service"]);
  return Number(new URL(service.facts.url).port);
}

/** A released Pack with an account, and a service that has it installed by its id. */
async function startInstalled({ from = ".", pack = "1001" } = {}) {
  const project = makeProject({
    "pack.ts": PACK,
    "package.json": '{ "name": "people", "type": "module" }',
    "seed.json": JSON.stringify(SEED),
    "elsewhere/empty.txt": "",
  });
  const port = await freePort();
  const home = join(project.path, "home");
  const env = {
    PACKSMITH_HOME: home,
    PACKSMITH_KEY_STORE: "file",
    PACKSMITH_REGISTRY: `http://127.0.0.1:${port}`,
  };
  const options = { cwd: project.path, env };
  const route = `https://api.tasks.example=http://127.0.0.1:${port}`;
  const seed = join(project.path, "seed.json");
  const service = await startCliServer<ServiceFacts>(
    ["service", "--port", String(port), "--seed", seed, "--pack", pack, "--route", route],
    {
      ...options,
      cwd: join(project.path, from),
    },
  );
  const run = async (args: string[], stdin = ""): Promise<CliRun> => {
    const done = await runCli(args, { ...options, stdin });
    expect(done.code, `${args.join(" ")}\n${done.stdout}${done.stderr}`).toBe(0);
    return done;
  };
  const release = async () => {
    await run(["login", "--token-stdin"], service.facts.token);
    await run(["create"]);
    await run(["release", "--publish", "--no-types"]);
  };
  const connect = async () =>
    void (await run(["auth", "connect", "pack.ts", "--secrets-stdin", "--json"], `${API_TOKEN}\n`));
  const client = createServiceClient({ baseUrl: service.facts.url, token: service.facts.token });
  const push = async (name: string) =>
    (await client.waitFor(await client.doc("plans").table("People").rows.pushButton("Ada", name)))
      .warning;
  return {
    service,
    project,
    options,
    run,
    release,
    connect,
    push,
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      project[Symbol.dispose]();
    },
  };
}

describe("packsmith service --pack ID", () => {
  it("a released Pack uses the account of the folder that is linked to it", async () => {
    await using setup = await startInstalled();
    expect(await setup.push("Count")).toBe(
      "The action failed: Pack 1001 has no released version in this registry.",
    );
    await setup.release();
    expect(await setup.push("Count")).toBe(
      'The action failed: No account "default" is connected for pack.ts.',
    );
    await setup.connect();
    expect(await setup.push("Count")).toBe(undefined);
    const { stdout } = await setup.run(["logs", "--doc", "plans", "--formula", "Count"]);
    expect(stdout).toContain(`GET ${ROWS}  200`);
    expect(stdout).toContain("log  counting");
    expect(stdout).not.toContain(API_TOKEN);
  });

  it("from another folder, it has no account until --pack ID=FILE names the file whose accounts it uses", async () => {
    await using without = await startInstalled({ from: "elsewhere" });
    await without.release();
    await without.connect();
    expect(await without.push("Count")).toBe(
      "The action failed: Pack 1001 needs an account. Start the service in the folder that is linked to the Pack, or with --pack 1001=FILE to use the accounts of FILE.",
    );
    await using named = await startInstalled({ from: "elsewhere", pack: "1001=../pack.ts" });
    await named.release();
    await named.connect();
    expect(await named.push("Count")).toBe(undefined);
  });
});

describe("packsmith logs", () => {
  it("--follow shows each call when it happens, with what belongs to it, and ends with 130 on Ctrl+C", async () => {
    await using setup = await startInstalled();
    await setup.release();
    await setup.connect();
    await setup.push("Count");
    await using logs = startLongCli(["logs", "--doc", "plans", "--follow"], setup.options);
    await logs.seen(
      / {2}Count {2}1\.0\.0 {2}ok .*\n {2}log {2}counting\n {2}GET \S+ {2}200 {2}\d+ ms\n/,
    );
    await setup.push("Fail");
    await logs.seen(
      new RegExp(
        ` {2}Fail {2}1\\.0\\.0 {2}failed .*\\n {2}Fail failed: TypeError: no such person\\n {4}at \\S+ \\(pack\\.ts:${FAIL_LINE}:\\d+\\)\\n`,
      ),
    );
    await setup.push("Count");
    await logs.seen(/ {2}Count {2}1\.0\.0 {2}ok/);
    expect(await logs.stop()).toBe(130);
    // Each call once, although every question overlaps with the one before.
    expect(logs.text().match(/1\.0\.0/g)).toHaveLength(3);
  });

  it("--follow --json prints one line for each call, and nothing else when it is interrupted", async () => {
    await using setup = await startInstalled();
    await setup.release();
    await setup.connect();
    await setup.push("Fail");
    await using logs = startLongCli(
      ["logs", "--doc", "plans", "--follow", "--formula", "Count", "--json"],
      setup.options,
    );
    await setup.push("Count");
    await logs.seen(/"formulaName":"Count"[^\n]*\n/);
    await setup.push("Count");
    await logs.seen(/"formulaName":"Count"[^\n]*\n/);
    expect(await logs.stop()).toBe(130);
    const lines = logs.text().trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toMatchObject(
      Array.from({ length: 2 }, () => ({
        type: "invocation",
        invocationLog: { context: { formulaName: "Count", packVersion: "1.0.0", docId: "plans" } },
        relatedLogs: [
          { type: "custom", message: "counting" },
          { type: "fetcher", responseCode: 200 },
        ],
      })),
    );
  });

  it("maps places in the bundle of the version that the source is, and leaves those of other versions", async () => {
    await using setup = await startInstalled();
    await setup.release();
    await setup.run(["build", "pack.ts"]);
    const lines = setup.project.read("build/people/bundle.js").split("\n");
    const line = lines.findIndex((text) => text.includes("no such person"));
    const place = `bundle.js:${line + 1}:${(lines[line] ?? "").indexOf("new TypeError") + 1}`;
    const feed = async (packVersion: string, stack: string) => {
      const log = {
        docId: "plans",
        packVersion,
        messages: [],
        requests: [],
        error: { message: "failed", stack },
      };
      const run = {
        pack: { id: 1001, name: "people" },
        formula: "Fail",
        type: "action",
        latencyMs: 1,
        responseSizeBytes: 0,
        isError: true,
      };
      const answer = await fetch(`${setup.service.facts.controlUrl}/analytics`, {
        method: "POST",
        body: JSON.stringify([{ ...run, log }]),
      });
      expect(answer.status).toBe(200);
    };
    await feed("1.0.0", `TypeError: no such person\n    at execute (${place})`);
    await feed("1.0.0", `TypeError: no such person\n    at execute (/srv/packs/1001/${place})`);
    await feed("0.9.0", `TypeError: no such person\n    at execute (${place})`);
    const stacks = async () =>
      (await setup.run(["logs", "--doc", "plans", "--json"])).stdout
        .trimEnd()
        .split("\n")
        // The last line is about the Pack.
        .slice(0, -1)
        .map((text) => JSON.parse(text).invocationLog.error.stack);
    const mapped = `at execute (pack.ts:${FAIL_LINE}:11)`;
    const unmapped = `TypeError: no such person\n    at execute (${place})`;
    expect(await stacks()).toEqual([unmapped, mapped, mapped]);
    // Another source is no source of places.
    setup.project.write(
      "pack.ts",
      setup.project.read("pack.ts").replace("no such person", "nobody of this name"),
    );
    const { stdout, stderr } = await setup.run(["logs", "--doc", "plans", "--json"]);
    expect(stdout).not.toContain("(pack.ts:");
    expect(stderr.match(/^Errors of version .*/gm)).toEqual([
      "Errors of version 0.9.0 show positions in the bundle, because pack.ts is different from the uploaded source. Check out that version to see positions in the source.",
      "Errors of version 1.0.0 show positions in the bundle, because pack.ts is different from the uploaded source. Check out that version to see positions in the source.",
    ]);
  });
});
