import type { PackErrorCode } from "../../errors.ts";
import { oauth2 } from "./examples.ts";
import type { ErrorExplanation } from "./explanation.ts";

/** Of connecting accounts, keeping them, and of the storage behind them. */
export const accountErrorExplanations = {
  URL_NOT_ALLOWED: {
    meaning: "A URL of the definition, or one that a provider gave, may not be called.",
    why: "Credentials travel over https only; http is for this machine.",
    bad: oauth2({ tokenUrl: '"http://login.tasks.example/token"' }),
    good: oauth2({ tokenUrl: '"https://login.tasks.example/token"' }),
  },
  ENDPOINT_INVALID: {
    meaning: "The account's endpoint is no base URL.",
    why: "Relative URLs of the Pack are joined with it. It is a host, or an https URL without user info, query and fragment.",
    bad: "packsmith auth connect pack.ts --endpoint http://acme.tasks.example",
    good: "packsmith auth connect pack.ts --endpoint https://acme.tasks.example",
  },
  ENDPOINT_OUTSIDE_DOMAIN: {
    meaning: "The account's endpoint is outside the Pack's domains.",
    why: "Otherwise a wrong endpoint, or one that a provider was made to give, would receive the account's credentials.",
    bad: "packsmith auth connect pack.ts --endpoint https://tasks.invalid.example",
    good: "packsmith auth connect pack.ts --endpoint https://acme.tasks.example",
  },
  ENDPOINT_MISSING: {
    meaning: "The account has no endpoint, and one is needed.",
    why: "The Pack sets requiresEndpointUrl or endpointKey: each account has a base URL of its own, which is asked for or comes with the tokens.",
    bad: "packsmith auth connect pack.ts",
    good: "packsmith auth connect pack.ts --endpoint https://acme.tasks.example",
  },
  ROUTE_INVALID: {
    meaning: "A route is not an https origin and a server on this machine.",
    why: "Routes exist to try a Pack against local servers; they never lead anywhere else.",
    bad: "packsmith execute pack.ts Tasks --route https://tasks.example=https://other.example",
    good: "packsmith execute pack.ts Tasks --route https://tasks.example=http://127.0.0.1:4001",
  },
  OAUTH_NOT_CONFIGURED: {
    meaning: "The Pack has no OAuth2 authentication to connect.",
    why: "auth connect works with the definition's authentication; this Pack has none, or another type.",
    bad: "export const pack = newPack();",
    good: oauth2(),
  },
  OAUTH_CLIENT_MISSING: {
    meaning: "The client ID or the client secret is missing.",
    why: "The provider gave them to you when you registered the Pack. The secret comes from the environment, stdin or a prompt, never from an argument, which other programs can see.",
    bad: "packsmith auth connect pack.ts",
    good: "PACKSMITH_CLIENT_ID=… PACKSMITH_CLIENT_SECRET=… packsmith auth connect pack.ts",
  },
  OAUTH_PARAMETER_RESERVED: {
    meaning: "The definition sets a parameter that belongs to the protocol.",
    why: "Such a parameter carries the flow's protection; a fixed one would take it away.",
    bad: oauth2({ additionalParams: '{ state: "fixed" }' }),
    good: oauth2({ additionalParams: '{ prompt: "consent" }' }),
  },
  OAUTH_URL_MISSING: {
    meaning: "The definition leaves a URL to discovery, and none took place.",
    why: "Without an authorization URL and a token URL there is nowhere to send the user or the code. Write them, or an issuer that has metadata.",
    bad: 'pack.setUserAuthentication({ type: AuthenticationType.OAuth2, issuer: "https://login.tasks.example" });',
    good: oauth2(),
  },
  OAUTH_STATE_MISMATCH: {
    meaning: "The redirect carries another state than this run sent.",
    why: "It belongs to an older attempt, or was made by somebody else (RFC 6749 §10.12). Close older browser tabs and begin again.",
    bad: "packsmith auth connect pack.ts   # finished in a tab of an earlier run",
    good: "packsmith auth connect pack.ts   # finished in the tab that it opened",
  },
  OAUTH_CALLBACK_INVALID: {
    meaning: "The redirect from the provider cannot be used.",
    why: "It has no code, several of them, or came a second time. An attempt is good for one redirect.",
    bad: "http://127.0.0.1:4001/oauth/callback?state=…",
    good: "http://127.0.0.1:4001/oauth/callback?code=…&state=…",
  },
  OAUTH_ISSUER_MISMATCH: {
    meaning: "The redirect names another authorization server.",
    why: "With several providers, a malicious one could have the code of another sent to it (RFC 9207). The code was not used.",
    bad: "http://127.0.0.1:4001/oauth/callback?code=…&iss=https://other.example",
    good: "http://127.0.0.1:4001/oauth/callback?code=…&iss=https://login.tasks.example",
  },
  OAUTH_DENIED: {
    meaning: "The provider refused the authorization.",
    why: "The user said no, or the provider does not grant what was asked for. Its own error is in the message.",
    bad: oauth2({ scopes: '["everything"]' }),
    good: oauth2({ scopes: '["tasks.read"]' }),
  },
  OAUTH_TOKEN_REJECTED: {
    meaning: "The provider refused the token request.",
    why: "The client ID or secret is wrong, the code was used before, or the redirect URI is not the registered one. Its own error is in the message.",
    bad: "packsmith auth connect pack.ts --client-id wrong",
    good: "packsmith auth connect pack.ts --client-id CLIENT_ID --port 4001",
  },
  OAUTH_TOKEN_RESPONSE_INVALID: {
    meaning: "The provider's token response cannot be read.",
    why: "It is no JSON, or has no access token where the definition says. nestedResponseKey names the member that holds the tokens.",
    bad: oauth2({ nestedResponseKey: '"dat"' }),
    good: oauth2({ nestedResponseKey: '"data"' }),
  },
  OAUTH_TOKEN_UNAVAILABLE: {
    meaning: "The token endpoint cannot answer now.",
    why: "It cannot be reached, or answers with a status such as 429 or 503. The account is unchanged; try again later.",
    bad: "packsmith auth refresh pack.ts   # while the provider is down",
    good: "packsmith auth refresh pack.ts   # a minute later",
  },
  OAUTH_TOKEN_TIMEOUT: {
    meaning: "The token endpoint did not answer in time.",
    why: "A server that hangs would hold the command, too. The account is unchanged.",
    bad: oauth2({ tokenUrl: '"https://tasks.example:8443/token"' }),
    good: oauth2({ tokenUrl: '"https://login.tasks.example/token"' }),
  },
  OAUTH_DISCOVERY_FAILED: {
    meaning: "The authorization server's metadata cannot be used.",
    why: "There is none at the issuer (RFC 8414), or it names another issuer. Write the URLs into the definition instead.",
    bad: "https://tasks.example/.well-known/oauth-authorization-server   # 404",
    good: oauth2(),
  },
  OAUTH_REVOCATION_FAILED: {
    meaning: "The provider did not revoke the token.",
    why: "The account is forgotten here, but its token may be good until it expires. Remove the access on the provider's own pages.",
    bad: "packsmith auth revoke pack.ts   # while offline",
    good: "packsmith auth revoke pack.ts",
  },
  OAUTH_CONNECT_TIMEOUT: {
    meaning: "Nobody finished the login in the browser.",
    why: "The command waits five minutes. Often the provider does not know the redirect URI and shows an error page instead.",
    bad: "packsmith auth connect pack.ts --timeout 5",
    good: "packsmith auth connect pack.ts --port 4001   # a redirect URI that is registered",
  },
  OAUTH_BROWSER_NOT_OPENED: {
    meaning: "The browser could not be opened.",
    why: "This machine has none, or it is not found. The link can be opened by hand.",
    bad: "packsmith auth connect pack.ts   # over ssh",
    good: "packsmith auth connect pack.ts --no-browser",
  },
  OAUTH_HEADLESS_REFUSED: {
    meaning: "Connecting without a browser stopped.",
    why: "--headless walks through the pages of the local provider only; it fills in no form of anybody else's.",
    bad: "packsmith auth connect pack.ts --headless",
    good: "packsmith auth connect pack.ts --headless --route https://login.tasks.example=http://127.0.0.1:4001",
  },
  ACCOUNT_MISSING: {
    meaning: "The Pack has no connected account of this name.",
    why: "The formula needs one. Accounts belong to a Pack's entry file, so a Pack that was moved has none yet.",
    bad: "packsmith execute pack.ts Tasks",
    good: "packsmith auth connect pack.ts && packsmith execute pack.ts Tasks",
  },
  ACCOUNT_RECONNECT: {
    meaning: "The account's tokens are no longer accepted.",
    why: "The provider refused to renew them: access was withdrawn, or the refresh token is too old. A person has to allow it again.",
    bad: "packsmith execute pack.ts Tasks",
    good: "packsmith auth connect pack.ts",
  },
  ACCOUNT_BUSY: {
    meaning: "Another process is renewing this account.",
    why: "Many providers accept a refresh token once, so only one process renews at a time. Run the command again.",
    bad: "packsmith auth refresh pack.ts   # twice at once",
    good: "packsmith auth refresh pack.ts",
  },
  VAULT_CORRUPT: {
    meaning: "The file with the accounts is damaged.",
    why: "It was changed by another program, or belongs to something else. Restore it, or move it away and connect the accounts again.",
    bad: "echo test > ~/.config/packsmith/vault.db",
    good: "packsmith auth list",
  },
  VAULT_KEY_INVALID: {
    meaning: "The key does not open the file with the accounts.",
    why: "vault.key and vault.db belong together; one of them was replaced. Restore the pair, or move both away and connect again.",
    bad: "cp other/vault.db ~/.config/packsmith/",
    good: "cp other/vault.db other/vault.key ~/.config/packsmith/",
  },
  VAULT_PERMISSIONS: {
    meaning: "Other users of this machine could read the accounts.",
    why: "The files are yours alone (mode 0600), or they are not used.",
    bad: "chmod 644 ~/.config/packsmith/vault.key",
    good: "chmod 600 ~/.config/packsmith/vault.key",
  },
  DATABASE_UNREADABLE: {
    meaning: "The file cannot be used as a database.",
    why: "It is not one, belongs to another program, or is not yours to read.",
    bad: "packsmith service --database pack.ts",
    good: "packsmith service --database documents.db",
  },
  DATABASE_UNSUPPORTED: {
    meaning: "There is no storage engine for this URL.",
    why: "Its beginning names the engine; this one is not known.",
    bad: "packsmith service --database ftp://tasks.example/documents",
    good: "packsmith service --database documents.db",
  },
  DATABASE_NEWER: {
    meaning: "A later version of packsmith wrote the database.",
    why: "This version would not understand what is in it, so it does not touch it. Update packsmith.",
    bad: "packsmith --version",
    good: "npm install packsmith@latest",
  },
  DATABASE_BUSY: {
    meaning: "Another process is writing to the database.",
    why: "It held the file for longer than a write takes. Run the command again, or end the other process.",
    bad: "packsmith service --database documents.db   # twice",
    good: "packsmith service --database documents.db",
  },
} satisfies Partial<Record<PackErrorCode, ErrorExplanation>>;
