import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { chooseCases } from "../support/breadth.ts";
import { listDifferences } from "./intended-differences.ts";
import { askPublished, hasPublishedPackage, publishedModules } from "./published-package.ts";

const page = readFileSync(new URL("../../docs/migrating.md", import.meta.url), "utf8");
const differences = listDifferences(page);

/** A Pack with a formula for each statement, run by the testing helpers. */
const RUNNING = `const { executeFormulaFromPackDef } = published("testing/execution.js");
const { coerceParams } = published("testing/coercion.js");
const pack = coda.newPack();
const n = (type) => coda.makeParameter({ type, name: "n", description: "It." });
const add = (name, resultType, execute, more = {}) =>
  pack.addFormula({ name, description: "Tries something.", parameters: [], resultType, execute, ...more });
const schema = coda.makeObjectSchema({ properties: { firstName: { type: "string", fromKey: "first_name" } } });
add("Nothing", "object", async () => null, { schema });
add("Keys", "object", async () => ({ first_name: "Ada" }), { schema });
add("Number", "string", async ([n]) => typeof n, { parameters: [n("number")] });
add("List", "string", async ([n]) => JSON.stringify(n), { parameters: [n("numberArray")] });
add("Process", "number", async () => process.pid);
const run = (name, args = []) => executeFormulaFromPackDef(pack, name, args);
`;
/** Its fetcher, with answers instead of a network. */
const FETCHING = `const { AuthenticatingFetcher, requestHelper } = published("testing/fetcher.js");
const sent = [];
const tokens = [];
let stored;
const open = (auth, credentials, answer = () => ({ statusCode: 200, headers: {}, body: "{}" })) => {
  requestHelper.makeRequest = async (request) => { sent.push(request); return answer(request); };
  return new AuthenticatingFetcher((each) => { stored = each; }, auth, ["a.example", "b.example"], credentials, "token");
};
const bearer = { type: coda.AuthenticationType.HeaderBearerToken };
const refuse = () => { throw Object.assign(new Error("401"), { statusCode: 401 }); };
const oauth = { type: coda.AuthenticationType.OAuth2, tokenUrl: "https://a.example/token", nestedResponseKey: "data", credentialsLocation: "AuthorizationHeader" };
const account = { clientId: "id", clientSecret: "secret", accessToken: "old", refreshToken: "kept", endpointUrl: "https://a.example" };
const provide = (answer) => { globalThis.fetch = async (url, { body, headers }) => { tokens.push([String(body), headers.has("authorization")]); return new Response(JSON.stringify(answer), { status: answer.error ? 400 : 200 }); }; };
const get = (fetcher, url, more) => fetcher.fetch({ method: "GET", url, ...more }).catch((error) => String(error.message));
`;

/** Its build, in a folder of its own. `build` gives the text of the bundle and its Pack. */
const BUILDING = `const builtin = (name) => process.getBuiltinModule("node:" + name);
const { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } = builtin("fs");
const { dirname, join } = builtin("path");
const { compilePackBundle } = published("testing/compile.js");
const previous = process.env.TMPDIR;
const folder = mkdtempSync(join(builtin("os").tmpdir(), "published-"));
process.env.TMPDIR = folder;
const build = async (code, { name = "pack.js", files = {}, minify = false } = {}) => {
  for (const [file, text] of Object.entries({ ...files, [name]: code })) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  const { bundlePath } = await compilePackBundle({ manifestPath: join(folder, name), minify });
  const text = readFileSync(bundlePath, "utf8");
  return { text, pack: builtin("module").createRequire(bundlePath)(bundlePath).pack };
};
const close = () => {
  rmSync(folder, { recursive: true, force: true });
  if (previous === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = previous;
};
`;
const building = (body: string): string => `${BUILDING} try { ${body} } finally { close(); }`;

