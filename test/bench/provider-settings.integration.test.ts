import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runSimulatedAccount } from "../../src/connect/simulation/simulated-account.ts";
import { simulateDefinition } from "../../src/connect/simulation/simulated-definition.ts";
import { type ProviderProfile, STRICT } from "../../src/provider/profile.ts";
import type { ProviderSettings } from "../catalogue/provider-settings.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import { measureProviderSettings } from "./provider-settings.ts";

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
  [
    "whose token response has the API's address",
    { ...plain, token_response_extras: ["url"], api_base_url: answer("url") },
    undefined,
  ],
  [
    "whose API's address the user enters",
    { ...plain, api_base_url: `https://${answer("host")}/v1` },
    undefined,
  ],
  ["without a token URL", withoutTokenUrl, "no token URL"],
  ["whose tokens expire in milliseconds", { ...plain, expires_in_unit: "milliseconds" }, undefined],
  [
    "that rename parameters",
    { ...plain, param_renames: { "client_id=": "key=", "redirect_uri=": "back=" } },
    undefined,
  ],
  [
    "that refuse a parameter of the protocol",
    { ...plain, param_renames: { response_type: "" } },
    undefined,
  ],
  [
    "that know the redirect URI and refuse it in requests",
    { ...plain, param_renames: { redirect_uri: "" } },
    undefined,
  ],
  ["that authenticate clients by certificates", { ...plain, client_auth: "tls" }, undefined],
  [
    "whose authorization URL has a parameter of the protocol",
    { ...plain, authorization_url: `${plain.authorization_url}?response_type=code` },
    undefined,
  ],
  [
    "whose host is in the redirect",
    { ...plain, callback_extras: ["shop"], token_url: `https://${answer("shop")}/token` },
    undefined,
  ],
  [
    "whose URLs begin with an answer",
    { ...plain, authorization_url: `${answer("base")}/a`, token_url: `${answer("base")}/t` },
    undefined,
  ],
  ["that refresh at their token URL", { ...plain, refresh_url: plain.token_url ?? "" }, undefined],
  [
    "that demand a name of the client",
    { ...plain, token_headers: { "User-Agent": "tasks/1", Accept: "application/json" } },
    undefined,
  ],
  ["that rename the code", { ...plain, code_param: "auth_code" }, undefined],
  [
    "that expect the secret as a user name",
    { ...plain, client_auth: "basic_secret_as_user" },
    undefined,
  ],
  [
    "that have other names for credentials",
    { ...plain, client_auth: "custom_names", body_format: "json" },
    undefined,
  ],
  ["that sign requests", { ...plain, client_auth: "hmac" }, "client authentication hmac"],
  [
    "that exchange tokens for long-lived ones",
    { ...plain, missing: ["LONG_LIVED_EXCHANGE"] },
    undefined,
  ],
  ["that refresh without a token", { ...plain, refresh_keeps_token: true }, undefined],
  ["that rename the access token", { ...plain, access_token_name: "jwt" }, undefined],
  [
    "that demand a header of token requests",
    { ...plain, token_headers: { "X-Version": "2" } },
    undefined,
  ],
  [
    "that demand the state again",
    { ...plain, token_params: { state: `${"$"}{state}` } },
    undefined,
  ],
  [
    "with a variable in a query",
    { ...plain, token_url: `${plain.token_url}?tenant=${answer("tenant")}` },
    undefined,
  ],
  [
    "whose API's path needs a member of the token response",
    {
      ...plain,
      token_response_extras: ["company"],
      api_base_url: `https://api.settings.example/${answer("company")}`,
    },
    "calls need a member of the token response that no definition keeps",
  ],
])("the settings of providers %s are counted by what happens", async (_name, settings, reason) => {
  using folder = makeTemporaryFolder();
  const file = join(folder.path, "settings.json");
  writeFileSync(file, JSON.stringify({ providers: { first: settings } }));
  const { completed, reasons } = await measureProviderSettings(file);
  expect({ completed, reasons }).toEqual({
    completed: reason === undefined ? 1 : 0,
    reasons: reason === undefined ? {} : { [reason]: 1 },
  });
});

it.each([
  ["PKCE", { useProofKeyForCodeExchange: true }, { authorization: { pkce: "refused" } }],
  [
    "another delimiter of two scopes",
    { scopes: ["a", "b"], scopeDelimiter: " " },
    { scope: { delimiter: "," } },
  ],
  ["a parameter", {}, { authorization: { names: { response_type: "" } } }],
] as const)(
  "a simulated server that does not take %s fails a definition that sends it",
  async (_name, members, quirks) => {
    expect(await failedStep(members, quirks)).toBe("connect");
  },
);

it.each<[string, Partial<ProviderProfile>, string]>([
  ["renamed parameters", { authorization: { names: { client_id: "key" } } }, "connect"],
  ["a renamed code", { authorization: { codeParameter: "auth_code" } }, "connect"],
  ["the secret as a user name", { client: { secretAsUser: true } }, "connect"],
  ["a header of token requests", { token: { headers: { "X-Version": "2" } } }, "connect"],
  ["an exchange of its tokens", { token: { exchange: true } }, "call"],
  [
    "an access token of another name",
    { answer: { members: ({ access_token: jwt, ...rest }) => ({ ...rest, jwt }) } },
    "connect",
  ],
  ["a refresh without a token", { refresh: { prolongs: true } }, "refresh"],
])(
  "a simulated server with %s fails a definition that does not say so",
  async (_name, quirks, step) => {
    expect(await failedStep({}, quirks)).toBe(step);
  },
);

async function failedStep(
  members: object,
  quirks: Partial<ProviderProfile>,
): Promise<string | undefined> {
  const domains = ["api.example"];
  const definition = {
    type: "OAuth2",
    authorizationUrl: plain.authorization_url,
    tokenUrl: plain.token_url,
    ...members,
  } as never;
  return (
    await runSimulatedAccount(simulateDefinition(definition, domains), domains, {
      ...STRICT,
      ...quirks,
    })
  )?.step;
}
