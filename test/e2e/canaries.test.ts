import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCanary, findCanaries } from "../support/canaries.ts";
import { type CliOptions, runCli, startCliServer } from "../support/cli.ts";
import { createHeadlessClient } from "../support/headless-client.ts";
import { makeProject, type ProjectFolder } from "../support/project.ts";
import { startTokenServer, type TokenServer } from "../support/token-server.ts";

const secrets = {
  // Characters that every encoding treats differently.
  client: 'canary-client+/=&"é\\ 4f1c9a',
  access: "canary-access.b77e~+/1d2f==",
  refresh: "canary-refresh.93ac~+/5e6b",
  renewed: "canary-renewed.c02d~+/8f1a",
  rotated: "canary-rotated.41be~+/7c3d",
  id: "canary-id.eyJhbGciOi.d91f",
  member: "canary-member-5ad0e3",
  code: "canary-code.6bc1",
  token: 'canary-token+/=&"é\\ 83ab2d',
  password: "canary-password~+/5c7e11==",
  key: "canary-aws/key+2f9d",
  made: "canary-made-by-the-api.19fe",
  database: "canary-database-7e21b8",
  device: "canary-device-31cd70~+/",
  variable: 'canary-variable+/="é\\ 77ae',
  unrelated: "canary-unrelated-0d9f66",
};
const canaries = Object.entries(secrets).map(([name, secret]) => createCanary(name, secret));

const packText = `
import { AuthenticationType, makeParameter, newPack, ParameterType, ValueType } from "packsmith";

export const pack = newPack();
pack.addNetworkDomain("canary.example");
pack.setUserAuthentication({
  type: AuthenticationType.OAuth2,
  authorizationUrl: "https://login.canary.example/authorize",
  tokenUrl: "https://login.canary.example/token",
  scopes: ["read"],
  getConnectionName: async (context) => {
    const response = await context.fetcher.fetch({ method: "GET", url: "https://api.canary.example/plain" });
    console.log("who", response.body);
    return "Ada " + response.body.text;
  },
});
const form = makeParameter({ type: ParameterType.String, name: "form", description: "How the service encodes what it got." });
pack.addFormula({
  name: "Echo",
  description: "Gives back what the service says it got.",
  parameters: [form],
  resultType: ValueType.String,
  execute: async ([form], context) => {
    const response = await context.fetcher.fetch({ method: "GET", url: "https://api.canary.example/" + form, headers: { "X-Form": form } });
    const said = typeof response.body === "string" ? response.body : response.body.text;
    console.log(said, response.body, JSON.stringify(response.body), JSON.stringify(JSON.stringify(response.body)));
    console.error(new Error(said));
    console.log(JSON.stringify(response.headers), JSON.stringify((globalThis as { process?: { env?: unknown } }).process?.env));
    if (form === "throw") throw new Error("The service said: " + said);
    return said;
  },
});
`;

/**
 * The same with an account whose credentials are entered; the service makes a token of its own,
 * too.
 */
