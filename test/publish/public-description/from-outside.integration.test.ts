import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { chooseCases, isLong } from "../../support/breadth.ts";
import { runCli } from "../../support/cli-in-process.ts";
import { commitAll, startGit } from "../registry/git.ts";
import { hello, packSource } from "../registry/registry.ts";
import { type StrictProject, startStrictProject } from "./strict-project.ts";
import { STRICT_TOKEN } from "./strict-registry.ts";

// What a maker does with command lines, at a registry that knows the public description only.

const PACK = 4_001;
const versioned = (version: string, ...formulas: string[]): string =>
  packSource(formulas.join("\n"), `newPack({ version: "${version}" })`);

interface Maker extends AsyncDisposable {
  project: StrictProject;
  /** @returns exit code, and what was printed */
  run(...words: string[]): Promise<{ code: number | null; text: string }>;
  json(...words: string[]): Promise<Record<string, unknown>>;
  commit(): void;
}

async function startMaker(source: string = versioned("1.0.0", hello())): Promise<Maker> {
  const project = await startStrictProject(source);
  startGit(project);
  writeFileSync(join(project.cwd, ".gitignore"), "/home\n");
  const env = {
    PACKSMITH_REGISTRY: project.registry.origin,
    PACKSMITH_REGISTRY_TOKEN: STRICT_TOKEN,
    PACKSMITH_HOME: join(project.cwd, "home"),
    PACKSMITH_KEY_STORE: "file",
  };
  const start = (words: readonly string[]) => runCli([...words], { cwd: project.cwd, env });
  const commit = () => void commitAll(project);
  commit();
  return {
    project,
    commit,
    async run(...words) {
      const { code, stdout, stderr } = await start(words);
      return { code, text: stdout + stderr };
    },
    json: async (...words) => (await start([...words, "--json"])).json() as Record<string, unknown>,
    [Symbol.asyncDispose]: () => project[Symbol.asyncDispose](),
  };
}

/** A registry with a Pack whose version 1.0.0 users have. */
async function startReleased(): Promise<Maker> {
  const maker = await startMaker();
  await maker.run("create", "pack.ts", "--name", "Greetings");
  maker.commit();
  const released = await maker.run("release", "pack.ts", "--publish", "--notes", "First");
  expect(released).toMatchObject({ code: 0 });
  return maker;
}

const readPack = ({ project }: Maker) => {
  const pack = project.registry.packs.get(PACK);
  if (pack === undefined) throw new Error("There is no Pack.");
  return pack;
};
const names = ({ project }: Maker) => project.registry.requests.map(({ name }) => name);

