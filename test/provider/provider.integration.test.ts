import { request as httpRequest } from "node:http";
import { expect, it } from "vitest";
import { isPackError } from "../../src/errors.ts";
import { startProvider } from "../../src/provider/provider.ts";
import { clientFields, connect, post } from "./flow.ts";

const json = (body: unknown, headers: Record<string, string> = {}) => ({
  method: "POST",
  body: JSON.stringify(body),
  headers: { "content-type": "application/json", ...headers },
});

function statusWithHost(url: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    httpRequest(url, { headers: { host } }, (response) => resolve(response.resume().statusCode))
      .on("error", reject)
      .end();
  });
}

it("fails with PORT_IN_USE when the port is taken", async () => {
  await using provider = await startProvider();
  const port = Number(new URL(provider.issuer).port);
  const error = await startProvider({ port }).catch((reason: unknown) => reason);
  expect(isPackError(error, "PORT_IN_USE") && error.details).toEqual({ port, host: "127.0.0.1" });
});

it("answers nothing more once it is closed", async () => {
  const provider = await startProvider();
  await provider.close();
  await provider.close();
  await expect(fetch(provider.meUrl)).rejects.toThrow();
});

// docs/rules.md: rule 4
it("the local provider answers 421 to another Host and records nothing", async () => {
  await using provider = await startProvider();
  const { port } = new URL(provider.issuer);
  for (const host of ["evil.example", `evil.example:${port}`, `localhost:${port}`, "127.0.0.1"])
    expect(await statusWithHost(provider.meUrl, host)).toBe(421);
  expect(await statusWithHost(provider.meUrl, `127.0.0.1:${port}`)).toBe(401);
  expect(provider.requests).toHaveLength(1);
});

it("records requests without their secrets, with the client authentication and the status", async () => {
  await using provider = await startProvider();
  const { access_token, refresh_token } = await connect(provider);
  const token = provider.requests.find(({ path }) => path === "/token");
  expect(token).toMatchObject({
    method: "POST",
    clientAuthentication: "client_secret_post",
    status: 200,
  });
  expect(token?.parameters).toMatchObject({
    grant_type: "authorization_code",
    code: "••••",
    client_secret: "••••",
    code_verifier: "••••",
  });
  const text = JSON.stringify(provider.requests);
  for (const secret of [access_token, refresh_token, provider.clientSecret])
    expect(text).not.toContain(secret);
  expect(provider.findSecretInUrls()).toEqual([]);
});

// docs/rules.md: rule 10
it("the local provider finds secrets in URLs by name and by value", async () => {
  await using provider = await startProvider();
  const { access_token } = await connect(provider);
  for (const tail of [`?x=${access_token}`, `?client_secret=other`, `/${provider.clientSecret}`])
    await fetch(provider.meUrl + tail);
  expect(provider.findSecretInUrls().map(({ secretsInUrl }) => secretsInUrl)).toEqual([
    ["x"],
    ["client_secret"],
    ["path"],
  ]);
  expect(JSON.stringify(provider.requests)).not.toContain(access_token);
  expect(JSON.stringify(provider.requests)).not.toContain(provider.clientSecret);
});

it("is controlled over HTTP: clock, faults, journal, reset", async () => {
  await using provider = await startProvider({ now: () => 1_000 });
  expect(
    await (await fetch(`${provider.controlUrl}/clock`, json({ advanceMs: 500 }))).json(),
  ).toEqual({ nowMs: 1_500 });
  expect(provider.clock.now()).toBe(1_500);
  await fetch(
    `${provider.controlUrl}/faults`,
    json({ faults: [{ kind: "response", status: 500, body: {} }] }),
  );
  expect((await post(provider.tokenUrl, clientFields(provider))).status).toBe(500);
  const { requests } = (await (await fetch(`${provider.controlUrl}/requests`)).json()) as {
    requests: unknown[];
  };
  expect(requests).toHaveLength(1);
  expect((await fetch(`${provider.controlUrl}/reset`, json({}))).status).toBe(204);
  expect([provider.requests.length, provider.clock.now()]).toEqual([0, 1_000]);
});

it("is controlled only by who knows the key of this start", async () => {
  await using provider = await startProvider();
  await using other = await startProvider();
  const { pathname } = new URL(other.controlUrl);
  for (const path of ["/__provider", "/__provider/guess", pathname])
    for (const rest of ["", "/requests", "/clock"])
      expect((await fetch(`${provider.issuer}${path}${rest}`)).status).toBe(403);
  const guess = `${provider.issuer}/__provider/guess/clock`;
  expect((await fetch(guess, json({ advanceMs: 500 }))).status).toBe(403);
});

it("refuses control from web pages and malformed control requests", async () => {
  await using provider = await startProvider();
  const clock = `${provider.controlUrl}/clock`;
  expect((await fetch(clock, json({ advanceMs: 1 }, { origin: provider.issuer }))).status).toBe(
    403,
  );
  expect((await fetch(clock, { method: "POST", body: "advanceMs=1" })).status).toBe(415);
  for (const body of [{}, { advanceMs: -1 }, { advanceMs: "1" }, null, []])
    expect((await fetch(clock, json(body))).status).toBe(400);
  for (const faults of [
    undefined,
    {},
    [null],
    [{ kind: "?" }],
    [{ kind: "response" }],
    [{ kind: "response", status: 1e9 }],
    [{ kind: "delay", delayMs: "1" }],
    [{ kind: "response", status: 200, headers: { a: "b\r\nc: d" } }],
    [{ kind: "redirect", location: "a\nb" }],
  ]) {
    expect((await fetch(`${provider.controlUrl}/faults`, json({ faults }))).status).toBe(400);
  }
  await using closed = await startProvider({ control: false });
  expect((await fetch(`${closed.controlUrl}/clock`)).status).toBe(404);
});

it("draws every identifier from the injected random source", async () => {
  let count = 0;
  const random = (bytes: number) => new Uint8Array(bytes).fill(++count);
  await using provider = await startProvider({ random });
  expect(provider.clientSecret).toBe(Buffer.alloc(32, 1).toString("base64url"));
});
