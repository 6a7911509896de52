import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { connectAccount } from "../../src/connect/connect-account.ts";
import { allowHosts } from "../../src/connect/manage-accounts.ts";
import { STRICT } from "../../src/provider/profile.ts";
import { startProvider } from "../../src/provider/provider.ts";
import { createRedactor } from "../../src/shared/redact.ts";
import { makeProject } from "../support/project.ts";

const CODE_FLOW = {
  type: "OAuth2",
  authorizationUrl: "https://login.tasks.example/authorize",
  tokenUrl: "https://login.tasks.example/token",
  useProofKeyForCodeExchange: true,
};
const EXCHANGE = {
  url: "https://evil.example/token",
  grantType: "urn:ietf:params:oauth:grant-type:token-exchange",
  params: {
    subject_token: "{token}",
    subject_token_type: "urn:ietf:params:oauth:token-type:access_token",
  },
};
const FROM_CALLBACK = {
  callbackParams: [
    { name: "accounts-server", as: "server", kind: "origin", domains: ["evil.example"] },
  ],
  tokenUrl: "https://{callback.server}/token",
};
const CREDENTIALS = {
  type: "OAuth2ClientCredentials",
  tokenUrl: "https://login.tasks.example/token",
};

const REGISTERED = {
  grantTypes: [
    "authorization_code" as const,
    "refresh_token" as const,
    "client_credentials" as const,
  ],
  redirectUris: ["http://127.0.0.1/oauth/callback"],
  anyPathBelow: true,
};

/**
 * A connected account, whose definition changes. Two hosts lead to two providers that know the same
 * client.
 */
async function connectFirst(definition: object = CODE_FLOW) {
  const project = makeProject({ "pack.ts": source(definition) });
  const callback = { "accounts-server": "https://evil.example" };
  const client = { clientId: "tasks-client", clientSecret: "planted-secret-1" };
  const clients = [{ ...client, ...REGISTERED }];
  const provider = await startProvider({
    clients,
    profiles: [{ ...STRICT, authorization: { callback } }],
  });
  const other = await startProvider({ clients });
  const options = {
    file: "pack.ts",
    cwd: project.path,
    home: join(project.path, "home"),
    redactor: createRedactor(),
    browser: "headless" as const,
    slot: definition === CREDENTIALS ? ("system" as const) : ("user" as const),
    routes: [
      `https://login.tasks.example=${provider.origin}`,
      `https://evil.example=${other.origin}`,
    ],
  };
  await connectAccount({ ...options, client });
  return {
    options,
    client,
    provider,
    other,
    change: (to: object) => writeFileSync(join(project.path, "pack.ts"), source(to)),
    async [Symbol.asyncDispose]() {
      await provider.close();
      await other.close();
      project[Symbol.dispose]();
    },
  };
}

function source(definition: object): string {
  const type = "authorizationUrl" in definition ? "User" : "System";
  return `import { newPack } from "packsmith";
export const pack = newPack().addNetworkDomain("tasks.example");
pack.set${type}Authentication(${JSON.stringify(definition)});
`;
}

describe("the stored client secret stays with the hosts that the account was connected for", () => {
  it.each([
    ["token URL", { ...CODE_FLOW, tokenUrl: "https://evil.example/token" }],
    [
      "URL of pushed requests",
      { ...CODE_FLOW, pushedAuthorizationUrl: "https://evil.example/par" },
    ],
    ["URL of a second token request", { ...CODE_FLOW, tokenExchange: EXCHANGE }],
  ])(
    "a changed %s gets nothing, and the refusal names the host before the browser opens",
    async (_name, changed) => {
      await using account = await connectFirst();
      account.change(changed);
      const before = account.provider.requests.length;
      await expect(connectAccount(account.options)).rejects.toMatchObject({
        code: "ACCOUNT_HOSTS_CHANGED",
        message: expect.stringContaining("https://evil.example"),
        details: { hosts: ["https://evil.example"] },
        hint: expect.stringContaining("packsmith auth allow-hosts"),
      });
      expect([account.provider.requests.length - before, account.other.requests]).toEqual([0, []]);
    },
  );

  it("a token URL that only the redirect names gets nothing", async () => {
    await using account = await connectFirst();
    account.change({ ...CODE_FLOW, ...FROM_CALLBACK });
    await expect(connectAccount(account.options)).rejects.toMatchObject({
      code: "OAUTH_ISSUER_MISMATCH",
      details: { expected: "evil.example" },
    });
    expect(account.other.requests).toEqual([]);
  });

  it("a changed token URL of client credentials gets nothing, until the host is allowed", async () => {
    await using account = await connectFirst(CREDENTIALS);
    account.change({ ...CREDENTIALS, tokenUrl: "https://evil.example/token" });
    await expect(connectAccount(account.options)).rejects.toMatchObject({
      code: "ACCOUNT_HOSTS_CHANGED",
    });
    expect(account.other.requests).toEqual([]);
    await allowHosts(account.options);
    await expect(connectAccount(account.options)).resolves.toMatchObject({ status: "connected" });
    expect(account.other.requests).toMatchObject([{ path: "/token", status: 200 }]);
  });

  it("a client that is entered again may go to a new host", async () => {
    await using account = await connectFirst(CREDENTIALS);
    account.change({ ...CREDENTIALS, tokenUrl: "https://evil.example/token" });
    await expect(
      connectAccount({ ...account.options, client: account.client }),
    ).resolves.toMatchObject({ status: "connected" });
  });

  it.each([
    ["yes", true, ["connected", "connected"], ["https://evil.example"]],
    [
      "no",
      false,
      ["ACCOUNT_HOSTS_CHANGED", "ACCOUNT_HOSTS_CHANGED"],
      ["https://evil.example", "https://evil.example"],
    ],
  ] as const)(
    "the user is asked, and %s is remembered as far as it was given",
    async (_word, answer, outcomes, questions) => {
      await using account = await connectFirst(CREDENTIALS);
      account.change({ ...CREDENTIALS, tokenUrl: "https://evil.example/token" });
      const asked: string[] = [];
      const confirmSecretHost = async (host: string) => asked.push(host) > 0 && answer;
      const connect = () =>
        connectAccount({ ...account.options, confirmSecretHost }).then(
          ({ status }) => status,
          ({ code }) => code as string,
        );
      expect([await connect(), await connect()]).toEqual(outcomes);
      expect(asked).toEqual(questions);
    },
  );

  it("a secret answer stays with them, too", async () => {
    const secret = { name: "password", label: "Password", kind: "text", secret: true };
    const asks = {
      ...CREDENTIALS,
      connectionVariables: [secret],
      tokenParams: { password: "{password}" },
    };
    await using account = await connectFirst(CREDENTIALS);
    account.change(asks);
    const ask = async () => "planted-password-1";
    await connectAccount({ ...account.options, ask });
    account.change({ ...asks, tokenUrl: "https://evil.example/token" });
    const entered = { ...account.options, client: account.client };
    await expect(connectAccount(entered)).rejects.toMatchObject({ code: "ACCOUNT_HOSTS_CHANGED" });
    expect(account.other.requests).toEqual([]);
  });
});
