import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startProvider } from "../../../src/provider/provider.ts";
import { runCli } from "../../support/cli-in-process.ts";
import { makeProject } from "../../support/project.ts";

const DOCUMENT_URL = "https://packs.example/tasks.json";

function packWith(definition: object): string {
  return `import { newPack } from "packsmith";
export const pack = newPack().addNetworkDomain("tasks.example").setUserAuthentication(${JSON.stringify(definition)});
`;
}

const DEFINITION = {
  type: "OAuth2",
  authorizationUrl: "https://login.tasks.example/authorize",
  tokenUrl: "https://login.tasks.example/token",
  scopes: ["tasks.read", "tasks.write"],
  clientMetadataUrl: DOCUMENT_URL,
  useProofKeyForCodeExchange: true,
};

describe("auth client-metadata", () => {
  it("prints the document of a Pack, and nothing else on stdout", async () => {
    using project = makeProject({ "tasks.ts": packWith(DEFINITION) });
    const run = await runCli(["auth", "client-metadata", "tasks.ts"], { cwd: project.path });
    expect([run.code, run.stderr]).toEqual([0, ""]);
    expect(JSON.parse(run.stdout)).toEqual({
      client_id: DOCUMENT_URL,
      client_name: "tasks",
      redirect_uris: [
        expect.stringMatching(/^http:\/\/127\.0\.0\.1\/oauth\/callback\/tasks-[\w-]{16}$/),
      ],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
      application_type: "native",
      scope: "tasks.read tasks.write",
    });
  });

  it.each<[string, object, string[], string]>([
    [
      "that of a tunnel",
      {},
      ["--redirect-uri", "https://tunnel.example/cb"],
      "https://tunnel.example/cb",
    ],
  ])("the redirect URI is %s", async (_name, members, flags, redirectUri) => {
    using project = makeProject({ "tasks.ts": packWith({ ...DEFINITION, ...members }) });
    const run = await runCli(["auth", "client-metadata", "tasks.ts", "--json", ...flags], {
      cwd: project.path,
    });
    expect(run.json()).toMatchObject({ redirect_uris: [redirectUri] });
  });

  it.each<[string, object, string[], string]>([
    [
      "a Pack without clientMetadataUrl",
      { ...DEFINITION, clientMetadataUrl: undefined },
      [],
      "clientMetadataUrl",
    ],
    [
      "a redirect URI that is not a valid URL",
      DEFINITION,
      ["--redirect-uri", "nonsense"],
      "--redirect-uri",
    ],
  ])("refuses %s with what to do", async (_name, definition, flags, word) => {
    using project = makeProject({ "tasks.ts": packWith(definition) });
    const run = await runCli(["auth", "client-metadata", "tasks.ts", "--json", ...flags], {
      cwd: project.path,
    });
    expect([run.code, run.json()]).toEqual([
      2,
      {
        ok: false,
        error: expect.objectContaining({
          code: "USAGE_INVALID",
          message: expect.stringContaining(word),
          hint: expect.any(String),
        }),
      },
    ]);
  });

  it("a provider that gets the printed document connects the Pack without a client ID", async () => {
    using project = makeProject({ "tasks.ts": packWith(DEFINITION) });
    const env = { PACKSMITH_HOME: join(project.path, "home") };
    const printed = await runCli(["auth", "client-metadata", "tasks.ts"], { cwd: project.path });
    const clientDocuments = { [DOCUMENT_URL]: JSON.parse(printed.stdout) as object };
    await using provider = await startProvider({ clientDocuments });
    const route = `https://login.tasks.example=${provider.origin}`;
    const run = await runCli(
      ["auth", "connect", "tasks.ts", "--headless", "--json", "--route", route],
      { cwd: project.path, env },
    );
    expect([run.code, run.json()]).toMatchObject([
      0,
      { account: { status: "connected", scopes: ["tasks.read", "tasks.write"] } },
    ]);
  });
});
