import { expect, it } from "vitest";
import { startTestService } from "../../support.ts";

const origin = "https://app.example";

it("a web page of another origin may send any request of the API, and read the response", async () => {
  await using test = await startTestService();
  const asked = await fetch(`${test.service.url}/docs/${test.service.docId}`, {
    method: "OPTIONS",
    headers: {
      Origin: origin,
      "Access-Control-Request-Method": "PATCH",
      "Access-Control-Request-Headers": "authorization,content-type",
    },
  });
  expect([asked.status, Object.fromEntries(asked.headers)]).toMatchObject([
    204,
    {
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE",
      "access-control-allow-headers": "authorization,content-type",
    },
  ]);
  const { status, headers } = await test.send("/whoami", { headers: { Origin: origin } });
  expect([status, headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
  expect(headers.get("access-control-expose-headers")).toBe("Retry-After, X-Request-Id");
  expect(headers.get("access-control-allow-credentials")).toBeNull();
});

it("a web page may not use the control plane, and reads nothing next to the API", async () => {
  await using test = await startTestService();
  const { status, headers } = await fetch(`${test.service.controlUrl}/clock`, {
    headers: { Origin: origin },
  });
  expect([status, headers.get("access-control-allow-origin")]).toEqual([403, null]);
  const description = await fetch(new URL("/openapi.json", test.service.url), {
    headers: { Origin: origin },
  });
  expect(description.headers.get("access-control-allow-origin")).toBeNull();
});

it("a program gets no such headers, and OPTIONS is not a method of the API", async () => {
  await using test = await startTestService();
  const { status, headers } = await test.send("/whoami");
  expect([status, headers.get("access-control-allow-origin")]).toEqual([200, null]);
  expect((await test.send("/whoami", { method: "OPTIONS" })).status).toBe(404);
});
