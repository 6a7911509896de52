import { expect, it } from "vitest";
import { runCli, startCliServer } from "../../support/cli.ts";

interface Facts {
  tokenUrl: string;
  clientId: string;
  clientSecret: string;
}

it("lists the profiles and what each imitates", async () => {
  const run = await runCli(["provider", "--list-profiles"]);
  expect(run.code).toBe(0);
  expect(run.stdout).toMatch(/^strict +follows the specifications in every point\n/);
  expect(run.stdout).toMatch(/^nested-data +nests its tokens: data$/m);
  const document = (await runCli(["provider", "--list-profiles", "--json"])).json<{ profiles: object[] }>();
  expect(document.profiles).toContainEqual({
    name: "nested-data",
    summary: "nests its tokens: data",
    needs: { nestedResponseKey: "data" },
  });
});

it("serves with the profiles that it is given", async () => {
  await using provider = await startCliServer<Facts>(["provider", "--profile", "nested-data", "--profile", "expiry-text"]);
  const { tokenUrl, clientId, clientSecret } = provider.facts;
  const body = new URLSearchParams({ grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret });
  expect(await (await fetch(tokenUrl, { method: "POST", body })).json()).toMatchObject({ code: 0, data: { expires_in: "3600" } });
});

it.each([
  [["--profile", "nonsense"], "PROFILE_UNKNOWN"],
  [["--profile", "nested-data", "--profile", "nested-user"], "PROFILE_CONFLICT"],
])("refuses %j with %s", async (flags, code) => {
  const run = await runCli(["provider", ...flags, "--json"]);
  expect([run.code, run.json()]).toEqual([2, { ok: false, error: expect.objectContaining({ code }) }]);
});
