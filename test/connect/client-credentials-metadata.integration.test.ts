import { expect, it } from "vitest";
import { runCli } from "../support/cli-in-process.ts";
import { makeProject } from "../support/project.ts";
import { startTokenServer } from "../support/token-server.ts";

const ISSUER = "https://login.tasks.example";

/** A server whose metadata says what a definition of client credentials leaves out. */
async function startMachineServer(metadata: object) {
  const server = await startTokenServer(({ url, headers }) => {
    const { pathname } = new URL(url, ISSUER);
    if (pathname === "/.well-known/oauth-authorization-server")
      return { body: { issuer: ISSUER, token_endpoint: `${ISSUER}/t`, ...metadata } };
    if (pathname.startsWith("/.well-known/")) return { status: 404 };
    if (pathname === "/r") return { status: 200 };
    if (headers.authorization === undefined)
      return { status: 401, body: { error: "invalid_client" } };
    const token_type = headers["dpop"] === undefined ? "Bearer" : "DPoP";
    return { body: { access_token: "machine-token-0123", token_type, expires_in: 3_600 } };
  });
  const project = makeProject({
    "package.json": "{}",
    "pack.ts": `import { newPack } from "packsmith";
export const pack = newPack().addNetworkDomain("tasks.example").setSystemAuthentication({
  type: "OAuth2ClientCredentials", issuer: "${ISSUER}", tokenUrl: "${ISSUER}/t",
});`,
  });
  const env = {
    PACKSMITH_HOME: `${project.path}/home`,
    PACKSMITH_CLIENT_ID: "client",
    PACKSMITH_CLIENT_SECRET: "planted-secret-0123",
  };
  return {
    asked: (path: string) => server.requests.filter(({ url }) => url === path),
    async auth(verb: string) {
      const words = ["auth", verb, "pack.ts", "--system", "--route", `${ISSUER}=${server.url}`];
      const { code, stdout, stderr } = await runCli(words, { cwd: project.path, env });
      expect(code, stdout + stderr).toBe(0);
      return stdout + stderr;
    },
    async [Symbol.asyncDispose]() {
      project[Symbol.dispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

it("client credentials follow the metadata of their issuer: DPoP, authentication, revocation", async () => {
  await using machine = await startMachineServer({
    dpop_signing_alg_values_supported: ["ES256"],
    token_endpoint_auth_methods_supported: ["client_secret_basic"],
    revocation_endpoint: `${ISSUER}/r`,
  });
  const said = await machine.auth("connect");
  expect(machine.asked("/t")).toHaveLength(1);
  expect(machine.asked("/t")[0]?.headers["dpop"]).toBeDefined();
  expect(machine.asked("/t")[0]?.headers.authorization).toMatch(/^Basic /);
  // The metadata has said it: nothing needs to be written into the definition.
  expect(said).not.toContain("credentialsLocation");
  await machine.auth("refresh");
  expect(machine.asked("/t")).toHaveLength(2);
  expect(machine.asked("/t")[1]?.headers["dpop"]).toBeDefined();
  await machine.auth("revoke");
  expect(machine.asked("/r")).toHaveLength(1);
});

it("client credentials connect without metadata, because the definition has the token URL", async () => {
  await using machine = await startMachineServer({ issuer: "https://other.example" });
  const said = await machine.auth("connect");
  expect(machine.asked("/t").map(({ headers }) => headers["dpop"])).toEqual([undefined, undefined]);
  // The first place was refused.
  expect(said).toContain('Set credentialsLocation: "AuthorizationHeader"');
});
