import { join } from "node:path";
import { expect, it } from "vitest";
import { runCli } from "../../src/cli/run.ts";
import { chooseCases } from "../support/breadth.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import { describeProvider, type ProviderSettings } from "./provider-settings.ts";
import { printResults } from "./results.ts";
import { tryProvider } from "./try-provider.ts";

const plain: ProviderSettings = {
  mode: "code",
  authorization_url: "https://login.settings.example/authorize",
  token_url: "https://login.settings.example/token",
  scope_separator: " ",
  client_auth: "body",
  body_format: "form",
  pkce: true,
  api_base_url: "https://api.settings.example",
};
/** How a catalogue writes a value that each account has. */
const answer = (name: string) => `${"$"}{connectionConfig.${name}}`;

async function tryOne(settings: ProviderSettings, index = 0, changes: object = {}) {
  using folder = makeTemporaryFolder();
  const described = describeProvider(settings);
  if (typeof described === "string") return described;
  const definition = { ...described.definition, ...changes };
  return await tryProvider(
    settings,
    { ...described, definition },
    { runCli, folder: join(folder.path, "pack"), index },
  );
}

const PROVIDERS: [string, ProviderSettings][] = [
  ["that form-decode Basic credentials", { ...plain, client_auth: "basic" }],
  [
    "that want JSON, and scopes with commas",
    { ...plain, body_format: "json", scope_separator: "," },
  ],
  ["that want the code in the URL", { ...plain, body_format: "query" }],
  [
    "whose page reads the fragment",
    { ...plain, authorization_url_fragment: "/oauth/authorize", pkce: false },
  ],
  [
    "whose tokens are nested, renamed and live milliseconds",
    {
      ...plain,
      nested_token_path: "data.tokens",
      access_token_name: "jwt",
      expires_in_unit: "milliseconds",
    },
  ],
  [
    "with other names in the authorization request, and a host per account",
    {
      ...plain,
      param_renames: { "client_id=": "appKey=", "redirect_uri=": "back=" },
      authorization_url: `https://${answer("shop")}.settings.example/authorize`,
      api_base_url: `https://${answer("shop")}.settings.example/api`,
    },
  ],
  [
    "of the client credentials grant, with a certificate",
    { ...plain, mode: "cc", client_auth: "tls" },
  ],
  [
    "that exchange tokens, and name the API in the response",
    {
      ...plain,
      missing: ["LONG_LIVED_EXCHANGE"],
      token_response_extras: ["api_host"],
      api_base_url: answer("api_host"),
    },
  ],
];

// Tokens expire in real time, so that most of the time is waiting.
it.concurrent.each(chooseCases(PROVIDERS, 12))(
  "an account of providers %s connects, runs, expires, renews and is revoked",
  async (_what, settings) => {
    expect(await tryOne(settings, 1)).toBeUndefined();
  },
);

it("names the step and the refusal of a provider that a definition does not fit", async () => {
  expect(await tryOne(plain, 0, { useProofKeyForCodeExchange: false })).toMatchObject({
    step: "connect",
    message: expect.stringContaining("code_challenge_method is missing"),
  });
});

it("says what a definition cannot express", async () => {
  expect(await tryOne({ ...plain, client_auth: "hmac" })).toBe("client authentication hmac");
});

it("prints counts, and failures by number without a name", () => {
  const failure = { step: "run", code: "FETCH_STATUS", message: "" } as const;
  const results = [{ number: 1 }, { number: 2, failure }, { number: 3, unsaid: "no token URL" }];
  expect(printResults(results, 4)).toMatchInlineSnapshot(`
    "| Providers | |
    | --- | --- |
    | connect, run, expire, renew and revoke | 1 |
    | fail | 1 |
    | cannot be said in a definition | 1 |
    | not tried | 1 |
    | all | 4 |

    | Number | Step | Why |
    | --- | --- | --- |
    | 2 | run | FETCH_STATUS |
    | 3 | no definition | no token URL |"
  `);
});
