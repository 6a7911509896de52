import { generateKeyPairSync } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { connectAccount } from "../../../src/connect/connect-account.ts";
import type { Cassette } from "../../../src/execute/cassette/cassette-format.ts";
import {
  type RunFormulaOptions,
  type RunResult,
  runFormula,
} from "../../../src/execute/run-target.ts";
import { startProvider } from "../../../src/provider/provider.ts";
import { createRedactor } from "../../../src/shared/redact.ts";
import { chooseCases } from "../../support/breadth.ts";
import { makeProject, type ProjectFolder } from "../../support/project.ts";
import { json, startTestServer, type TestServer } from "../http-server.ts";

const ORIGIN = "https://api.tasks.example";
const PACK = `import { newPack, ParameterType, StatusCodeError, ValueType, makeParameter, makeObjectSchema } from "packsmith";
export const pack = newPack().addNetworkDomain("api.tasks.example");
const text = makeParameter({ type: ParameterType.String, name: "text", description: "Text." });
const get = (context: any, path: string, more = {}) => context.fetcher.fetch({ method: "GET", url: "${ORIGIN}" + path, ...more });
const formula = (name: string, execute: (args: any, context: any) => Promise<string>, parameters: any[] = []) =>
  pack.addFormula({ name, description: name + ".", parameters, resultType: ValueType.String, execute } as any);
formula("Pages", async (_, context) => {
  const all: string[] = [];
  for (let next = "/pages?page=1"; next; ) {
    const { body } = await get(context, next);
    all.push(...body.items);
    next = body.next;
  }
  return all.join();
});
formula("Bytes", async (_, context) => [...(await get(context, "/bytes", { isBinaryResponse: true })).body].join());
formula("Zipped", async (_, context) => (await get(context, "/zipped")).body.text);
formula("Many", async (_, context) => {
  const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => get(context, "/many?n=" + index)));
  return answers.map(({ body }) => body.n).join();
});
formula("Slow", async (_, context) => (await get(context, "/slow")).body.text);
formula("Echo", async ([text], context) => (await context.fetcher.fetch({ method: "POST", url: "${ORIGIN}/echo", body: JSON.stringify({ text, at: new Date().toISOString(), list: [1, 2] }) })).body.text, [text]);
formula("Caught", async (_, context) => { try { await get(context, "/gone"); } catch (error) { return StatusCodeError.isStatusCodeError(error) ? error.statusCode + error.body.why : "other " + error.message; } return ""; });
formula("Login", async (_, context) => {
  const { body } = await context.fetcher.fetch({ method: "POST", url: "${ORIGIN}/login", form: { user: "ada" } });
  return (await get(context, "/data?session=" + body.session.access_token)).body.text;
});
pack.addSyncTable({
  name: "Tasks", identityName: "Task", schema: makeObjectSchema({ idProperty: "id", displayProperty: "id", properties: { id: { type: ValueType.String } } }),
  formula: { name: "Tasks", description: "Tasks.", parameters: [], execute: async (_, context) => {
    const { body } = await get(context, context.sync.continuation?.next ?? "/pages?page=1");
    return { result: body.items.map((id: string) => ({ id })), continuation: body.next ? { next: body.next } : undefined };
  } },
});
`;

const startApi = () => {
  let slow = 0;
  return startTestServer((request, response) => {
    const url = new URL(request.url, ORIGIN);
    switch (url.pathname) {
      case "/pages": {
        const page = Number(url.searchParams.get("page"));
        return json(response, 200, {
          items: [`a${page}`, `b${page}`],
          ...(page < 12 ? { next: `/pages?page=${page + 1}` } : {}),
        });
      }
      case "/bytes":
        return void response.end(Buffer.from([0, 255, 1, 128]));
      case "/zipped":
        return void response
          .writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" })
          .end(gzipSync('{"text":"unzipped"}'));
      case "/many":
        return json(response, 200, { n: url.searchParams.get("n") });
      case "/slow":
        slow += 1;
        return slow === 1
          ? json(response, 429, {}, { "retry-after": "1" })
          : json(response, 200, { text: "done" });
      case "/echo":
        return json(response, 200, { text: `${JSON.parse(request.body).text}!` });
      case "/login":
        return json(response, 200, { session: { access_token: "made-by-the-api-1234" } });
      case "/data":
        return json(response, 200, {
          text: url.searchParams.get("session") === "made-by-the-api-1234" ? "let in" : "kept out",
        });
      default:
        return json(response, 404, { why: "gone" });
    }
  });
};