const enteredText = (authentication: string, headers = "{}") =>
  packText
    .replace(
      /pack\.setUserAuthentication\(\{[\s\S]*?getConnectionName/,
      `pack.setUserAuthentication({ ${authentication}, getConnectionName`,
    )
    .replace('headers: { "X-Form": form } }', `headers: { "X-Form": form, ...${headers} } }`)
    .replace(
      'if (form === "throw")',
      `if (form === "json") {
      const login = await context.fetcher.fetch({ method: "POST", url: "https://api.canary.example/login", form: { user: "ada", password: "typed" } });
      await context.fetcher.fetch({ method: "GET", url: "https://api.canary.example/plain?session=" + encodeURIComponent(login.body.access_token) });
    }
    if (form === "throw")`,
    );

const entered: Record<string, { text: string; values: Record<string, string> }> = {
  "bearer.ts": {
    text: enteredText('type: "HeaderBearerToken"'),
    values: { token: secrets.token.replace("é", "e") },
  },
  "basic.ts": {
    text: enteredText('type: "WebBasic"'),
    values: { username: "ada", password: secrets.password },
  },
  "custom.ts": {
    text: enteredText(
      'type: "Custom", params: [{ name: "key", description: "Key." }]',
      '{ Authorization: "Key {{key-" + context.invocationToken + "}}" }',
    ),
    values: { key: secrets.password },
  },
  "query.ts": {
    text: enteredText('type: "QueryParamToken", paramName: "key"'),
    values: { token: secrets.token },
  },
  "cloud.ts": {
    text: enteredText('type: "AWSAccessKey", service: "execute-api"'),
    values: { accessKeyId: "AKIDEXAMPLE", secretAccessKey: secrets.key },
  },
};

/** Its server has metadata, and each account a secret of its own. */
const issuerText = `
import { newPack } from "packsmith";
export const pack = newPack();
pack.addNetworkDomain("canary.example");
pack.setUserAuthentication({
  type: "OAuth2",
  issuer: "https://login.canary.example",
  connectionVariables: [{ name: "vendorKey", label: "Vendor key", kind: "text", secret: true }],
  tokenParams: { vendor_key: "{vendorKey}" },
  useProofKeyForCodeExchange: true,
});
`;

/** How a service could give back a credential. */
const encodings: Record<string, (text: string) => string> = {
  plain: (text) => text,
  base64: (text) => Buffer.from(text).toString("base64"),
  base64url: (text) => Buffer.from(text).toString("base64url"),
  percent: (text) => encodeURIComponent(text),
  form: (text) => new URLSearchParams({ text }).toString(),
  json: (text) => JSON.stringify({ text }),
  chunks: (text) => text,
  throw: (text) => text,
  refused: (text) => text,
};

let refreshAnswer: "tokens" | "echo" | "refused" = "tokens";
let codeAnswer: "tokens" | "refused" = "tokens";

function startHostileServer(): Promise<TokenServer> {
  return startTokenServer((request, response) => {
    const url = new URL(request.url, "http://server.example");
    const { client, renewed, rotated, id, member } = secrets;
    // What a provider knows about the account, and what it was just sent.
    const account =
      request.params.get("grant_type") === "authorization_code"
        ? []
        : [renewed, rotated, id, member];
    const everything = [
      request.headers.authorization,
      request.params,
      ...request.params.values(),
      client,
      ...account,
    ].join(" ");
    if (url.pathname === "/authorize") {
      const back = new URL(url.searchParams.get("redirect_uri") ?? "");
      back.search = String(
        new URLSearchParams({ code: secrets.code, state: url.searchParams.get("state") ?? "" }),
      );
      return { status: 302, headers: { location: back.href } };
    }
    if (url.pathname === "/.well-known/oauth-authorization-server") {
      const issuer = "https://login.canary.example";
      const of = (path: string) => `${issuer}/${path}`;
      const endpoints = {
        authorization_endpoint: of("authorize"),
        token_endpoint: of("token"),
        device_authorization_endpoint: of("device"),
      };
      return {
        body: {
          issuer,
          ...endpoints,
          response_types_supported: ["code"],
          code_challenge_methods_supported: ["S256"],
        },
      };
    }
    if (url.pathname === "/device") {
      const verification = {
        user_code: "ABCD-EFGH",
        verification_uri: "https://login.canary.example/enter",
      };
      return {
        body: { device_code: secrets.device, ...verification, expires_in: 60, interval: 1 },
      };
    }
    if (url.pathname === "/token") {
      const renewing = request.params.get("grant_type") === "refresh_token";
      if (renewing && refreshAnswer === "echo")
        return {
          status: 500,
          body: everything,
          headers: { "x-debug": encodeURIComponent(everything) },
        };
      if (renewing && refreshAnswer === "refused")
        return {
          status: 400,
          body: { error: "invalid_grant", error_description: `unknown token ${everything}` },
        };
      if (!renewing && codeAnswer === "refused")
        return { status: 400, body: { error: "invalid_grant", error_description: everything } };
      return {
        body: {
          access_token: renewing ? secrets.renewed : secrets.access,
          refresh_token: renewing ? secrets.rotated : secrets.refresh,
          token_type: "Bearer",
          expires_in: 3600,
          id_token: secrets.id,
          scope: "read",
          session_handle: secrets.member,
        },
      };
    }
    if (url.pathname === "/login")
      return { body: { access_token: secrets.made, hint: secrets.made } };
    if (url.pathname === "/revoke") return { status: 500, body: `cannot revoke ${everything}` };
    const encode = encodings[url.pathname.slice(1)];
    if (encode === undefined) return { status: 404 };
    const body = encode(
      [request.headers.authorization, url.searchParams.get("key")]
        .filter((text) => text !== null && text !== undefined)
        .join(" "),
    );
    if (url.pathname === "/refused") return { status: 403, body: { text: body, error: body } };
    if (url.pathname !== "/chunks") return { body: { text: body } };
    // Cut in the middle of the secret, with an end of the packet between.
    response.writeHead(200, { "content-type": "application/json" });
    const json = JSON.stringify({ text: body });
    const cut = Math.floor(json.length / 2);
    response.write(json.slice(0, cut), () => setImmediate(() => response.end(json.slice(cut))));
    return undefined;
  });
}

// docs/rules.md: rule 25, 27, 44
describe("no command shows or writes a secret", () => {
  let project: ProjectFolder;
  let server: TokenServer;
  let env: Record<string, string>;
  let routes: string[];

  beforeAll(async () => {
    const texts = Object.fromEntries(
      Object.entries(entered).map(([name, { text }]) => [name, text]),
    );
    project = makeProject({
      ...texts,
      "pack.ts": packText,
      "issuer.ts": issuerText,
      "bad.ts": packText.replace("ValueType.String,\n  execute", '"strin",\n  execute'),
    });
    server = await startHostileServer();
    routes = ["login", "api"].flatMap((name) => [
      "--route",
      `https://${name}.canary.example=${server.url}`,
    ]);
    mkdirSync(join(project.path, "tmp"));
    env = {
      PACKSMITH_HOME: join(project.path, "home"),
      TMPDIR: join(project.path, "tmp"),
      PACKSMITH_CLIENT_ID: "client-1",
      PACKSMITH_CLIENT_SECRET: secrets.client,
      SOME_API_TOKEN: secrets.unrelated,
      AWS_SECRET_ACCESS_KEY: secrets.unrelated,
    };
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    project[Symbol.dispose]();
  });

  const run = async (args: string[], more: CliOptions = {}) => {
    const done = await runCli(args, { cwd: project.path, ...more, env: { ...env, ...more.env } });
    expect(findCanaries(done.stdout, canaries), "stdout").toEqual([]);
    expect(findCanaries(done.stderr, canaries), "stderr").toEqual([]);
    expect(filesWithCanaries(project.path)).toEqual([]);
    return done;
  };
  const connect = ["auth", "connect", "pack.ts", "--headless"];

  it.each([
    ["validate", ["validate", "pack.ts"], 0],
    ["validate a bad Pack", ["validate", "bad.ts", "--json"], 1],
    ["build", ["build", "pack.ts", "--out-dir", "build"], 0],
    ["build --json", ["build", "pack.ts", "--out-dir", "build", "--json"], 0],
    ["explain", ["explain", "OAUTH_TOKEN_REJECTED"], 0],
    ["init", ["init", "new", "--template", "oauth2"], 0],
    ["demo", ["demo"], 0],
    ["an unknown option", ["auth", "connect", "pack.ts", `--client-secret=${secrets.client}`], 2],
  ])("%s", async (_, args, code) => {
    expect((await run(args)).code).toBe(code);
  });

  it("provider and service", async () => {
    for (const verb of ["provider", "service"]) {
      const more = verb === "service" ? { PACKSMITH_INTROSPECTION_SECRET: secrets.client } : {};
      await using running = await startCliServer<Record<string, unknown>>([verb], {
        cwd: project.path,
        env: { ...env, ...more },
      });
      expect(findCanaries(JSON.stringify(running.facts), canaries)).toEqual([]);
    }
  });

  it("auth connect, with the secret from the environment and from stdin", async () => {
    expect((await run([...connect, ...routes, "--debug"])).code).toBe(0);
    const fromStdin = await run(
      [...connect, ...routes, "--json", "--client-secret-stdin", "--account", "second"],
      {
        env: { PACKSMITH_CLIENT_SECRET: "" },
        stdin: secrets.client,
      },
    );
    expect(fromStdin.code).toBe(0);
  });

  // docs/rules.md: rule 10
  it.each(["tokens", "refused"] as const)(
    "auth connect and the pages of a browser show no secret when the provider answers %s",
    async (answer) => {
      codeAnswer = answer;
      const pages: string[] = [];
      let browsing: Promise<void> | undefined;
      const args = [
        "auth",
        "connect",
        "pack.ts",
        "--no-browser",
        "--timeout",
        "20",
        ...routes,
        "--account",
        "third",
      ];
      const done = run(args, {
        onStderr(text) {
          const [, link] = /open this link to continue: (\S+)/.exec(text) ?? [];
          if (link !== undefined) browsing ??= browse(link, pages);
        },
      });
      expect((await done).code).toBe(answer === "tokens" ? 0 : 12);
      await browsing;
      codeAnswer = "tokens";
      for (const flags of [[], ["--json"]])
        expect((await run(["auth", "explain", ...flags])).code).toBe(answer === "tokens" ? 0 : 1);
      expect(pages.at(-1)).toContain("<html");
      // The code is in the address of the callback alone, which answers with a redirect.
      expect(findCanaries(pages.join("\n"), canaries)).toEqual([]);
    },
  );

  it("auth connect --manual, with the address that holds the code and a secret of the account's own", async () => {
    const env = { PACKSMITH_VAR_VENDOR_KEY: secrets.variable };
    for (const answer of ["refused", "tokens"] as const) {
      codeAnswer = answer;
      const args = ["auth", "connect", "issuer.ts", "--manual", "--debug", ...routes];
      const done = await run(args, {
        env,
        answer: (text) => {
          const [, link] = /^(http\S+)\n(?:.*\n)*paste the address/m.exec(text) ?? [];
          return link === undefined ? undefined : readCallback(link);
        },
      });
      expect(done.code).toBe(answer === "tokens" ? 0 : 12);
      expect((await run(["auth", "explain", "--json"])).code).toBe(answer === "tokens" ? 0 : 1);
    }
    const last = server.requests.filter(({ url }) => url === "/token").at(-1);
    expect(last?.params.get("vendor_key")).toBe(secrets.variable);
  });

  it("auth connect --device", async () => {
    const args = ["auth", "connect", "issuer.ts", "--device", "--account", "elsewhere", ...routes];
    const done = await run(args, { env: { PACKSMITH_VAR_VENDOR_KEY: secrets.variable } });
    expect(done.code).toBe(0);
    expect(done.stderr).toContain("ABCD-EFGH");
    expect((await run(["auth", "explain"])).code).toBe(0);
  });

  it.each([
    ["auth list", ["auth", "list"]],
    ["auth list --json", ["auth", "list", "--json"]],
    ["auth doctor", ["auth", "doctor"]],
    ["auth doctor --json", ["auth", "doctor", "--json"]],
    ["auth refresh", ["auth", "refresh", "pack.ts", "--debug"]],
    ["auth refresh --json", ["auth", "refresh", "pack.ts", "--json"]],
  ])("%s", async (_, args) => {
    expect((await run(args.includes("refresh") ? [...args, ...routes] : args)).code).toBe(0);
  });

  it.each(
    Object.keys(encodings).flatMap((form) => [
      [form, []] as const,
      [form, ["--json", "--debug"]] as const,
    ]),
  )("execute, when the service gives the token back as %s %j", async (form, flags) => {
    const done = await run(["execute", "pack.ts", "Echo", form, ...flags, ...routes]);
    expect(done.code).toBe({ throw: 1, refused: 11 }[form] ?? 0);
    expect(done.stdout + done.stderr).toMatch(/••••|\*{8}/);
  });

  it.each([
    ["--record", ["--record", "tapes"]],
    ["--replay", ["--replay", "tapes"]],
    ["--save-test", ["--save-test", "saved/echo.test.ts"]],
  ])("execute %s, whatever the service gives back", async (name, flags) => {
    for (const form of name === "--save-test"
      ? ["throw"]
      : ["plain", "percent", "chunks", "throw"]) {
      const args = flags.map((flag) =>
        flag.replace("tapes", `tapes/${form}`).replace("echo", form),
      );
      const done = await run([
        "execute",
        "pack.ts",
        "Echo",
        form,
        ...args,
        ...(name === "--replay" ? [] : routes),
      ]);
      expect(done.code, done.stderr).toBe(form === "throw" ? 1 : 0);
    }
  });

  it.each(Object.keys(entered))("accounts whose credentials are entered: %s", async (file) => {
    const values = entered[file]?.values ?? {};
    const fromStdin = { stdin: JSON.stringify(values) };
    expect(
      (await run(["auth", "connect", file, "--secrets-stdin", "--debug", ...routes], fromStdin))
        .code,
    ).toBe(0);
    const name = (field: string) =>
      `PACKSMITH_SECRET_${field.replace(/([a-z])([A-Z])/g, "$1_$2").toUpperCase()}`;
    const fromEnvironment = {
      env: Object.fromEntries(Object.entries(values).map(([field, value]) => [name(field), value])),
    };
    expect((await run(["auth", "connect", file, "--json", ...routes], fromEnvironment)).code).toBe(
      0,
    );
    expect((await run(["auth", "test", file, ...routes])).code).toBe(0);
    for (const form of ["base64", "refused", "json"]) {
      const done = await run([
        "execute",
        file,
        "Echo",
        form,
        "--json",
        "--debug",
        "--record",
        `tapes/${file}`,
        ...routes,
      ]);
      expect(done.code, done.stdout).toBe(form === "refused" ? 11 : 0);
    }
    expect(
      (
        await run([
          "execute",
          file,
          "Echo",
          "json",
          "--replay",
          `tapes/${file}`,
          "--strict",
          "--json",
        ])
      ).code,
    ).toBe(0);
    expect(
      (
        await run([
          "execute",
          file,
          "Echo",
          "json",
          "--save-test",
          `saved/${file.replace(".ts", ".test.ts")}`,
          ...routes,
        ])
      ).code,
    ).toBe(0);
    expect((await run(["auth", "disconnect", file])).code).toBe(0);
  });

  it.each(["echo", "refused"] as const)(
    "a provider that answers a refresh with everything it got (%s)",
    async (answer) => {
      refreshAnswer = answer;
      expect((await run(["auth", "refresh", "pack.ts", "--debug", ...routes])).code).not.toBe(0);
      expect((await run(["auth", "refresh", "pack.ts", "--json", ...routes])).code).not.toBe(0);
      expect(
        (await run(["execute", "pack.ts", "Echo", "plain", "--json", ...routes])).code,
      ).toBeLessThan(13);
      expect((await run(["auth", "list", "--json"])).code).toBe(0);
      expect((await run(["auth", "list"])).code).toBe(0);
    },
  );

  it("auth revoke, with a provider that fails and repeats what it got", async () => {
    const revoke = [
      "auth",
      "revoke",
      "pack.ts",
      "--revocation-url",
      "https://login.canary.example/revoke",
      ...routes,
    ];
    expect((await run(revoke)).code).toBe(0);
    expect((await run([...revoke, "--account", "second", "--json"])).code).toBe(0);
  });

  it("a vault on a database server that cannot be reached", async () => {
    const url = `postgres://me:${encodeURIComponent(secrets.database)}@127.0.0.1:1/x`;
    expect((await run(["auth", "list", "--debug"], { env: { DATABASE_URL: url } })).code).toBe(11);
    expect((await run(["auth", "list", "--json"], { env: { DATABASE_URL: url } })).code).toBe(11);
  });
});

/**
 * Follows redirects as a browser does and keeps what it would show; where the address bar would
 * hold the code, nothing is kept.
 */
async function browse(link: string, pages: string[]): Promise<void> {
  const browser = createHeadlessClient();
  let url = new URL(link);
  for (let hop = 0; hop < 10; hop++) {
    const response = await browser.request(url.href);
    pages.push(
      JSON.stringify([...response.headers].filter(([name]) => name !== "location")),
      await response.text(),
    );
    const location = response.headers.get("location");
    if (location === null) return;
    url = new URL(location, url);
  }
}

/** Where the provider sends the browser. */
async function readCallback(link: string): Promise<string> {
  const response = await createHeadlessClient().request(link);
  await response.text();
  return response.headers.get("location") ?? "";
}

/** Every file below a folder, in which a canary is found. */
function filesWithCanaries(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap((entry) => {
      const path = join(entry.parentPath, entry.name);
      return findCanaries(
        `${path}\n${readFileSync(path, "latin1")}\n${readFileSync(path, "utf8")}`,
        canaries,
      ).map((found) => `${path} ${found}`);
    });
}
