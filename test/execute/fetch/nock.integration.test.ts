import nock from "nock";
import { afterAll, expect, it } from "vitest";
import { createHostFetcher } from "../../../src/execute/fetch/fetcher.ts";
import { createRedactor } from "../../../src/shared/redact.ts";

afterAll(() => {
  nock.cleanAll();
  nock.restore();
});

it("a request of a Pack is answered by nock where a test says so, without a name server", async () => {
  // Another test file of this process may have put it aside.
  if (!nock.isActive()) nock.activate();
  nock("https://api.tasks.example", { reqheaders: { accept: "text/csv" } })
    .get("/items?a=1")
    .reply(200, { items: [1] });
  const fetcher = createHostFetcher({
    definition: {
      networkDomains: ["api.tasks.example"],
      formulas: [],
      formats: [],
      syncTables: [],
      skills: [],
    } as never,
    redactor: createRedactor(),
    lookup: () => Promise.reject(new TypeError("not asked")),
    onRequest: () => undefined,
  });
  const request = {
    method: "GET",
    url: "https://api.tasks.example/items?a=1",
    headers: { Accept: "text/csv" },
  };
  expect(await fetcher.fetch(request)).toMatchObject({
    ok: true,
    response: { status: 200, body: { items: [1] } },
  });
});
