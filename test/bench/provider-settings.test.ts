import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runSimulatedAccount } from "../../src/connect/simulation/simulated-account.ts";
import { simulateDefinition } from "../../src/connect/simulation/simulated-definition.ts";
import { STRICT } from "../../src/provider/profile.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import { measureProviderSettings, type ProviderSettings } from "./provider-settings.ts";

const plain: ProviderSettings = {
  mode: "code",
  authorization_url: "https://login.settings.example/authorize",
  token_url: "https://login.settings.example/token",
  scope_separator: " ",
  client_auth: "body",
  body_format: "form",
  api_base_url: "https://api.settings.example",
};
const { token_url: _, ...withoutTokenUrl } = plain;
/** How a catalogue writes a value that each account has. */
const answer = (name: string) => `${"$"}{connectionConfig.${name}}`;

it.each<[string, ProviderSettings, string | undefined]>([
  ["that follow the specifications", plain, undefined],
  ["that refuse PKCE", { ...plain, pkce: false }, undefined],
  ["that separate scopes by commas", { ...plain, scope_separator: "," }, undefined],
  ["whose token response has the API's address", { ...plain, token_response_extras: ["url"], api_base_url: answer("url") }, undefined],
  ["whose API's address the user enters", { ...plain, api_base_url: `https://${answer("host")}/v1` }, undefined],
  ["without a token URL", withoutTokenUrl, "no token URL"],
  ["whose tokens expire in milliseconds", { ...plain, expires_in_unit: "milliseconds" }, "expiry in milliseconds"],
  [
    "whose API's path needs a member of the token response",
    { ...plain, token_response_extras: ["company"], api_base_url: `https://api.settings.example/${answer("company")}` },
    "calls need a member of the token response that no definition keeps",
  ],
])("the settings of providers %s are counted by what happens", async (_name, settings, reason) => {
  using folder = makeTemporaryFolder();
  const file = join(folder.path, "settings.json");
  writeFileSync(file, JSON.stringify({ providers: { first: settings } }));
  const { completed, reasons } = await measureProviderSettings(file);
  expect({ completed, reasons }).toEqual({ completed: reason === undefined ? 1 : 0, reasons: reason === undefined ? {} : { [reason]: 1 } });
});

it.each([
  ["PKCE", { useProofKeyForCodeExchange: true }, { authorization: { pkce: "refused" } }],
  ["another delimiter of two scopes", { scopes: ["a", "b"], scopeDelimiter: " " }, { scope: { delimiter: "," } }],
] as const)("a simulated server that does not take %s fails a definition that sends it", async (_name, members, quirks) => {
  const domains = ["api.example"];
  const definition = { type: "OAuth2", authorizationUrl: plain.authorization_url, tokenUrl: plain.token_url, ...members } as never;
  expect(await runSimulatedAccount(simulateDefinition(definition, domains), domains, { ...STRICT, ...quirks })).toMatchObject({
    step: "connect",
  });
});
