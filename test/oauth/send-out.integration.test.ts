import { expect, it } from "vitest";
import { sendThrough } from "../../src/oauth/send-out.ts";
import { startTokenServer } from "../support/token-server.ts";

it("a redirect is answered, and not followed with the credentials of the request", async () => {
  await using server = await startTokenServer(({ url }) =>
    url === "/token" ? { status: 307, headers: { location: "/elsewhere" } } : { body: {} },
  );
  const response = await sendThrough(fetch, `${server.url}/token`, {
    method: "POST",
    headers: { authorization: "Basic cGxhbnRlZA==" },
    body: "a=b",
    signal: AbortSignal.timeout(60_000),
  });
  expect(response.status).toBe(307);
  expect(server.requests.map(({ url }) => url)).toEqual(["/token"]);
});

// docs/rules.md: rule 19
it("private addresses are refused in proxy mode too, before anything is sent", async () => {
  const sent: unknown[] = [];
  const send = async (url: unknown) => {
    sent.push(url);
    return new Response();
  };
  const request = {
    method: "GET",
    headers: {},
    body: null,
    signal: AbortSignal.timeout(60_000),
    publicOnly: async () => ["10.0.0.1"],
  };
  await expect(
    sendThrough(send as typeof fetch, "https://inward.example/", request),
  ).rejects.toMatchObject({ code: "URL_NOT_ALLOWED" });
  expect(sent).toEqual([]);
});