/** What the published package does, by the beginning of the row that says it. */
const STATEMENTS: Readonly<Record<string, { source: string; value: unknown }>> = {
  "Arguments were not checked": {
    source: `${RUNNING} return run("Number", ["text"]);`,
    value: "string",
  },
  "A `null` object became `{}`": { source: `${RUNNING} return run("Nothing");`, value: {} },
  "The properties of a result were renamed": {
    source: `${RUNNING} return run("Keys");`,
    value: { FirstName: "Ada" },
  },
  "`1,,2` for a list of numbers": {
    source: `${RUNNING} return coerceParams(pack.formulas[3], ["1,,2"]);`,
    value: [[1, 0, 2]],
  },
  "`additionalParams` could replace": {
    source: `const { makeAuthorizationUrl } = published("testing/oauth_server.js");
return makeAuthorizationUrl({ authorizationUrl: "https://a.example/", clientId: "id", redirectUri: "http://localhost/", additionalParams: { state: "mine", redirect_uri: "x" }, state: 1 });`,
    value: "https://a.example/?client_id=id&redirect_uri=x&response_type=code&state=mine",
  },
  "Relative OAuth URLs": {
    source: `const { makeAuthorizationUrl } = published("testing/oauth_server.js");
return makeAuthorizationUrl({ authorizationUrl: "/login", clientId: "id", redirectUri: "x", state: 1 }).startsWith("/login?");`,
    value: true,
  },
  "Credentials were sent to every declared domain": {
    source: `${FETCHING} await get(open(bearer, { token: "secret" }), "https://b.example/");
return [sent[0].headers.Authorization, sent[0].followRedirect];`,
    value: ["Bearer secret", true],
  },
  "`http:` was allowed": {
    source: `${FETCHING} await get(open(bearer, { token: "secret" }), "http://a.example/");
return [sent[0].uri, sent[0].headers.Authorization];`,
    value: ["http://a.example/", "Bearer secret"],
  },
  "A credential in the query": {
    source: `${FETCHING} await get(open({ type: coda.AuthenticationType.QueryParamToken, paramName: "key" }, { paramValue: "k" }), "https://a.example/?b=1&b=2");
return sent[0].uri;`,
    value: "https://a.example/?key=k&b=2",
  },
  "The size limit did not apply to JSON": {
    source: `${FETCHING} const rows = ["x".repeat(26 * 1024 * 1024)];
const sizes = [];
for (const body of [rows, rows[0]]) {
  const response = await get(open(bearer, { token: "a" }, () => ({ statusCode: 200, headers: {}, body })), "https://a.example/");
  sizes.push(typeof response === "string" ? "refused" : "accepted");
}
return sizes;`,
    value: ["accepted", "refused"],
  },
  "The Pack could read the token": {
    source: `${FETCHING} const headers = {};
await get(open({ type: coda.AuthenticationType.OAuth2 }, account), "https://a.example/", { headers });
return headers;`,
    value: { Authorization: "Bearer old" },
  },
  "A failed refresh could overwrite": {
    source: `${FETCHING} provide({ error: "invalid_grant" });
await get(open(oauth, account, refuse), "https://a.example/");
return [stored.accessToken ?? "lost", stored.refreshToken];`,
    value: ["lost", "kept"],
  },
  "A refresh ignored `nestedResponseKey`": {
    source: `${FETCHING} provide({ data: { access_token: "new" } });
await get(open(oauth, account, refuse), "https://a.example/");
return [stored.accessToken ?? "lost", stored.endpointUrl ?? "lost"];`,
    value: ["lost", "lost"],
  },
  "`credentialsLocation` was ignored": {
    source: `${FETCHING} provide({ access_token: "new" });
await get(open(oauth, account, refuse), "https://a.example/");
return [tokens[0][0].includes("client_secret=secret"), tokens[0][1]];`,
    value: [true, false],
  },
  "Five parallel 401 responses": {
    source: `${FETCHING} provide({ access_token: "new" });
const fetcher = open(oauth, account, refuse);
await Promise.all([1, 2, 3, 4, 5].map((each) => get(fetcher, "https://a.example/" + each)));
return tokens.length;`,
    value: 5,
  },
  "The definition ran in the host process": {
    source: `${RUNNING} return (await run("Process")) === process.pid;`,
    value: true,
  },
  "`StatusCodeError` lost its fields outside the sandbox": {
    source: `const { StatusCodeError } = published("testing/node_fetcher.js");
return Object.keys(new StatusCodeError(404, { why: "gone" }, {}, {}));`,
    value: ["name", "statusCode", "options", "response"],
  },
  "`build` did not validate": {
    source: building(
      `return (await build("exports.pack = { networkDomains: ['two words'] };")).pack;`,
    ),
    value: { networkDomains: ["two words"] },
  },
  "`build` did not check types": {
    source: building(
      `return (await build("const n: number = 'text'; export const pack = { n };", { name: "pack.ts" })).pack;`,
    ),
    value: { n: "text" },
  },
  "Bundles built from the same source differed": {
    source:
      building(`const make = async () => (await build("exports.pack = {};", { minify: true })).text;
return (await make()) === (await make());`),
    value: false,
  },
  "A missing export failed when the Pack was loaded": {
    source:
      building(`const code = "import * as other from './other'; other.absent(); export const pack = {};";
return await build(code, { files: { "other.js": "exports.present = 1;" } }).catch(String);`),
    value: "TypeError: other.absent is not a function",
  },
  "If the formula of a sync table had no `name`": {
    source: `const { compilePackMetadata } = published("helpers/metadata.js");
const { validatePackVersionMetadata } = published("testing/upload_validation.js");
const judge = async (name) => {
  const pack = coda.newPack();
  pack.addSyncTable({
    name: "Rows", description: "All rows.", identityName: "Row",
    schema: coda.makeObjectSchema({ properties: { id: { type: "string" } }, idProperty: "id", displayProperty: "id" }),
    formula: { ...name, description: "Lists rows.", parameters: [], execute: async () => ({ result: [] }) },
  });
  const metadata = JSON.parse(JSON.stringify(compilePackMetadata(pack)));
  const problems = validatePackVersionMetadata({ ...metadata, version: "1" }).then(() => [], (error) => error.validationErrors);
  return (await problems)[0]?.path ?? "accepted";
};
return [await judge({ name: "SyncRows" }), await judge({})];`,
    value: ["accepted", "syncTables[0].getter.name"],
  },
  "Packages were bundled with their main files": {
    source: building(`const files = {
  "node_modules/two/package.json": JSON.stringify({ main: "main.js", browser: "web.js" }),
  "node_modules/two/main.js": "module.exports = 'main';",
  "node_modules/two/web.js": "module.exports = 'web';",
};
return (await build("exports.pack = { from: require('two') };", { files })).pack;`),
    value: { from: "main" },
  },
  "A package could create a `TextDecoder`": {
    source: building(
      `return (await build("new TextDecoder(); exports.pack = { name: 'built' };")).pack;`,
    ),
    value: { name: "built" },
  },
  "Node modules were replaced by browser versions or by nothing": {
    source:
      building(`const code = "exports.pack = [typeof require('path').join, typeof require('fs').readFileSync];";
return (await build(code)).pack;`),
    value: ["function", "undefined"],
  },
};

