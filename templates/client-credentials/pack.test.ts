import { connectPack, executeFormula, startProvider } from "packsmith/testing";
import { expect, it } from "vitest";

it("exchanges client credentials for a token and uses it", async () => {
  await using provider = await startProvider({ scopes: ["profile"] });
  await using account = await connectPack("pack.ts", {
    client: provider,
    routes: { "https://login.api.example": provider.issuer },
  });
  expect(await account.execute("GrantedScopes")).toEqual(["profile"]);
});

it("returns the recorded scopes", async () => {
  expect(
    await executeFormula("pack.ts", "GrantedScopes", [], { replay: "cassettes", strict: true }),
  ).toEqual(["profile"]);
});
