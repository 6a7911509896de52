import fc from "fast-check";
import { expect, it } from "vitest";
import { isPackError } from "../../../src/errors.ts";
import {
  composeProfiles,
  overlayProfile,
  PROVIDER_PROFILES,
} from "../../../src/provider/profiles/catalogue.ts";
import { startProvider } from "../../../src/provider/provider.ts";
import { clientFields } from "../flow.ts";

const name = fc.constantFrom(...PROVIDER_PROFILES.map((profile) => profile.name));

function contradicts(names: readonly string[]): boolean {
  try {
    composeProfiles(names);
    return false;
  } catch (error) {
    if (isPackError(error, "PROFILE_CONFLICT")) return true;
    throw error;
  }
}

it("composes any two profiles, or names the contradiction, in either order", () => {
  for (const { name: first } of PROVIDER_PROFILES) {
    for (const { name: second } of PROVIDER_PROFILES)
      expect(contradicts([first, second]), `${first}, ${second}`).toBe(
        contradicts([second, first]),
      );
  }
});

it("is the strict provider without any profile, and with the strict one", () => {
  expect([composeProfiles([]).name, composeProfiles(["strict", "array"]).name]).toEqual([
    "strict",
    "array",
  ]);
});

it("never answers 500, whatever profiles are composed", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(name, { minLength: 1, maxLength: 5 }), async (names) => {
      fc.pre(!contradicts(names));
      await using provider = await startProvider({ profiles: names });
      for (const grant_type of ["client_credentials", "refresh_token"]) {
        const body = new URLSearchParams({
          grant_type,
          refresh_token: "made-up",
          ...clientFields(provider),
        });
        const response = await fetch(provider.tokenUrl, {
          method: "POST",
          body,
          redirect: "manual",
        });
        // One profile answers so by design, in words of its own.
        if (response.status === 500) expect(names).toContain("down-with-error");
      }
    }),
    { numRuns: 60 },
  );
});

it("writes an expiry that another profile took away as that one left it", async () => {
  for (const profiles of [
    ["expires-at", "expiry-date"],
    ["expiry-date", "expires-at"],
  ]) {
    await using provider = await startProvider({ profiles });
    const body = new URLSearchParams({
      grant_type: "client_credentials",
      ...clientFields(provider),
    });
    expect((await fetch(provider.tokenUrl, { method: "POST", body })).status, profiles.join()).toBe(
      200,
    );
  }
});

it("lets an added profile win over what is known already, and keeps the rest", () => {
  const known = composeProfiles(["token-header", "basic-only", "comma-scopes", "nested-data"]);
  expect(overlayProfile(known, composeProfiles(["token-query"])).resource).toEqual({
    query: "access_token",
  });
  expect(overlayProfile(known, composeProfiles(["api-host"])).resource).toEqual({
    header: "x-access-token",
    scheme: "",
    shard: "shard-7",
  });
  const other = overlayProfile(known, composeProfiles(["step-up", "resource-root"])).resource;
  expect(other, "the token is still in its header").toMatchObject({
    header: "x-access-token",
    scheme: "",
    metadata: "root",
  });
  const nested = overlayProfile(known, composeProfiles(["nested-user", "body-only"]));
  expect([nested.answer?.container, nested.client?.methods, nested.scope?.delimiter]).toEqual([
    "authed_user",
    ["client_secret_post", "none"],
    ",",
  ]);
});