class Recording implements AsyncDisposable {
  readonly project: ProjectFolder;
  readonly api: TestServer;
  readonly more: Partial<RunFormulaOptions>;
  constructor(project: ProjectFolder, api: TestServer, more: Partial<RunFormulaOptions>) {
    this.project = project;
    this.api = api;
    this.more = more;
  }
  run(
    formula: string,
    args: readonly unknown[] = [],
    more: Partial<RunFormulaOptions> = {},
  ): Promise<RunResult> {
    const options = {
      file: "pack.ts",
      cwd: this.project.path,
      redactor: createRedactor(),
      sleep: async () => {},
    };
    return runFormula({ ...options, ...this.more, formula, args, ...more });
  }
  record = (formula: string, args: readonly unknown[] = []) =>
    this.run(formula, args, { routes: [`${ORIGIN}=${this.api.origin}`], record: "cassettes" });
  /** Without routes: the declared hosts do not exist. */
  replay = (
    formula: string,
    args: readonly unknown[] = [],
    more: Partial<RunFormulaOptions> = {},
  ) => this.run(formula, args, { replay: "cassettes", strict: true, ...more });
  cassette = (name: string): Cassette => JSON.parse(this.project.read(`cassettes/${name}.json`));
  async [Symbol.asyncDispose]() {
    await this.api[Symbol.asyncDispose]();
    this.project[Symbol.dispose]();
  }
}

async function makeRecording(more: Partial<RunFormulaOptions> = {}): Promise<Recording> {
  return new Recording(makeProject({ "pack.ts": PACK }), await startApi(), more);
}

