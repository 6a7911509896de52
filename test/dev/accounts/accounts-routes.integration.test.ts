import { once } from "node:events";
import { chmodSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, vi } from "vitest";
import { openVault } from "../../../src/accounts/vault.ts";
import { walkHeadless } from "../../../src/connect/headless-browser.ts";
import type {
  AccountsView,
  AccountView,
  FlowState,
  FlowView,
  SlotView,
} from "../../../src/dev/wire/accounts.ts";
import type { McpToolsView } from "../../../src/dev/wire/mcp.ts";
import { KEY_PACK, OAUTH_PACK } from "../../support/account-packs.ts";
import { summaryKey } from "../../support/accounts.ts";
import { isLong } from "../../support/breadth.ts";
import { type DevProject, startDevProject } from "../../support/dev.ts";

const LOCAL = {
  slot: "user",
  account: "default",
  local: { profile: "strict", tokenSeconds: 3_600 },
};

async function accounts(dev: DevProject): Promise<AccountsView> {
  return (await (await dev.get("/api/accounts")).json()) as AccountsView;
}

async function findSlot(dev: DevProject, slot = "user"): Promise<SlotView> {
  const found = (await accounts(dev)).slots.find((candidate) => candidate.slot === slot);
  if (found === undefined) throw new Error(`The Pack has no ${slot} account.`);
  return found;
}

async function begin(dev: DevProject, request: object): Promise<FlowView> {
  const response = await dev.post("/api/accounts/connect", request);
  expect(response.status).toBe(200);
  return (await response.json()) as FlowView;
}

function reach(dev: DevProject, { id }: FlowView, ...states: FlowState[]): Promise<FlowView> {
  return vi.waitFor(
    async () => {
      const flow = (await (await dev.get(`/api/flows/${id}`)).json()) as FlowView;
      if (!states.includes(flow.state))
        throw new Error(`It is ${flow.state}: ${flow.failure?.message ?? ""}`);
      return flow;
    },
    { timeout: 60_000, interval: 20 },
  );
}

async function connectLocally(dev: DevProject, request: object = LOCAL): Promise<FlowView> {
  const flow = await reach(dev, await begin(dev, request), "waiting");
  await walkHeadless(flow.startUrl ?? "");
  return await reach(dev, flow, "connected", "failed");
}

