import * as oauth from "oauth4webapi";
import * as client from "openid-client";
import { expect, it } from "vitest";
import { type LocalProvider, startProvider } from "../../../src/provider/provider.ts";
import {
  createHeadlessClient,
  fill,
  type HeadlessClient,
  readForm,
} from "../../support/headless-client.ts";
import { clientFields, me, post } from "../flow.ts";

const GRANT = "urn:ietf:params:oauth:grant-type:device_code";
interface Device {
  device_code: string;
  user_code: string;
  verification_uri: string;
  verification_uri_complete: string;
}
const begin = async (provider: LocalProvider, fields: Record<string, string> = {}) =>
  (
    await post(provider.deviceAuthorizationUrl, {
      scope: "read",
      ...clientFields(provider),
      ...fields,
    })
  ).body as unknown as Device;
const poll = (provider: LocalProvider, device_code: string) =>
  post(provider.tokenUrl, { grant_type: GRANT, device_code, ...clientFields(provider) });

/** Types a code on the page, signs in and decides. @returns the last page */
async function decide(
  url: string,
  code: string,
  decision: "approve" | "deny",
  browser = createHeadlessClient(),
): Promise<string> {
  const typed = await type(browser, url, code);
  let next = typed.headers.get("location");
  let html = next === null ? await typed.text() : "";
  while (next !== null) {
    const response = await browser.request(new URL(next, url).href);
    html = await response.text();
    const form = readForm(html);
    if (form === undefined) break;
    const sent = await browser.request(new URL(form.action, url).href, {
      method: "POST",
      body: fill(form, { decision }),
    });
    next = sent.headers.get("location");
    if (next === null) html = await sent.text();
  }
  return html;
}

async function type(browser: HeadlessClient, url: string, code: string): Promise<Response> {
  const form = readForm(await (await browser.request(url)).text());
  if (form === undefined) throw new Error("no form");
  const body = fill(form, {});
  body.set("user_code", code);
  return browser.request(new URL(form.action, url).href, { method: "POST", body });
}

it("oauth4webapi walks through the device grant", async () => {
  await using provider = await startProvider();
  const as = {
    issuer: provider.issuer,
    device_authorization_endpoint: provider.deviceAuthorizationUrl,
    token_endpoint: provider.tokenUrl,
  };
  const own = { client_id: provider.clientId };
  const authentication = oauth.ClientSecretPost(provider.clientSecret);
  const insecure = { [oauth.allowInsecureRequests]: true };
  const device = await oauth.processDeviceAuthorizationResponse(
    as,
    own,
    await oauth.deviceAuthorizationRequest(as, own, authentication, { scope: "read" }, insecure),
  );
  expect(device).toMatchObject({
    user_code: expect.stringMatching(/^[B-Z]{4}-[B-Z]{4}$/),
    expires_in: 600,
    interval: 5,
  });
  const ask = async () =>
    oauth.processDeviceCodeResponse(
      as,
      own,
      await oauth.deviceCodeGrantRequest(as, own, authentication, device.device_code, insecure),
    );
  await expect(ask()).rejects.toMatchObject({ error: "authorization_pending" });
  expect(
    await decide(
      device.verification_uri,
      device.user_code.toLowerCase().replace("-", " "),
      "approve",
    ),
  ).toContain("The device is connected");
  const tokens = await ask();
  expect(tokens).toMatchObject({ scope: "read", refresh_token: expect.any(String) });
  expect(await (await me(provider, tokens.access_token)).json()).toMatchObject({
    name: "Local user",
  });
  await expect(ask()).rejects.toMatchObject({ error: "invalid_grant" });
});

it("openid-client polls until the person has decided", async () => {
  await using provider = await startProvider({ deviceIntervalSeconds: 0.01 });
  const config = await client.discovery(
    new URL(provider.issuer),
    provider.clientId,
    provider.clientSecret,
    undefined,
    {
      algorithm: "oauth2",
      execute: [client.allowInsecureRequests],
    },
  );
  const device = await client.initiateDeviceAuthorization(config, { scope: "read" });
  const waiting = client.pollDeviceAuthorizationGrant(config, device);
  await decide(device.verification_uri_complete ?? "", device.user_code, "approve");
  expect((await waiting).scope).toBe("read");
});

it("tells a device that asks too often to slow down, and how it ended", async () => {
  await using provider = await startProvider();
  const device = await begin(provider);
  const error = async () => (await poll(provider, device.device_code)).body.error;
  expect([await error(), await error()]).toEqual(["authorization_pending", "slow_down"]);
  provider.clock.advance(5_000);
  expect(await error()).toBe("slow_down");
  provider.clock.advance(15_000);
  expect(await error()).toBe("authorization_pending");
  expect(await decide(provider.deviceUrl, device.user_code, "deny")).toContain(
    "The device was not connected",
  );
  expect(await error()).toBe("access_denied");
  const late = await begin(provider);
  provider.clock.advance(600_000);
  expect((await poll(provider, late.device_code)).body.error).toBe("expired_token");
  expect(await decide(provider.deviceUrl, late.user_code, "approve")).toContain(
    "No device is waiting for this code",
  );
});

it("fills in the code of the complete link and still asks, naming code and client", async () => {
  await using provider = await startProvider();
  const device = await begin(provider);
  const browser = createHeadlessClient();
  const form = readForm(await (await browser.request(device.verification_uri_complete)).text());
  expect(form?.purpose).toBe("device");
  await decide(provider.deviceUrl, device.user_code, "approve", browser);
  const second = await begin(provider);
  const location =
    (await type(browser, provider.deviceUrl, second.user_code)).headers.get("location") ?? "";
  expect(location).toMatch(/^\/consent/);
  const consent = await (await browser.request(provider.issuer + location)).text();
  expect(consent).toContain(second.user_code);
  expect(consent).toContain("Allow Your Pack?");
});

it("stops a browser that guesses codes, and refuses forged forms", async () => {
  await using provider = await startProvider();
  const device = await begin(provider);
  const browser = createHeadlessClient();
  for (let count = 0; count < 10; count++)
    expect((await type(browser, provider.deviceUrl, "XXXX-XXXX")).status).toBe(400);
  expect((await type(browser, provider.deviceUrl, device.user_code)).status).toBe(429);
  expect(
    (await post(provider.deviceUrl, { user_code: device.user_code }).catch(() => ({ status: 400 })))
      .status,
  ).toBe(400);
});

it("is bound to its client and to clients with the grant", async () => {
  await using provider = await startProvider({
    clients: [
      { clientId: "other", clientSecret: "s-1", grantTypes: [GRANT] },
      { clientId: "without", clientSecret: "s-2" },
    ],
  });
  const device = await begin(provider);
  const foreign = await post(provider.tokenUrl, {
    grant_type: GRANT,
    device_code: device.device_code,
    client_id: "other",
    client_secret: "s-1",
  });
  expect(foreign.body.error).toBe("invalid_grant");
  const without = await post(provider.deviceAuthorizationUrl, {
    client_id: "without",
    client_secret: "s-2",
  });
  expect([without.status, without.body.error]).toEqual([400, "unauthorized_client"]);
  expect((await post(provider.deviceAuthorizationUrl, { client_id: "without" })).status).toBe(401);
});