/** What the source of a published file has and has not, where running it opens a port or is slow. */
const SOURCES: Readonly<Record<string, { file: string; has: string; hasNot: string }>> = {
  "`useProofKeyForCodeExchange` had no effect": {
    file: "testing/oauth_server.js",
    has: "TODO: Handle PKCE",
    hasNot: "code_verifier",
  },
  "The state of a redirect was not checked": {
    file: "testing/oauth_server.js",
    has: "searchParams.get('code')",
    hasNot: "searchParams.get('state')",
  },
  "The callback server listened on every interface": {
    file: "testing/oauth_server.js",
    has: "app.listen(this._port, launchCallback)",
    hasNot: "127.0.0.1",
  },
  "The provider's error was lost": {
    file: "testing/oauth_server.js",
    has: "Invalid authorization code received",
    hasNot: "get('error')",
  },
  "Tokens were in a plain text file": {
    file: "testing/auth.js",
    has: "'.coda-credentials.json'",
    hasNot: "encrypt",
  },
  "Test helpers could end up in a bundle": {
    file: "testing/compile.js",
    has: "external: ['codaInternal'],",
    hasNot: "development",
  },
};

/**
 * What the sections before the tables say about the published package, by a part of the sentence.
 * Expressions are evaluated with it.
 */
const SENTENCES: Readonly<Record<string, { source: string; value: unknown }>> = {
  '`coda.ValueType.String` is `"string"`': {
    source: `return [coda.ValueType.String, coda.ParameterType.Number, coda.AuthenticationType.OAuth2];`,
    value: ["string", "number", "OAuth2"],
  },
  "`normalizeSchema`, `normalizeObjectSchema`, `normalizeSchemaKey`, `untransformKeys` and `wrapMetadataFunction`":
    {
      source: `const files = ["schema", "api", "handler_templates"].map((file) => published(file + ".js"));
return ["normalizeSchema", "normalizeObjectSchema", "normalizeSchemaKey", "untransformKeys", "wrapMetadataFunction", "StringHintValueTypes"]
  .map((name) => files.some((file) => file[name] !== undefined));`,
      value: [true, true, true, true, true, true],
    },
  "`crypto`, `stream`, `buffer`, `url`, `util`": {
    source: building(`const names = ["crypto", "stream", "buffer", "url", "util"];
const code = "exports.pack = [" + names.map((name) => "Object.keys(require('" + name + "')).length > 3") + "];";
return (await build(code)).pack;`),
    value: [true, true, true, true, true],
  },
  "Several files, JSON files, packages from npm": {
    source: building(`const files = {
  "data.json": "[1]",
  "other.js": "exports.name = 'other';",
  "node_modules/words/package.json": JSON.stringify({ main: "main.js" }),
  "node_modules/words/main.js": "module.exports = 'words';",
};
const code = "exports.pack = [require('./data.json'), require('./other').name, require('words')];";
return (await build(code, { files })).pack;`),
    value: [[1], "other", "words"],
  },
  "`--fetch`, `--vm`, `--maxRows`, `--dynamicUrl`, `--timerStrategy` and `--outputDir`": {
    source: `const text = process.getBuiltinModule("node:fs").readFileSync(process.argv[2] + "/dist/cli/index.js", "utf8");
return ["fetch", "vm", "maxRows", "dynamicUrl", "timerStrategy", "outputDir"].filter((name) => !new RegExp("^ +" + name + ": ", "m").test(text));`,
    value: [],
  },
  "`export const pack`, `export const manifest`": {
    source: `const text = process.getBuiltinModule("node:fs").readFileSync(process.argv[2] + "/dist/cli/helpers.js", "utf8");
return text.includes("module.pack || module.manifest");`,
    value: true,
  },
  "in your `.coda.json`": {
    source: `const text = process.getBuiltinModule("node:fs").readFileSync(process.argv[2] + "/dist/cli/config_storage.js", "utf8");
return [".coda.json", ".coda-pack.json"].map((name) => text.includes("'" + name + "'"));`,
    value: [true, true],
  },
  "add `sinon` to": {
    source: `const { dependencies } = process.getBuiltinModule("node:module").createRequire(process.argv[2] + "/")("./package.json");
return "sinon" in dependencies;`,
    value: true,
  },
};