describe("a recorded run", () => {
  it.each<[string, unknown[], number]>(
    chooseCases(
      [
        ["Pages", [], 12],
        ["Bytes", [], 1],
        ["Zipped", [], 1],
        ["Many", [], 20],
        ["Slow", [], 2],
        ["Echo", ["hello"], 1],
        ["Caught", [], 1],
        ["Login", [], 2],
        ["Tasks", [], 12],
      ],
      2,
    ),
  )("%s is replayed as it was, without the network, strictly", async (formula, args, requests) => {
    await using recording = await makeRecording();
    const recorded = await recording.record(formula, args);
    expect(recorded).toMatchObject({ ok: true, cassette: { mode: "recorded", requests } });
    const sent = recording.api.requests.length;
    const replayed = await recording.replay(formula, args);
    expect(replayed).toMatchObject({ ok: true, cassette: { mode: "replayed", requests } });
    expect(replayed.ok && recorded.ok && replayed.result).toEqual(recorded.ok && recorded.result);
    const describeShape = (run: RunResult) =>
      run.requests.map(({ method, status }) => `${method} ${status}`);
    expect(describeShape(replayed)).toEqual(describeShape(recorded));
    expect(recording.api.requests).toHaveLength(sent);
    // The same run gives the same file.
    const text = recording.project.read(`cassettes/${formula}.json`);
    if (formula !== "Slow") {
      await recording.record(formula, args);
      expect(recording.project.read(`cassettes/${formula}.json`)).toBe(text);
    }
    expect(readdirSync(join(recording.project.path, "cassettes"))).toEqual([`${formula}.json`]);
  });

  it("keeps no secret that the API made", async () => {
    await using recording = await makeRecording();
    await recording.record("Login");
    const text = recording.project.read("cassettes/Login.json");
    expect(text).not.toContain("made-by-the-api");
    expect(
      recording
        .cassette("Login")
        .exchanges.map(({ request, response }) => [request.url, response?.body]),
    ).toEqual([
      [`${ORIGIN}/login`, '{"session":{"access_token":"{{secret:access_token:1}}"}}'],
      [`${ORIGIN}/data?session={{secret:access_token:1}}`, '{"text":"let in"}'],
    ]);
  });

  it("does not match another request, and says how the nearest one differs", async () => {
    await using recording = await makeRecording();
    await recording.record("Echo", ["hello"]);
    expect(await recording.replay("Echo", ["goodbye"])).toMatchObject({
      ok: false,
      failure: {
        error: {
          code: "CASSETTE_UNMATCHED",
          message: expect.stringMatching(
            /^The cassette .*Echo\.json has no response for POST https:\/\/api\.tasks\.example\/echo: request 1 of the recording differs in body \.text "hello" → "goodbye"\.$/,
          ),
        },
      },
    });
    recording.project.write("pack.ts", PACK.replaceAll("/gone", "/lost?x=1"));
    await recording.run("Caught", [], {
      routes: [`${ORIGIN}=${recording.api.origin}`],
      record: "cassettes",
    });
    recording.project.write("pack.ts", PACK.replaceAll("/gone", "/lost?x=2"));
    // The Pack catches the error; a strict replay fails all the same.
    expect(await recording.replay("Caught")).toMatchObject({
      ok: false,
      failure: {
        error: { code: "CASSETTE_UNMATCHED", message: expect.stringContaining("query x 1 → 2") },
      },
    });
    expect(await recording.replay("Caught", [], { strict: false })).toMatchObject({
      ok: true,
      result: expect.stringMatching(/^other The cassette .* has no response for GET /),
    });
  });

  it("is unused when strict, and may be used twice when not", async () => {
    await using recording = await makeRecording();
    await recording.record("Pages");
    recording.project.write("pack.ts", PACK.replace("next = body.next;", 'next = "";'));
    expect(await recording.replay("Pages")).toMatchObject({
      ok: false,
      failure: {
        error: {
          code: "CASSETTE_UNUSED",
          message: expect.stringContaining("11 of the recorded requests: GET "),
        },
      },
      requests: [{ status: 200 }],
    });
    expect(await recording.replay("Pages", [], { strict: false })).toMatchObject({
      ok: true,
      result: "a1,b1",
    });
    recording.project.write(
      "pack.ts",
      PACK.replace(
        "return all.join();",
        'await get(context, "/pages?page=1", { cacheTtlSecs: 0 }); return all.join();',
      ),
    );
    expect(await recording.replay("Pages")).toMatchObject({
      failure: {
        error: {
          code: "CASSETTE_UNMATCHED",
          message: expect.stringContaining(
            "request 1 of the recording is the same, but was already used",
          ),
        },
      },
    });
    expect(await recording.replay("Pages", [], { strict: false })).toMatchObject({ ok: true });
  });

  it("includes a network that failed", async () => {
    await using recording = await makeRecording();
    const failed = await recording.run("Caught", [], {
      routes: [`${ORIGIN}=http://127.0.0.1:1`],
      record: "cassettes",
    });
    expect(failed).toMatchObject({
      ok: true,
      result: expect.stringContaining("could not be reached"),
    });
    expect(await recording.replay("Caught")).toMatchObject({
      ok: true,
      result: failed.ok && failed.result,
    });
  });

  it.each<[string, string | undefined, RegExp]>([
    ["missing", undefined, /: there is no such file\.$/],
    ["empty", "", /it is not JSON/],
    ["foreign", '{"log":{"entries":[]}}', /it is not a cassette/],
    ["newer", '{"packsmithCassette":2}', /its format is 2, and this version reads 1/],
    [
      "without exchanges",
      '{"packsmithCassette":1,"target":"Echo","accounts":{},"exchanges":{}}',
      /exchanges is not a list/,
    ],
    [
      "with a broken exchange",
      '{"packsmithCassette":1,"target":"Echo","accounts":{},"exchanges":[{"purpose":"pack"}]}',
      /exchanges\[0\] cannot/,
    ],
    [
      "with a header that splits",
      '{"packsmithCassette":1,"target":"E","accounts":{},"exchanges":[{"purpose":"pack","request":{"method":"GET","url":"https://a.example/"},"response":{"status":200,"headers":{"a":"b\\r\\nc: d"}}}]}',
      /exchanges\[0\] cannot/,
    ],
    [
      "with a broken account",
      '{"packsmithCassette":1,"target":"E","accounts":{"user":{"type":1}},"exchanges":[]}',
      /accounts\.user cannot/,
    ],
  ])("is refused when it is %s, in one sentence", async (_, text, reason) => {
    await using recording = await makeRecording();
    if (text !== undefined) recording.project.write("cassettes/Echo.json", text);
    expect(await recording.replay("Echo", ["x"])).toMatchObject({
      ok: false,
      failure: { error: { code: "CASSETTE_INVALID", message: expect.stringMatching(reason) } },
    });
  });

  it("is refused in words when its folder is a file, or it is a link to itself", async () => {
    await using recording = await makeRecording();
    const path = join(recording.project.path, "cassettes");
    const readMessage = async () => {
      const run = await recording.replay("Echo", ["x"]);
      return run.ok ? undefined : run.failure.error.message;
    };
    writeFileSync(path, "a file");
    expect(await readMessage()).toMatch(/: a part of the path is a file, not a folder\.$/);
    rmSync(path);
    mkdirSync(path);
    symlinkSync("Echo.json", join(path, "Echo.json"));
    expect(await readMessage()).toMatch(/: its symbolic links lead to each other\.$/);
  });

  it("leaves what was there when the folder cannot be written", async () => {
    await using recording = await makeRecording();
    writeFileSync(join(recording.project.path, "cassettes"), "a file");
    expect(await recording.record("Echo", ["x"])).toMatchObject({
      ok: false,
      failure: { error: { code: "OUTPUT_NOT_WRITABLE" } },
    });
    expect(readFileSync(join(recording.project.path, "cassettes"), "utf8")).toBe("a file");
    expect(await recording.run("Echo", ["x"], { record: "a", replay: "b" })).toMatchObject({
      failure: { error: { code: "USAGE_INVALID" } },
    });
  });
});