describe("a maker's command lines, at a registry that knows the public description only", () => {
  it("create, upload, release, versions, releases and status", async () => {
    await using maker = await startReleased();
    expect(readPack(maker)).toMatchObject({
      texts: { name: "Greetings" },
      versions: [{ packVersion: "1.0.0" }],
      releases: [{ releaseId: 1, packVersion: "1.0.0", releaseNotes: "First" }],
    });
    expect(JSON.parse(readFileSync(join(maker.project.cwd, ".coda-pack.json"), "utf8"))).toEqual({
      packId: -1,
      environmentPackIds: { [new URL(maker.project.registry.origin).host]: PACK },
    });
    expect((await maker.run("versions", "pack.ts")).text).toContain("1.0.0");
    expect((await maker.run("releases", "pack.ts")).text).toContain("First");
    expect(await maker.run("status", "pack.ts")).toMatchObject({ code: 0 });
    expect(maker.project.registry.mistakes).toEqual([]);
  });

  it.runIf(isLong)(
    "a release is repeated without a second one, and takes other notes",
    async () => {
      await using maker = await startReleased();
      expect((await maker.run("release", "pack.ts", "--publish")).code).toBe(0);
      expect(names(maker)).not.toContain("updateRelease");
      const again = await maker.run("release", "pack.ts", "--publish", "--notes", "Again");
      expect(again.code).toBe(0);
      expect(readPack(maker).releases).toMatchObject([{ releaseId: 1, releaseNotes: "Again" }]);
      expect(maker.project.registry.mistakes).toEqual([]);
      expect(readPack(maker).versions).toHaveLength(1);
    },
  );

  it.runIf(isLong)(
    "a breaking change is not released as a patch: neither here, nor by the registry",
    async () => {
      await using maker = await startReleased();
      maker.project.write("pack.ts", versioned("1.0.1", hello("Greets.", "Welcome")));
      maker.commit();
      expect((await maker.run("release", "pack.ts", "--publish")).code).toBe(3);
      expect((await maker.run("upload", "pack.ts", "--dry-run")).code).toBe(3);
      maker.project.registry.answers.set("uploadComplete", () => ({
        status: 400,
        body: { statusCode: 400, statusMessage: "Bad Request", message: "A new major is needed." },
      }));
      const refused = await maker.run("upload", "pack.ts", "--notes", "A patch");
      expect(refused).toMatchObject({ code: 11 });
      expect(refused.text).toContain("A new major is needed.");
      expect(readPack(maker).versions).toHaveLength(1);
      maker.project.registry.answers.clear();
      maker.project.write("pack.ts", versioned("2.0.0", hello("Greets.", "Welcome")));
      maker.commit();
      expect(await maker.run("release", "pack.ts", "--publish", "--allow-breaking")).toMatchObject({
        code: 0,
      });
      expect(readPack(maker).releases.map(({ packVersion }) => packVersion)).toEqual([
        "1.0.0",
        "2.0.0",
      ]);
      expect(maker.project.registry.mistakes).toEqual([]);
    },
  );

  it.runIf(isLong)(
    "an older version is not released again, and rollback releases its source as a new one",
    async () => {
      await using maker = await startReleased();
      maker.project.write("pack.ts", versioned("1.1.0", hello(), hello("Leaves.", "Bye")));
      maker.commit();
      await maker.run("release", "pack.ts", "--publish");
      const refused = await maker.run("release", "pack.ts", "--publish", "1.0.0");
      expect(refused.code).not.toBe(0);
      expect(refused.text).toContain("rollback");
      const back = await maker.run("rollback", "1.0.0", "pack.ts");
      expect(back.text).toContain("2.0.0");
      expect(readPack(maker).releases.at(-1)).toMatchObject({ packVersion: "2.0.0" });
      expect(maker.project.registry.mistakes).toEqual([]);
    },
  );

  it("the uploaded bytes are the description's four members, announced by their hash", async () => {
    const parameters = `[makeParameter({ type: ParameterType.String, name: "text", description: "A text." })]`;
    const formula = hello().replace("parameters: []", `parameters: ${parameters}`);
    const format = `pack.addColumnFormat({ name: "Link", formulaName: "Hello", matchers: [/^a\\/b/i] });`;
    await using maker = await startMaker(versioned("1.0.0", formula, format));
    await maker.run("create", "pack.ts");
    expect(await maker.run("upload", "pack.ts", "--no-types")).toMatchObject({ code: 0 });
    const sent = maker.project.registry.requests.find(({ name }) => name === "put")?.body as Buffer;
    const upload = JSON.parse(sent.toString());
    expect(Object.keys(upload).sort()).toEqual(["bundle", "metadata", "sdkVersion", "sourceMap"]);
    expect(upload.metadata).toMatchObject({
      version: "1.0.0",
      formats: [{ matchers: ["/^a\\/b/i"] }],
      formulas: [{ name: "Hello" }],
    });
    expect(upload.metadata.formulas[0]).not.toHaveProperty("execute");
    const complete = maker.project.registry.requests.find(({ name }) => name === "uploadComplete");
    expect(complete?.body).toMatchObject({ source: "cli" });
    expect(maker.project.registry.mistakes).toEqual([]);
  });

  it.runIf(isLong)("a store that takes no more bytes is quoted, and not asked again", async () => {
    await using maker = await startMaker();
    await maker.run("create", "pack.ts");
    maker.project.registry.answers.set("put", () => ({
      status: 400,
      body: "<Error><Code>EntityTooLarge</Code><Message>Your upload is too large.</Message></Error>",
    }));
    const refused = await maker.run("upload", "pack.ts", "--no-types");
    expect(refused).toMatchObject({ code: 11 });
    expect(refused.text).toContain("Your upload is too large (EntityTooLarge)");
    expect(names(maker).filter((name) => name === "put")).toHaveLength(1);
    expect(names(maker)).not.toContain("uploadComplete");
  });

  it.each(
    chooseCases(["createPack", "register", "put", "uploadComplete", "createRelease"] as const, 3),
  )("a rate limit at %s is waited out, and nothing is made twice", async (operation) => {
    await using project = await startStrictProject(versioned("1.0.0", hello()));
    let refusals = 2;
    project.registry.answers.set(operation, () =>
      refusals-- > 0
        ? { status: 429, body: { statusCode: 429, statusMessage: "Slow", message: "Too many." } }
        : undefined,
    );
    await project.create();
    expect(await project.upload()).toBe("1.0.0");
    const { client } = project;
    const path = { packId: String(PACK) };
    const body = { packVersion: "1.0.0", releaseNotes: "First" };
    await client.call("createPackRelease", { path, body });
    expect(project.registry.packs.size).toBe(1);
    expect(project.registry.packs.get(PACK)?.versions).toHaveLength(1);
    expect(project.registry.packs.get(PACK)?.releases).toHaveLength(1);
    expect(project.registry.mistakes).toEqual([]);
  });

  it("a token that is refused, and a Pack of others, are one clear line each", async () => {
    await using maker = await startMaker();
    maker.project.registry.answers.set("whoami", () => ({
      status: 401,
      body: { statusCode: 401, statusMessage: "Unauthorized", message: "Unauthorized" },
    }));
    expect(await maker.run("whoami")).toMatchObject({
      code: 12,
      text: expect.stringContaining("does not accept the token"),
    });
    for (const status of [403, 404]) {
      maker.project.registry.answers.set("getPack", () => ({
        status,
        body: { statusCode: status, statusMessage: "No", message: "No." },
      }));
      expect(await maker.run("link", "77")).toMatchObject({
        code: 12,
        text: expect.stringContaining("Pack 77"),
      });
    }
  });

  it("deprecation warnings of the registry are shown, and do not stop", async () => {
    await using maker = await startMaker();
    await maker.run("create", "pack.ts");
    maker.project.registry.answers.set("uploadComplete", () => {
      readPack(maker).versions.push({ packVersion: "1.0.0", buildNotes: "", sdkVersion: "1.17.5" });
      const warning = { path: "formulas[0]", message: "This will go away." };
      return { status: 200, body: { deprecationWarnings: [warning] } };
    });
    const uploaded = await maker.run("upload", "pack.ts", "--no-types");
    expect(uploaded.code).toBe(0);
    expect(uploaded.text).toContain("This will go away.");
  });

  it.runIf(isLong)(
    "what the file of the listing may not hold is refused before anything is sent",
    async () => {
      await using maker = await startMaker();
      await maker.run("create", "pack.ts");
      const before = names(maker).length;
      for (const listing of [
        { name: "x".repeat(129) },
        { shortDescription: "x".repeat(257) },
        { agentDescription: "x".repeat(8_193) },
        { overallRateLimit: { intervalSeconds: 0, operationsPerInterval: 1 } },
        { overallRateLimit: { intervalSeconds: 86_401, operationsPerInterval: 1 } },
        { perConnectionRateLimit: { intervalSeconds: 1, operationsPerInterval: -1 } },
        { featuredDocs: Array.from({ length: 6 }, () => ({ url: "https://docs.example/d/_da" })) },
        { packEntrypoints: ["agents"] },
        { permissions: [{ organization: "o-1", access: "view" }] },
      ]) {
        maker.project.write("packsmith.config.json", JSON.stringify(listing));
        expect(await maker.run("config", "plan", "pack.ts")).toMatchObject({ code: 2 });
      }
      expect(
        names(maker)
          .slice(before)
          .filter((name) => name !== "getPack"),
      ).toEqual([]);
    },
  );

  it.runIf(isLong)(
    "an answer with the required members only is enough for plan, pull and status",
    async () => {
      await using maker = await startReleased();
      maker.project.registry.answers.set("getPack", () => ({
        status: 200,
        body: {
          id: PACK,
          workspaceId: "ws-1",
          name: "Greetings",
          description: "",
          shortDescription: "",
          categories: [],
          certified: false,
          someday: { deep: [1] },
        },
      }));
      expect(await maker.run("config", "pull", "pack.ts")).toMatchObject({ code: 0 });
      expect(await maker.run("config", "plan", "pack.ts")).toMatchObject({ code: 0 });
      expect(await maker.run("status", "pack.ts")).toMatchObject({ code: 0 });
      expect(maker.project.registry.mistakes).toEqual([]);
    },
  );
});