const readPublished = (file: string): string =>
  readFileSync(join(publishedModules, "@codahq/packs-sdk/dist", file), "utf8");

describe("docs/migrating.md, accounts, requests, runs and builds", () => {
  it("each statement belongs to a row, and each row has one", () => {
    const sections = ["Connecting accounts", "Requests", "Running formulas", "Building"];
    const rows = differences
      .filter(({ section }) => sections.includes(section))
      .map(({ before }) => before);
    const shown = [...Object.keys(STATEMENTS), ...Object.keys(SOURCES)];
    expect(shown.filter((start) => !rows.some((row) => row.startsWith(start)))).toEqual([]);
    expect(rows.filter((row) => !shown.some((start) => row.startsWith(start)))).toEqual([]);
  });
});

it("docs/migrating.md contains each sentence about the published package", () => {
  const text = page.replaceAll(/\s+/g, " ");
  expect(Object.keys(SENTENCES).filter((part) => !text.includes(part))).toEqual([]);
});

describe.skipIf(!hasPublishedPackage)("what the published package does", () => {
  it.each(chooseCases(Object.entries(SENTENCES), 2))("%s", async (_, { source, value }) => {
    const body = `return (async () => { ${source} })();`;
    const answers = await askPublished({ kind: "evaluate", sources: [body] });
    expect(answers).toEqual([{ value }]);
  });

  it.each(Object.entries(STATEMENTS))("%s", async (_, { source, value }) => {
    const body = `return (async () => { ${source} })();`;
    const answers = await askPublished({ kind: "evaluate", sources: [body] });
    expect(answers).toEqual([{ value }]);
  });

  it.each(Object.entries(SOURCES))("%s", (_, { file, has, hasNot }) => {
    const text = readPublished(file);
    expect(text).toContain(has);
    expect(text).not.toContain(hasNot);
  });

  it("has the commands of the table, and no others", () => {
    const [, table = ""] = page.split("\n## Commands\n");
    const named = [...table.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, cell = ""]) =>
      [...cell.matchAll(/`(?:coda )?([a-zA-Z]+)[^`]*`/g)].map(([, name]) => name),
    );
    const commands = readPublished("cli/index.js").matchAll(/^ +command: '(\w+)/gm);
    expect(named.sort()).toEqual([...commands].map(([, name]) => name).sort());
  });

  it("exports the deprecated names that are values, and has the others in its types", () => {
    const [, table = ""] = page.split("\n## Deprecated names\n");
    const names = [...(table.split("\n## ")[0] ?? "").matchAll(/^\| ([^|]+) \|/gm)].flatMap(
      ([, cell = ""]) => [...cell.matchAll(/`([A-Za-z]+)[^`]*`/g)].map(([, name = ""]) => name),
    );
    const types = ["api", "api_types", "builder", "legacy_exports", "schema", "types"]
      .map((file) => readPublished(`${file}.d.ts`))
      .join("\n");
    expect(names.length).toBeGreaterThan(25);
    const unknown = names.filter((name) => !new RegExp(`\\b${name}\\b`).test(types));
    expect(unknown).toEqual([]);
  });
});
