import { createHash } from "node:crypto";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as node from "../../src/node.ts";
import { type LocalProvider, startProvider } from "../../src/provider/provider.ts";
import { registryAddress } from "../../src/publish/registry/registry-address.ts";
import { createRegistryClient } from "../../src/publish/registry/registry-client.ts";
import type { LocalService } from "../../src/service/local/service.ts";
import { startService } from "../../src/service/packs/start-service.ts";
import { hello, packSource } from "../publish/registry/registry.ts";
import { OAUTH_PACK } from "../support/account-packs.ts";
import { startCliServer } from "../support/cli.ts";
import { runCli, startCli } from "../support/cli-in-process.ts";
import type { CliRun } from "../support/cli-run.ts";
import {
  builtVerbs,
  compile,
  findNodeFunction,
  readSchema,
  selectVerb,
} from "../support/json-output.ts";
import { makeProject, type ProjectFolder } from "../support/project.ts";

const verbs = await builtVerbs();
/**
 * The commands that printed something here; `runCli` checks each output against the schema of its
 * command.
 */
const seen = new Set<string>();

let service: LocalService;
let provider: LocalProvider;
let project: ProjectFolder;
let env: Record<string, string>;
/** The Pack's API is the provider's page about the user. */
let routed: string;

beforeAll(async () => {
  provider = await startProvider();
  service = await startService({ mutationDelayMs: 0, token: "synthetic-token-0123456789" });
  const { origin } = new URL(provider.tokenUrl);
  routed = `--route https://login.tasks.example=${origin} --route https://tasks.example=${origin}`;
  project = makeProject({
    "pack.ts": packSource(hello(), 'newPack({ version: "1.0.0" })'),
    "later.ts": packSource(hello("Greets you."), 'newPack({ version: "1.0.0" })'),
    "metadata.ts": OAUTH_PACK.replace(
      "  scopes:",
      '  clientMetadataUrl: "https://docs.example/client.json",\n  scopes:',
    ),
    "account.ts": OAUTH_PACK,
    "wrong.ts": packSource(hello("Greets.", "Not a name")),
    "package.json": '{ "name": "greetings", "type": "module" }',
  });
  env = {
    PACKSMITH_HOME: join(project.path, ".home"),
    PACKSMITH_KEY_STORE: "file",
    PACKSMITH_REGISTRY: new URL(service.url).origin,
    PACKSMITH_CLIENT_SECRET: provider.clientSecret,
    DOCS_TOKEN: service.token,
  };
});
afterAll(async () => {
  await provider[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
  project[Symbol.dispose]();
});

/** Runs a command with `--json` that has to succeed. */
async function succeed(
  command: string,
  more: { stdin?: string; code?: number } = {},
): Promise<CliRun> {
  const args = [...command.split(" "), "--json"];
  seen.add((await selectVerb(args))?.name ?? command);
  const run = await runCli(args, { cwd: project.path, env, stdin: more.stdin ?? "" });
  expect
    .soft([command, run.code, run.code === (more.code ?? 0) ? "" : run.stdout + run.stderr])
    .toEqual([command, more.code ?? 0, ""]);
  return run;
}

/** What the page of a registry does when a Pack is written there. */
async function uploadSource(): Promise<void> {
  const registry = registryAddress(new URL(service.url).origin, {}, undefined);
  const client = createRegistryClient({ registry, token: service.token });
  const [text, filename] = [project.read("pack.ts"), "pack.ts"];
  const codeHash = createHash("sha256").update(text).digest("hex");
  const path = { packId: "1001" };
  await client.put(
    await client.call("uploadPackSourceCode", { path, body: { payloadHash: codeHash, filename } }),
    Buffer.from(text),
  );
  await client.call("completePackSourceCode", {
    path: { ...path, packVersion: "1.0.0" },
    body: { filename, codeHash },
  });
}

async function serve(command: string): Promise<void> {
  const args = command.split(" ");
  seen.add((await selectVerb(args))?.name ?? command);
  await using server = await startCliServer(args, { cwd: project.path, env });
  expect(server.facts).toBeTypeOf("object");
}

describe("what commands print with --json", () => {
  it("is as the schema of each command says: checks, builds and help", async () => {
    await succeed("validate pack.ts --no-types");
    await succeed("validate wrong.ts --no-types", { code: 1 });
    await succeed("validate pack.ts --no-types --fix");
    await succeed("build pack.ts --no-types --compare last --why packsmith");
    await succeed("build wrong.ts --no-types", { code: 1 });
    await succeed("execute pack.ts Hello");
    await succeed("execute pack.ts Nothing", { code: 2 });
    await succeed("explain");
    await succeed("explain PARAMETER_ORDER");
    await succeed("explain OAUTH_STATE_MISMATCH");
    await succeed("explain BLOCK_REMOVED");
    await succeed("doctor");
    await succeed("trust");
    await succeed("trust --list");
    await succeed("docs pack.ts");
    await succeed("completion bash");
    await succeed("schema");
    await succeed("schema auth connect");
    await succeed("mcp");
    await succeed("init new-pack");
    await succeed("demo");
  }, 240_000);

  it("is as the schema of each command says: accounts", async () => {
    await succeed(`auth connect account.ts --headless --client-id ${provider.clientId} ${routed}`);
    await succeed("auth list");
    await succeed("auth explain");
    await succeed("auth doctor");
    await succeed("auth allow-hosts account.ts");
    await succeed(`auth refresh account.ts ${routed}`);
    await succeed("auth test account.ts --profile basic-only");
    await succeed("auth test account.ts --profile pkce-plain", { code: 1 });
    await succeed("auth client-metadata metadata.ts");
    await succeed(`auth discover ${provider.issuer}`);
  }, 240_000);

  it("is as the schema of each command says: servers", async () => {
    await serve("service --pack pack.ts");
    await serve("provider");
    await succeed("provider --list-profiles");
    await serve("dev pack.ts --port 0");
    const source = `--from ${service.url} --token-env DOCS_TOKEN`;
    await succeed(`service import ${source}`);
    await succeed(`service types ${source} --doc ${service.docId}`);
  }, 120_000);

  it("is as the schema of each command says: a registry", async () => {
    await succeed("login --token-stdin", { stdin: service.token });
    await succeed("whoami");
    await succeed("create pack.ts");
    await succeed("upload --dry-run --no-types");
    await succeed("upload --no-types --notes First");
    await succeed("versions");
    await succeed("release --no-types --allow-dirty --dry-run --version 1.1.0");
    await succeed("release --no-types --allow-dirty --publish 1.0.0");
    await succeed("releases");
    await succeed("rollback 1.0.0");
    await succeed("diff --live");
    await succeed("diff pack.ts later.ts");
    await succeed("diff pack.ts account.ts", { code: 3 });
    await succeed("link 1001");
    await uploadSource();
    await succeed("clone 1001 copy");
    await succeed("status");
    await succeed("config pull");
    await succeed("config plan");
    await succeed("config apply");
    await succeed("config submit");
    await succeed("config withdraw");
    const { loginId } = (await succeed("whoami")).json() as { loginId: string };
    await succeed(`config invite ${loginId}`);
    await succeed(`config uninvite ${loginId}`);
    await succeed("config invitations");
    await succeed(`config invite ${loginId} --access edit`);
    await succeed("config accept 1001");
    await succeed("config leave 1001");
    await succeed(`config invite ${loginId}`);
    await succeed("config decline 1001");
    await succeed(`logs --doc ${service.docId}`);
    await succeed("oauth-config push account.ts");
    await succeed(`auth revoke account.ts ${routed}`);
    await succeed("logout");
  }, 240_000);

  it("covers every command", () => {
    expect(verbs.map(({ name }) => name).filter((name) => !seen.has(name))).toEqual([]);
  });

  it.each(verbs)("is as the schema of $name says when the command line is wrong", async (verb) => {
    const cli = startCli([...verb.name.split(" "), "--no-such-option", "--json"], { cwd: "/" });
    expect(await cli.ended).toBe(2);
    const validate = compile(await readSchema(verb));
    expect([validate(JSON.parse(cli.stdout())), validate.errors]).toEqual([true, null]);
    expect(validate({})).toBe(false);
  });

  it("always says with ok whether it succeeded, except for documents that are for other programs", async () => {
    const without: string[] = [];
    for (const verb of verbs) if (!allHaveOk(await readSchema(verb))) without.push(verb.name);
    expect(without).toEqual(["auth client-metadata", "schema"]);
  });

  it("is what a function of packsmith/node gives, where the command names one", async () => {
    const named = await Promise.all(verbs.map(({ command }) => findNodeFunction(command)));
    const functions = named.filter((name) => name !== undefined);
    expect(functions.length).toBeGreaterThan(10);
    expect(
      functions.filter((name) => typeof (node as Record<string, unknown>)[name] !== "function"),
    ).toEqual([]);
  });
});

type JsonSchema = { required?: string[]; anyOf?: JsonSchema[]; oneOf?: JsonSchema[] };

function allHaveOk({ required, anyOf, oneOf }: JsonSchema): boolean {
  const kinds = anyOf ?? oneOf;
  return kinds === undefined ? required?.includes("ok") === true : kinds.every(allHaveOk);
}