/** Logs as the description has them, the newest first. */
function makeLogs(count: number): Record<string, unknown>[] {
  return Array.from({ length: count }, (_, at) => ({
    type: "invocation",
    duration: 1_500,
    ...(at === 1 ? { error: { message: "No such task." } } : {}),
    context: {
      docId: "doc-1",
      packId: String(PACK),
      packVersion: "1.0.0",
      formulaName: "Hello",
      userId: "u-1",
      connectionId: "c-1",
      requestId: `request-${at}`,
      requestType: "invokeFormulaRequest",
      createdAt: new Date(Date.UTC(2026, 10, 24, 10) - at * 1_000).toISOString(),
      logId: `log-${at}`,
      detailsKey: "k",
      somethingNew: true,
    },
  }));
}

describe("logs, at a registry that knows the public description only", () => {
  it.runIf(isLong)("are shown from the newest, in milliseconds, with one request", async () => {
    await using maker = await startReleased();
    maker.project.registry.logs.push(...makeLogs(250));
    const before = names(maker).length;
    const shown = await maker.run("logs", "pack.ts", "--doc", "doc-1", "--limit", "3");
    expect(shown.code).toBe(0);
    expect(shown.text).toContain("2026-11-24");
    expect(shown.text).toMatch(/1,?500 ms|1\.5 s/);
    expect(shown.text).toContain("No such task.");
    expect(
      names(maker)
        .slice(before)
        .filter((name) => name.startsWith("list")),
    ).toEqual(["listGroupedLogs"]);
    expect(maker.project.registry.mistakes).toEqual([]);
  });

  it.runIf(isLong)("end after the last page, also where a list ends with null", async () => {
    await using maker = await startReleased();
    maker.project.registry.logs.push(...makeLogs(150));
    const all = await maker.run("logs", "pack.ts", "--doc", "doc-1", "--limit", "1000");
    expect(all.text.match(/Hello/g)?.length).toBeGreaterThanOrEqual(150);
    expect(all.text).not.toContain("older calls are not shown");
    expect(names(maker).filter((name) => name === "listGroupedLogs")).toHaveLength(3);
  });

  it("of every type, and of types to come, are shown or passed over", async () => {
    await using maker = await startReleased();
    const [log] = makeLogs(1) as [{ context: object }];
    const entries = [
      { type: "custom", message: "from the Pack", level: "warn" },
      {
        type: "fetcher",
        method: "GET",
        baseUrl: "https://tasks.example",
        responseCode: 500,
        duration: 12,
      },
      { type: "auth", path: "/token", errorMessage: "expired" },
      { type: "mcp", error: { message: "no tool" } },
      { type: "agentRuntime", turnType: "user", durationMs: 7 },
      { type: "internal", message: "inside", level: "trace" },
      { type: "ingestionLifecycle", message: "started", level: "info" },
      { type: "hologram", beam: 1 },
    ];
    for (const entry of entries)
      maker.project.registry.logs.push({ ...entry, context: log.context });
    const types = ["custom", "fetcher", "auth", "mcp", "agentRuntime"];
    const flags = types.flatMap((type) => ["--type", type]);
    const shown = await maker.run("logs", "pack.ts", "--doc", "doc-1", ...flags);
    expect(shown.code).toBe(0);
    for (const text of ["from the Pack", "tasks.example", "expired", "no tool", "started"])
      expect(shown.text).toContain(text);
    expect(maker.project.registry.mistakes).toEqual([]);
  });
});