describe("the routes of the accounts", () => {
  it.runIf(isLong)(
    "name what the page offers if the provider has no endpoint for devices, not options of the command line",
    async () => {
      const metadata = createServer((request, response) => {
        const issuer = `http://${request.headers.host}`;
        response.setHeader("Content-Type", "application/json");
        response.end(
          JSON.stringify({
            issuer,
            authorization_endpoint: `${issuer}/authorize`,
            token_endpoint: `${issuer}/token`,
          }),
        );
      }).listen(0, "127.0.0.1");
      await once(metadata, "listening");
      const issuer = `http://127.0.0.1:${(metadata.address() as AddressInfo).port}`;
      await using dev = await startDevProject({
        "pack.ts": `import { newPack } from "packsmith";
export const pack = newPack({ networkDomains: ["tasks.example"] });
pack.setUserAuthentication({ type: "OAuth2", issuer: "${issuer}" });
`,
      });
      const flow = await begin(dev, {
        slot: "user",
        account: "default",
        clientId: "pack",
        clientSecret: "s",
        approval: "device",
      });
      const { failure } = await reach(dev, flow, "failed");
      metadata.close();
      expect(failure).toMatchObject({
        code: "OAUTH_URL_MISSING",
        hint: expect.stringContaining('choose "in this browser"'),
      });
      expect(failure?.hint).not.toContain("--");
    },
  );

  it.runIf(isLong)(
    "give hints that fit the page, without options of the command line, when something is missing or wrong",
    async () => {
      await using dev = await startDevProject({
        "pack.ts": `import { newPack } from "packsmith";
export const pack = newPack({ networkDomains: ["tasks.example"] });
const urls = { type: "OAuth2", authorizationUrl: "https://tasks.example/authorize", tokenUrl: "https://tasks.example/token" } as const;
pack.setUserAuthentication(urls);
pack.setSystemAuthentication({ type: "OAuth2ClientCredentials", tokenUrl: urls.tokenUrl, clientAuthentication: "private_key_jwt" });
pack.addAdminAuthentication({
  name: "Tenant", displayName: "Tenant", description: "Tenant.",
  authentication: { ...urls, connectionVariables: [{ kind: "text", name: "tenant", label: "Tenant" }], tokenParams: { tenant: "{tenant}" } },
});
`,
      });
      const client = { account: "default", clientId: "pack", clientSecret: "s" };
      const catchFailure = async (request: object) => {
        const { failure } = await reach(
          dev,
          await begin(dev, { slot: "user", ...client, ...request }),
          "failed",
        );
        expect(failure?.hint).not.toMatch(/--[a-z]|auth connect|PACKSMITH_/);
        return failure;
      };
      expect(await catchFailure({ clientId: "", clientSecret: "" })).toMatchObject({
        code: "OAUTH_CLIENT_MISSING",
        hint: expect.stringMatching(/^Connect again\. Enter the client ID/),
      });
      expect(await catchFailure({ slot: "system", clientSecret: "" })).toMatchObject({
        code: "OAUTH_CLIENT_MISSING",
        hint: expect.stringContaining("key"),
      });
      expect(await catchFailure({ slot: "admin:Tenant" })).toMatchObject({
        code: "CONNECTION_VARIABLE_MISSING",
        hint: "Connect again, and fill in tenant.",
      });
      expect(await catchFailure({ redirect: { path: "nowhere" } })).toMatchObject({
        code: "USAGE_INVALID",
        hint: expect.stringContaining("/oauth/callback"),
      });
      expect(
        await catchFailure({ login: { maxAgeSeconds: 60 }, approval: "device" }),
      ).toMatchObject({
        code: "USAGE_INVALID",
        hint: expect.stringContaining("in a browser"),
      });
    },
  );

  it("describe what each type of account is connected with", async () => {
    await using dev = await startDevProject({
      "pack.ts": `import * as sdk from "packsmith";
export const pack = sdk.newPack();
pack.addNetworkDomain("a.example");
pack.setUserAuthentication({
  type: sdk.AuthenticationType.OAuth2ClientCredentials, tokenUrl: "https://a.example/token", clientAuthentication: "private_key_jwt",
  connectionVariables: [
    { kind: "choice", name: "region", label: "Region", options: [{ value: "eu", label: "Europe" }], default: "eu" },
    { kind: "text", name: "pin", label: "PIN", secret: true, optional: true },
  ],
  tokenParams: { region: "{region}", pin: "{pin}" },
});
pack.setSystemAuthentication({ type: sdk.AuthenticationType.MultiHeaderToken, headers: [{ name: "X-One", description: "First key" }, { name: "X-Two", description: "" }] });
pack.addAdminAuthentication({ name: "Billing", displayName: "Billing", description: "Billing.", authentication: { type: sdk.AuthenticationType.AWSAccessKey, service: "s3" } });
`,
    });
    const { slots, profiles } = await accounts(dev);
    expect(
      dev.server.session.state().issues.filter(({ severity }) => severity === "error"),
    ).toEqual([]);
    expect(slots.map(({ slot, kind, type }) => `${slot} ${kind} ${type}`)).toEqual([
      "user credentials OAuth2ClientCredentials",
      "system secrets MultiHeaderToken",
      "admin:Billing secrets AWSAccessKey",
    ]);
    expect(slots[0]).toMatchObject({
      client: { usesKey: true, isOptional: false },
      variables: [
        {
          name: "region",
          initial: "eu",
          options: [{ value: "eu", label: "Europe" }],
          isHidden: false,
        },
        { name: "pin", isHidden: true, isOptional: true },
      ],
    });
    expect(slots[1]?.fields.map(({ label, isHidden }) => [label, isHidden])).toEqual([
      ["First key", true],
      ["X-Two", true],
    ]);
    expect(slots[2]?.fields.map(({ label }) => label)).toEqual([
      "Access key ID",
      "Secret access key",
    ]);
    expect(profiles.length).toBeGreaterThan(40);
  });

  it.runIf(isLong)(
    "connect with a local provider that has a quirk, whatever the definition's origins are",
    async () => {
      await using dev = await startDevProject({ "pack.ts": OAUTH_PACK });
      const flow = await connectLocally(dev, {
        ...LOCAL,
        local: { profile: "basic-only", tokenSeconds: 60 },
      }).catch(() => undefined);
      expect(flow?.failure ?? flow?.state).toBe("connected");
      const {
        local,
        accounts: [account],
      } = await findSlot(dev);
      expect(local).toEqual({
        profile: "basic-only",
        tokenSeconds: 60,
        origins: [
          "https://tasks.example",
          "https://*.tasks.example",
          "https://login.tasks.example",
        ],
      });
      expect(account).toMatchObject({
        name: "default",
        connectionName: "Local user",
        status: "connected",
        local: "running",
        renewable: true,
      });
      // The first place of the credentials was refused, and the refusal is in the diagram.
      expect(
        flow?.messages.map(({ title, isFailed }) => (isFailed ? `! ${title}` : title)),
      ).toContain("! 401 invalid_client");
      expect(dev.server.session.routes().length).toBe(3);
      // What has taken an origin over meanwhile keeps it.
      dev.server.session.setRoute("https://tasks.example", "http://127.0.0.1:9");
      await dev.post("/api/local-provider/stop", { slot: "user" });
      expect(dev.server.session.routes()).toEqual(["https://tasks.example=http://127.0.0.1:9"]);
      expect((await findSlot(dev)).accounts[0]?.local).toBe("ended");
    },
  );

  it.runIf(isLong)(
    "say what another local provider answers to the tokens of the one before",
    async () => {
      await using dev = await startDevProject({ "pack.ts": OAUTH_PACK });
      await connectLocally(dev);
      // Another profile is another provider, which knows no tokens yet.
      const other = await reach(
        dev,
        await begin(dev, {
          ...LOCAL,
          account: "other",
          local: { profile: "basic-only", tokenSeconds: 60 },
        }),
        "waiting",
      );
      await dev.post(`/api/flows/${other.id}/cancel`);
      const refused = await dev.post("/api/accounts/refresh", { slot: "user", account: "default" });
      expect(await refused.json()).toMatchObject({ failure: { code: "OAUTH_TOKEN_REJECTED" } });
    },
  );

  it("mark an account whose refresh token was revoked, and connect it again", async () => {
    await using dev = await startDevProject({ "pack.ts": OAUTH_PACK });
    await connectLocally(dev);
    await using vault = await openVault({ directory: `${dev.project.path}/.home` });
    const [summary] = await vault.list();
    const stored = summary && (await vault.get(summaryKey(summary)));
    if (stored?.tokenSet === undefined) throw new Error("Nothing was stored.");
    await vault.saveTokens(stored.key, { ...stored.tokenSet, refreshToken: "revoked-long-ago" });
    const refused = await dev.post("/api/accounts/refresh", { slot: "user", account: "default" });
    expect(await refused.json()).toMatchObject({ failure: { code: "ACCOUNT_RECONNECT" } });
    expect((await findSlot(dev)).accounts[0]).toMatchObject({
      status: "reconnect",
      reconnectReason: expect.stringContaining("invalid_grant"),
    });
    expect((await connectLocally(dev)).connected).toMatchObject({
      status: "connected",
    } satisfies Partial<AccountView>);
    expect((await findSlot(dev)).accounts[0]?.status).toBe("connected");
  });

  it.runIf(isLong)(
    "count an expired token by the server's clock, and renew it by the next test",
    async () => {
      let aheadMs = 0;
      await using dev = await startDevProject(
        { "pack.ts": OAUTH_PACK },
        { now: () => Date.now() + aheadMs },
      );
      await connectLocally(dev);
      aheadMs = 3_700_000;
      const before = await accounts(dev);
      expect(Date.parse(before.slots[0]?.accounts[0]?.expiresAt ?? "")).toBeLessThan(before.nowMs);
      const tested = await dev.post("/api/accounts/test", { slot: "user", account: "default" });
      expect(await tested.json()).toMatchObject({ label: "Local user", requests: 1 });
      const after = await accounts(dev);
      expect(Date.parse(after.slots[0]?.accounts[0]?.expiresAt ?? "")).toBeGreaterThan(after.nowMs);
      expect(
        dev.server.session.traffic
          .list()
          .map(({ url }) => new URL(url).pathname)
          .slice(-2),
      ).toEqual(["/token", "/me"]);
    },
  );

  it.runIf(isLong)("let the user choose the endpoint when the account is connected", async () => {
    const relative = OAUTH_PACK.replaceAll("https://login.tasks.example/", "/");
    await using dev = await startDevProject({
      "pack.ts": relative.replace(
        "useProofKeyForCodeExchange: true,",
        `useProofKeyForCodeExchange: true,
  requiresEndpointUrl: true, endpointDomain: "tasks.example",
  postSetup: [{ type: sdk.PostSetupType.SetEndpoint, name: "team", description: "Your team", getOptions: async () => [
    { display: "Red", value: "https://red.tasks.example" }, { display: "Blue", value: "https://blue.tasks.example" }] }],`,
      ),
    });
    const started = await reach(dev, await begin(dev, LOCAL), "waiting");
    // The tab does not wait for the choice, which is made on the page.
    await walkHeadless(started.startUrl ?? "");
    const choosing = await reach(dev, started, "choosing");
    expect(choosing.choice).toMatchObject({
      step: "team",
      description: "Your team",
      options: [{ display: "Red" }, { display: "Blue" }],
    });
    await dev.post(`/api/flows/${started.id}/choose`, { value: "https://blue.tasks.example" });
    expect((await reach(dev, started, "connected")).connected?.endpoint).toMatch(
      /^https:\/\/blue\.tasks\.example\/?$/,
    );
    expect((await dev.post(`/api/flows/${started.id}/choose`, { value: "x" })).status).toBe(400);

    // Who gives up instead leaves nothing behind.
    const second = await reach(dev, await begin(dev, { ...LOCAL, account: "second" }), "waiting");
    await walkHeadless(second.startUrl ?? "");
    await reach(dev, second, "choosing");
    await dev.post(`/api/flows/${second.id}/cancel`);
    await expect
      .poll(async () => (await findSlot(dev)).accounts.map(({ name }) => name))
      .toEqual(["default"]);
    // One that still waits ends with the server.
    await reach(dev, await begin(dev, { ...LOCAL, account: "third" }), "waiting");
  });

  it.runIf(isLong)(
    "end a connection that was cancelled or replaced by another one, and close its listener",
    async () => {
      await using dev = await startDevProject({ "pack.ts": OAUTH_PACK });
      const first = await reach(dev, await begin(dev, LOCAL), "waiting");
      const second = await reach(dev, await begin(dev, LOCAL), "waiting");
      expect((await reach(dev, first, "cancelled")).failure).toBeUndefined();
      await dev.post(`/api/flows/${second.id}/cancel`);
      await reach(dev, second, "cancelled");
      for (const { startUrl = "" } of [first, second])
        await expect(vi.waitFor(() => notListening(startUrl), { timeout: 60_000 })).resolves.toBe(
          true,
        );
      expect((await findSlot(dev)).accounts).toEqual([]);
    },
  );

  it("refuse a local provider for an origin that a route of the command line sends elsewhere", async () => {
    await using dev = await startDevProject(
      { "pack.ts": OAUTH_PACK },
      { routes: ["https://login.tasks.example=http://127.0.0.1:9"] },
    );
    const failed = await reach(dev, await begin(dev, LOCAL), "failed");
    expect(failed.failure).toMatchObject({
      code: "ROUTE_INVALID",
      hint: expect.stringContaining("--route"),
    });
  });

  it.runIf(isLong)(
    "ask for certificate and key where the client has them, and show a certificate to the local provider (RFC 8705)",
    async () => {
      const pack = OAUTH_PACK.replace(
        /tokenUrl: "[^"]+",/,
        '$& clientAuthentication: "tls_client_auth",',
      );
      expect(pack).toContain("tls_client_auth");
      await using dev = await startDevProject({ "pack.ts": pack });
      expect((await findSlot(dev)).client).toEqual({
        usesKey: false,
        usesCertificate: true,
        isOptional: false,
      });
      const flow = await reach(dev, await begin(dev, LOCAL), "waiting");
      const pages: string[] = [];
      await walkHeadless(flow.startUrl ?? "", {
        fetch: async (input, init) => {
          pages.push(new URL(String(input)).protocol);
          return await fetch(input, init);
        },
      });
      const connected = await reach(dev, flow, "connected", "failed");
      expect([connected.state, connected.failure]).toEqual(["connected", undefined]);
      // A browser would warn about the certificate of the port for clients.
      expect(new Set(pages)).toEqual(new Set(["http:"]));
      // The token is used, renewed and revoked on connections that show the certificate.
      expect((await findSlot(dev)).accounts).toMatchObject([
        { connectionName: "Local user", local: "running" },
      ]);
      expect(
        (await dev.post("/api/accounts/refresh", { slot: "user", account: "default" })).status,
      ).toBe(200);
      const gone = await dev.post("/api/accounts/disconnect", {
        slot: "user",
        account: "default",
        revokes: true,
      });
      expect(await gone.json()).toEqual({ revoked: true });
      const exchanges = dev.server.session.traffic
        .list()
        .filter(({ authentication }) => authentication?.startsWith("client: ") === true);
      expect(
        exchanges.map(({ url, status, authentication }) => [
          new URL(url).pathname,
          status,
          authentication,
        ]),
      ).toEqual([
        ["/token", 200, "client: tls_client_auth"],
        ["/token", 200, "client: tls_client_auth"],
        ["/revoke", 200, "client: tls_client_auth"],
      ]);
      await dev.post("/api/local-provider/stop", { slot: "user" });
      expect(dev.server.session.routes()).toEqual([]);
    },
  );

  it.runIf(isLong)(
    "connect a Pack whose MCP server names its authorization server to the local provider, whose tools stand in",
    async () => {
      await using dev = await startDevProject({
        "pack.ts": `import { newPack } from "packsmith";
export const pack = newPack();
pack.addNetworkDomain("tasks.example");
pack.setUserAuthentication({ type: "OAuth2", useDynamicClientRegistration: true, useProofKeyForCodeExchange: true } as never);
pack.addMCPServer({ name: "Tasks", endpointUrl: "https://mcp.tasks.example/mcp" });
`,
      });
      const connected = await connectLocally(dev);
      expect([connected.state, connected.failure]).toEqual(["connected", undefined]);
      const { tools, failure } = (await (await dev.post("/api/mcp/tools")).json()) as McpToolsView;
      expect([tools.map(({ name }) => name), failure]).toEqual([["whoami", "echo"], undefined]);
    },
  );

  it("keep what was entered in the vault, and ask again for what an account needs", async () => {
    await using dev = await startDevProject({ "pack.ts": KEY_PACK });
    const entered = {
      slot: "system",
      account: "default",
      secrets: { username: "robot", password: "planted-password-1" },
    };
    await reach(dev, await begin(dev, entered), "connected");
    const missing = await reach(
      dev,
      await begin(dev, {
        slot: "system",
        account: "second",
        secrets: { password: "planted-password-2" },
      }),
      "failed",
    );
    expect(missing.failure).toMatchObject({ code: "CREDENTIAL_MISSING" });
    const texts = await Promise.all(
      ["/api/accounts", "/api/flows", `/api/flows/${missing.id}`].map(async (path) =>
        (await dev.get(path)).text(),
      ),
    );
    expect(texts.join("\n")).not.toContain("planted");
    expect(
      await (await dev.post("/api/accounts/test", { slot: "system", account: "default" })).json(),
    ).toMatchObject({ requests: 0 });
    const gone = await dev.post("/api/accounts/disconnect", {
      slot: "system",
      account: "default",
      revokes: false,
    });
    expect(await gone.json()).toEqual({ revoked: false });
    expect((await findSlot(dev, "system")).accounts).toEqual([]);
  });

  it.skipIf(process.platform === "win32")(
    "say why the vault does not open, and recover when it does",
    async () => {
      await using dev = await startDevProject({ "pack.ts": KEY_PACK });
      await reach(
        dev,
        await begin(dev, {
          slot: "system",
          account: "default",
          secrets: { username: "robot", password: "planted-3" },
        }),
        "connected",
      );
      const key = `${dev.project.path}/.home/vault.key`;
      const { mode } = statSync(key);
      chmodSync(key, 0o644);
      const locked = await accounts(dev);
      expect(locked.vault).toMatchObject({
        code: "VAULT_PERMISSIONS",
        hint: expect.stringMatching(/\S/),
      });
      // What can be connected is still said.
      expect(locked.slots.map(({ slot }) => slot)).toEqual(["user", "system"]);
      const failed = await reach(
        dev,
        await begin(dev, {
          slot: "system",
          account: "second",
          secrets: { username: "a", password: "planted-4" },
        }),
        "failed",
      );
      expect(failed.failure).toMatchObject({ code: "VAULT_PERMISSIONS" });
      chmodSync(key, mode);
      const opened = await accounts(dev);
      expect(opened.vault).toBeUndefined();
      expect(opened.slots.flatMap((slot) => slot.accounts).map(({ name }) => name)).toEqual([
        "default",
      ]);
    },
  );

  // docs/rules.md: rule 17
  it("change nothing for a request that is not from the page", async () => {
    await using dev = await startDevProject({ "pack.ts": OAUTH_PACK });
    for (const path of ["connect", "refresh", "test", "disconnect"]) {
      const response = await fetch(`${dev.server.origin}/api/accounts/${path}`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          origin: "https://attacker.example",
          "sec-fetch-site": "cross-site",
        },
        body: JSON.stringify(LOCAL),
      });
      expect(response.status).toBe(403);
    }
    expect(await (await dev.get("/api/flows")).json()).toEqual([]);
    for (const body of [
      {},
      { slot: "user" },
      { slot: "nobody", account: "a" },
      { ...LOCAL, secrets: { a: 1 } },
      { ...LOCAL, redirect: { port: 70_000 } },
    ]) {
      expect((await dev.post("/api/accounts/connect", body)).status).toBe(400);
    }
  });
});

async function notListening(url: string): Promise<true> {
  await fetch(url).then(
    () => {
      throw new Error("The listener is still open.");
    },
    () => undefined,
  );
  return true;
}