describe("a recorded run with an account", () => {
  const authentication = `pack.setUserAuthentication({ type: "OAuth2", authorizationUrl: "https://login.tasks.example/authorize", tokenUrl: "https://login.tasks.example/token", scopes: ["read"] });`;
  const text = `import { newPack, ValueType } from "packsmith";
export const pack = newPack().addNetworkDomain("tasks.example");
AUTHENTICATION
pack.addFormula({ name: "Who", description: "Who.", parameters: [], resultType: ValueType.String, execute: async (_, context) =>
  (await context.fetcher.fetch({ method: "GET", url: context.endpoint ? "/who" : "${ORIGIN}/who", headers: HEADERS })).body.name });
`;

  it("replays token requests: a refresh before and one after a 401, without an account", async () => {
    using project = makeProject({
      "pack.ts": text.replace("AUTHENTICATION", authentication).replace("HEADERS", "{}"),
    });
    await using provider = await startProvider();
    let refused = 0;
    await using api = await startTestServer((request, response) => {
      if (refused === 0) {
        refused += 1;
        return json(response, 401, {});
      }
      json(response, 200, { name: `Ada ${request.headers.authorization?.startsWith("Bearer ")}` });
    });
    const home = join(project.path, "home");
    const routes = [
      `${ORIGIN}=${api.origin}`,
      `https://login.tasks.example=${new URL(provider.tokenUrl).origin}`,
    ];
    const common = {
      file: "pack.ts",
      cwd: project.path,
      redactor: createRedactor(),
      now: () => provider.clock.now(),
    };
    const client = { clientId: provider.clientId, clientSecret: provider.clientSecret };
    const tokenPath = new URL(provider.tokenUrl).pathname;
    const authorizePath = new URL(provider.authorizationUrl).pathname;
    project.write(
      "pack.ts",
      project
        .read("pack.ts")
        .replace("/authorize", authorizePath)
        .replace('/token"', `${tokenPath}"`),
    );
    await connectAccount({ ...common, home, routes, client, browser: "headless" });
    provider.clock.advance(2 * 3_600_000);
    const recorded = await runFormula({
      ...common,
      home,
      routes,
      formula: "Who",
      args: [],
      record: "cassettes",
    });
    expect(recorded).toMatchObject({ ok: true, result: "Ada true", cassette: { requests: 4 } });

    const file = project.read("cassettes/Who.json");
    const cassette = JSON.parse(file) as Cassette;
    expect(cassette.exchanges.map(({ purpose, response }) => [purpose, response?.status])).toEqual([
      ["token", 200],
      ["pack", 401],
      ["token", 200],
      ["pack", 200],
    ]);
    expect(cassette.accounts.user).toMatchObject({ type: "OAuth2", token: { isRenewable: true } });
    for (const { headers } of api.requests)
      expect(file).not.toContain(String(headers.authorization).slice(7));
    expect(file).not.toContain(provider.clientSecret);

    const replayed = await runFormula({
      ...common,
      formula: "Who",
      args: [],
      replay: "cassettes",
      strict: true,
    });
    expect(replayed).toMatchObject({
      ok: true,
      result: "Ada true",
      requests: [{ status: 401 }, { status: 200, retriedAfter401: true }],
    });
    expect(api.requests).toHaveLength(2);
  });

  it.each(chooseCases(["ec", "rsa"] as const, 2))(
    "replays requests for tokens that a client signs, with a key of its own (%s)",
    async (kind) => {
      const definition = `pack.setUserAuthentication({ type: "OAuth2ClientCredentials", tokenUrl: "https://login.tasks.example/token", clientAuthentication: "private_key_jwt" });`;
      using project = makeProject({
        "pack.ts": text.replace("AUTHENTICATION", definition).replace("HEADERS", "{}"),
      });
      let now = 1_000_000;
      await using server = await startTestServer((request, response, count) =>
        json(
          response,
          200,
          request.url === "/token"
            ? { access_token: `token-number-${count}`, token_type: "Bearer", expires_in: 600 }
            : { name: "Ada" },
        ),
      );
      const common = {
        file: "pack.ts",
        cwd: project.path,
        redactor: createRedactor(),
        now: () => now,
      };
      const routes = [ORIGIN, "https://login.tasks.example"].map(
        (origin) => `${origin}=${server.origin}`,
      );
      const { privateKey } =
        kind === "ec"
          ? generateKeyPairSync("ec", { namedCurve: "P-256" })
          : generateKeyPairSync("rsa", { modulusLength: 2_048 });
      const pem = String(privateKey.export({ type: "pkcs8", format: "pem" }));
      const home = join(project.path, "home");
      await connectAccount({
        ...common,
        home,
        routes,
        client: { clientId: "client-1", clientSecret: pem },
      });
      now += 3_600_000;
      const recorded = await runFormula({
        ...common,
        home,
        routes,
        formula: "Who",
        args: [],
        record: "cassettes",
      });
      expect(recorded).toMatchObject({ ok: true, cassette: { requests: 2 } });
      expect(project.read("cassettes/Who.json")).not.toMatch(/token-number|PRIVATE|eyJ/);
      now += 86_400_000;
      const sent = server.requests.length;
      const replayed = await runFormula({
        ...common,
        formula: "Who",
        args: [],
        replay: "cassettes",
        strict: true,
      });
      expect(replayed).toMatchObject({ ok: true, result: "Ada" });
      expect(server.requests).toHaveLength(sent);
    },
  );

  it.each(
    chooseCases(
      [
        [
          "HeaderBearerToken",
          `{ type: "HeaderBearerToken", requiresEndpointUrl: true }`,
          "{}",
          { token: "s3cret-token" },
        ],
        [
          "Custom",
          `{ type: "Custom", params: [{ name: "key", description: "Key." }] }`,
          "{ 'X-Key': '{{key-' + context.invocationToken + '}}' }",
          { key: "s3cret-key" },
        ],
        ["WebBasic", `{ type: "WebBasic" }`, "{}", { username: "ada", password: "s3cret-word" }],
        [
          "QueryParamToken",
          `{ type: "QueryParamToken", paramName: "key" }`,
          "{}",
          { token: "s3cret-token" },
        ],
      ],
      2,
    ),
  )(
    "of type %s is replayed without its credentials",
    async (type, definition, headers, secrets) => {
      using project = makeProject({
        "pack.ts": text
          .replace("AUTHENTICATION", `pack.setUserAuthentication(${definition} as any);`)
          .replace("HEADERS", headers),
      });
      // It gives back whatever it got.
      await using api = await startTestServer((request, response) =>
        json(response, 200, { name: "Ada", got: [request.url, request.headers] }),
      );
      const routes = [`${ORIGIN}=${api.origin}`, `https://acme.tasks.example=${api.origin}`];
      const common = { file: "pack.ts", cwd: project.path, redactor: createRedactor() };
      const home = join(project.path, "home");
      const endpoint = type === "HeaderBearerToken" ? "https://acme.tasks.example" : undefined;
      await connectAccount({ ...common, home, routes, secrets, endpoint });
      expect(
        await runFormula({
          ...common,
          home,
          routes,
          formula: "Who",
          args: [],
          record: "cassettes",
        }),
      ).toMatchObject({ ok: true });
      for (const name of readdirSync(join(project.path, "cassettes"))) {
        const file = readFileSync(join(project.path, "cassettes", name), "utf8");
        for (const secret of Object.values(secrets)) {
          if (secret === "ada") continue;
          expect(file).not.toContain(secret);
          expect(file).not.toContain(Buffer.from(`ada:${secret}`).toString("base64"));
        }
      }
      const replayed = await runFormula({
        ...common,
        formula: "Who",
        args: [],
        replay: "cassettes",
        strict: true,
      });
      expect(replayed).toMatchObject({ ok: true, result: "Ada" });
      expect(existsSync(join(project.path, "home"))).toBe(true);
      expect(api.requests).toHaveLength(1);
    },
  );
});
