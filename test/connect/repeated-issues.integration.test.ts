import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { connectAccount } from "../../src/connect/connect-account.ts";
import { keepMetadata, readKeptMetadata } from "../../src/connect/kept-metadata.ts";
import { startProvider } from "../../src/provider/provider.ts";
import { createRedactor } from "../../src/shared/redact.ts";
import { runCli } from "../support/cli-in-process.ts";
import { makeProject, type ProjectFolder } from "../support/project.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const ISSUER = "https://login.tasks.example";
const PACK = `import { AuthenticationType, newPack } from "packsmith";
export const pack = newPack();
pack.addNetworkDomain("tasks.example");
pack.setUserAuthentication({
  type: AuthenticationType.OAuth2,
  issuer: "${ISSUER}",
  authorizationUrl: "${ISSUER}/authorize",
  tokenUrl: "${ISSUER}/token",
});
`;
const WARNINGS = [
  { path: "defaultAuthentication.authorizationUrl", line: 7, column: 3 },
  { path: "defaultAuthentication.tokenUrl", line: 8, column: 3 },
].map((place) => ({
  code: "AUTH_MEMBER_REPEATED",
  severity: "warning",
  file: "pack.ts",
  ...place,
}));

const makePack = (text = PACK) => makeProject({ "package.json": "{}", "pack.ts": text });
const run = (project: ProjectFolder, words: readonly string[]) =>
  runCli([...words], { cwd: project.path, env: { PACKSMITH_HOME: `${project.path}/home` } });
const validate = (project: ProjectFolder) => run(project, ["validate", "--no-types", "--json"]);
const connect = (project: ProjectFolder, origin: string, more: object = {}) =>
  connectAccount({
    file: "pack.ts",
    cwd: project.path,
    home: `${project.path}/home`,
    routes: [`${ISSUER}=${origin}`],
    browser: "headless",
    redactor: createRedactor(),
    ...more,
  });

it("validate warns of members that only repeat the metadata, after a connection has read it", async () => {
  await using provider = await startProvider({ issuer: ISSUER });
  using project = makePack();
  expect((await validate(project)).json()).toMatchObject({ ok: true, issues: [] });
  const { clientId, clientSecret, origin } = provider;
  await connect(project, origin, { client: { clientId, clientSecret } });
  const result = await validate(project);
  expect(result.code).toBe(0);
  expect(result.json()).toMatchObject({ ok: true, issues: WARNINGS });
  const { stderr, stdout } = await run(project, ["validate", "--no-types"]);
  expect(stdout + stderr).toContain("Remove tokenUrl.");
});

it("validate warns after auth discover has read the metadata", async () => {
  await using provider = await startProvider({ issuer: ISSUER });
  using project = makePack();
  const route = ["--route", `${ISSUER}=${provider.origin}`];
  expect((await run(project, ["auth", "discover", ISSUER, ...route])).code).toBe(0);
  expect((await validate(project)).json()).toMatchObject({ ok: true, issues: WARNINGS });
});

it.each([
  ["another token URL wins over the metadata", [`${ISSUER}/token"`, `${ISSUER}/other"`], 1],
  ["there is no issuer", [`issuer: "${ISSUER}",`, ""], 0],
  ["only the issuer is written", [/ {2}(?:authorization|token)Url: .*\n/g, ""], 0],
  ["PKCE is off", ["tokenUrl:", "useProofKeyForCodeExchange: false, tokenUrl:"], 2],
] as const)("validate lists only what is repeated: %s", async (_, [from, to], count) => {
  await using provider = await startProvider({ issuer: ISSUER });
  using project = makePack(PACK.replaceAll(from, to));
  await run(project, ["auth", "discover", ISSUER, "--route", `${ISSUER}=${provider.origin}`]);
  const { issues } = (await validate(project)).json() as { issues: { code: string }[] };
  expect(issues.filter(({ code }) => code === "AUTH_MEMBER_REPEATED")).toHaveLength(count);
});

it("the metadata of a rehearsal is not compared: it is made from the Pack", async () => {
  await using provider = await startProvider({ issuer: ISSUER });
  using project = makePack();
  const { clientId, clientSecret, origin } = provider;
  const lines: string[] = [];
  await connect(project, origin, {
    client: { clientId, clientSecret },
    pageRoutes: [],
    onProgress: (line: string) => lines.push(line),
  });
  expect(lines.filter((line) => line.includes("the metadata of"))).toEqual([]);
  expect((await validate(project)).json()).toMatchObject({ issues: [] });
});

it("kept metadata is private, and a damaged file counts as none", async () => {
  using folder = makeTemporaryFolder();
  const home = join(folder.path, "home");
  const server = { issuer: ISSUER, tokenUrl: `${ISSUER}/token` } as never;
  await keepMetadata(home, { issuer: ISSUER, server, nowMs: Date.UTC(2026, 0, 31) });
  expect(await readKeptMetadata(home, `${ISSUER}/`)).toMatchObject({ readOn: "2026-01-31" });
  expect(await readKeptMetadata(home, "https://login.other.example")).toBeUndefined();
  const [name = ""] = readdirSync(join(home, "metadata"));
  const file = join(home, "metadata", name);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const text = readFileSync(file, "utf8");
  const damaged = [text.slice(0, 20), "[]", "null", '{"server":{}}', '{"server":[],"readOn":"x"}'];
  for (const damage of [...damaged, '{"readOn":"x","server":{"codeChallengeMethods":7}}']) {
    writeFileSync(file, damage);
    expect(await readKeptMetadata(home, ISSUER), damage).toBeUndefined();
  }
});

it("a home that cannot be written keeps nothing, and fails nothing", async () => {
  using folder = makeTemporaryFolder();
  const home = join(folder.path, "home");
  mkdirSync(home);
  writeFileSync(join(home, "metadata"), "a file");
  await keepMetadata(home, { issuer: ISSUER, server: {} as never, nowMs: 0 });
  expect(await readKeptMetadata(home, ISSUER)).toBeUndefined();
});
