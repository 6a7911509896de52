import { executeFormula, executeMetadata, mockFetcher } from "packsmith/testing";
import { expect, it } from "vitest";

const fetcher = mockFetcher({
  "GET https://eu.boards.example/apis/v1/whoami": { status: 401, body: {} },
  "GET https://us.boards.example/apis/v1/whoami": { body: { name: "Ada" } },
  "GET https://us.boards.example/apis/v1/docs": { body: { items: [{ name: "Plans" }] } },
});

it("offers the regions that know the account", async () => {
  expect(
    await executeMetadata("pack.ts", "Auth:postSetup:setEndpoint:region", [], { fetcher }),
  ).toEqual([{ display: "North America", value: "https://us.boards.example/apis/v1" }]);
});

it("sends relative URLs to the endpoint of the account", async () => {
  const endpoint = "https://us.boards.example/apis/v1";
  expect(await executeFormula("pack.ts", "Documents", [], { fetcher, endpoint })).toEqual([
    "Plans",
  ]);
  expect(
    await executeMetadata("pack.ts", "Auth:getConnectionName", [], { fetcher, endpoint }),
  ).toBe("Ada, North America");
});
