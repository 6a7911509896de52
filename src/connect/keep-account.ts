import {
  createStoredAccount,
  isoTime,
  type StoredAccount,
  summarizeAccount,
} from "../accounts/account.ts";
import { declaredHosts } from "../accounts/account-hosts.ts";
import { openAccountSession } from "../accounts/account-session.ts";
import type { AccountSummary } from "../accounts/account-summary.ts";
import { accountMissing } from "../accounts/pack-account.ts";
import { parseEndpoint } from "../define/hosts.ts";
import type { OAuth2Authentication } from "../define/oauth.ts";
import type { RunOptions } from "../execute/run.ts";
import type { ClientAuthenticationMethod, TokenSet } from "../oauth/token-set.ts";
import { setUpAccount } from "./account-setup.ts";
import type { ConnectFlow, Obtained } from "./code-session.ts";
import { redirectChoice } from "./kept-redirect.ts";

/**
 * Stores the account before it is set up, because the Pack's functions for endpoint and display
 * name run with it.
 */
export async function keepAccount(flow: ConnectFlow, obtained: Obtained): Promise<AccountSummary> {
  const { options, key, vault, definition, pack } = flow;
  await vault.save(createAccount(flow, obtained));
  adviseUser(flow, obtained);
  try {
    await setUpAccount({
      options,
      key,
      vault,
      definition,
      networkDomains: pack.definition.networkDomains,
      runOptions: () => createRunOptions(flow),
      note: (step, facts) => flow.recorder.note(step, facts),
    });
  } catch (error) {
    // Without its endpoint the account cannot be used, so the earlier one is restored.
    if (flow.before === undefined) await vault.remove(key);
    else await vault.save(flow.before);
    throw error;
  }
  const stored = await vault.get(key);
  if (stored === undefined) throw accountMissing(options.file, key.name);
  return summarizeAccount(stored);
}

function createAccount(
  { options, key, definition, pack, variables }: ConnectFlow,
  { client, tokenSet, callbackParams, requestedScopes, server, registeredRedirect }: Obtained,
): StoredAccount {
  const now = isoTime((options.now ?? Date.now)());
  const answers = { variables, callbackParams };
  return createStoredAccount({
    key,
    pack: pack.bundle.name,
    type: definition.type,
    client,
    tokenSet,
    answers,
    server,
    registeredRedirect,
    hosts: declaredHosts(definition, pack.definition.networkDomains, { answers, server }),
    endpoint:
      tokenSet.endpoint ??
      (options.endpoint === undefined ? undefined : parseEndpoint(options.endpoint)),
    connectionName: options.userName,
    redirect: redirectChoice(options),
    requestedScopes: [...requestedScopes],
    scopes: tokenSet.scopes,
    status: "connected",
    createdAt: now,
    updatedAt: now,
  });
}

/** Reports what the provider did not grant, and what the definition can say better. */
function adviseUser(flow: ConnectFlow, { tokenSet, requestedScopes }: Obtained): void {
  const { options, definition } = flow;
  const missing = requestedScopes.filter(
    (scope) => tokenSet.scopes !== undefined && !tokenSet.scopes.includes(scope),
  );
  if (missing.length > 0)
    options.onProgress?.(
      `warning: these scopes were requested but not granted: ${missing.join(" ")}`,
    );
  const advice = definition.type === "OAuth2" ? refreshAdvice(definition, tokenSet) : undefined;
  if (advice !== undefined) options.onProgress?.(`warning: ${advice}`);
  adviseLocation(flow, tokenSet.clientAuthentication);
}

/**
 * With Automatic, each connection begins with a refused request, and some providers then refuse the
 * code.
 */
function adviseLocation(
  { definition, options, recorder }: ConnectFlow,
  accepted: ClientAuthenticationMethod,
): void {
  if (accepted === "private_key_jwt-url")
    options.onProgress?.(
      "note: the server refused a client assertion with the issuer as its audience. Set assertionAudience to the token URL.",
    );
  const { credentialsLocation = "Automatic" } = definition;
  if (credentialsLocation !== "Automatic" || (accepted !== "basic" && accepted !== "basic-strict"))
    return;
  // If the metadata lists the methods, no other one was tried.
  const tried = recorder.events.map(({ facts }) => facts["client authentication"]);
  if (tried.every((method) => method === undefined || method === accepted)) return;
  options.onProgress?.(
    'note: the provider accepted the client credentials only in the Authorization header. Set credentialsLocation: "AuthorizationHeader".',
  );
}

/** Options to run a function of the Pack while its account is set up. */
async function createRunOptions({
  options,
  pack,
  vault,
  key,
  definition,
  routes,
}: ConnectFlow): Promise<RunOptions> {
  const { now, redactor } = options;
  const { networkDomains } = pack.definition;
  const account = await openAccountSession({
    vault,
    key,
    definition,
    networkDomains,
    routes,
    now,
    redactor,
  });
  return {
    isolate: pack.isolate,
    account,
    routes,
    now,
    redactor,
    onExchange: options.observer?.onRequest,
  };
}

/**
 * Advice for a token that expires and cannot be renewed, because the provider issued no refresh
 * token. Otherwise undefined.
 */
function refreshAdvice(
  definition: Pick<OAuth2Authentication, "additionalParams" | "scopes">,
  tokenSet: TokenSet,
): string | undefined {
  if (tokenSet.refreshToken !== undefined || tokenSet.expiresAtMs === undefined) return undefined;
  const { additionalParams = {}, scopes = [] } = definition;
  const asksOffline =
    additionalParams["access_type"] === "offline" || scopes.includes("offline_access");
  const asksConsent = String(additionalParams["prompt"] ?? "").includes("consent");
  const problem =
    "the provider issued no refresh token. Connect the account again when the access token expires.";
  if (!asksOffline) {
    return `${problem} Most providers issue a refresh token only on request. Depending on the provider, add additionalParams: { access_type: "offline", prompt: "consent" }, or the scope offline_access.`;
  }
  if (!asksConsent) {
    return `${problem} Many providers issue a refresh token only when the user consents again. Add prompt: "consent" to additionalParams.`;
  }
  return `${problem} Allow the refresh_token grant for your client in the provider's settings.`;
}
