import { connectPack, executeFormula, startProvider } from "packsmith/testing";
import { expect, it } from "vitest";

it("connects with OAuth2 and PKCE, and returns the user's name", async () => {
  await using provider = await startProvider({ scopes: ["profile"] });
  await using account = await connectPack("pack.ts", {
    client: provider,
    routes: { "https://login.api.example": provider.issuer },
  });
  expect(await account.execute("MyName")).toBe(account.connectionName);
});

it("returns the recorded name", async () => {
  expect(await executeFormula("pack.ts", "MyName", [], { replay: "cassettes", strict: true })).toBe(
    "Local user",
  );
});
