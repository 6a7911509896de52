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
