import type { ConnectionAnswers } from "../../define/connection-values.ts";
import { PackError } from "../../errors.ts";
import { addCredentials } from "../../execute/fetch/credentials.ts";
import { createAuthorizationAttempt } from "../../oauth/connect/authorization-attempt.ts";
import { registerClient } from "../../oauth/connect/registration.ts";
import { joinScopes, requestedScopes } from "../../oauth/definition.ts";
import { createDpopProof } from "../../oauth/dpop.ts";
import { NO_ANSWERS } from "../../oauth/fill-definition.ts";
import { applyRoutes, type Routes } from "../../oauth/routes.ts";
import { requestClientCredentialsToken } from "../../oauth/run/client-credentials.ts";
import { refreshTokenSet } from "../../oauth/run/refresh.ts";
import type { ClientCredentials, TokenSet } from "../../oauth/token-set.ts";
import type { ProviderProfile } from "../../provider/profile.ts";
import type { LocalProvider } from "../../provider/provider.ts";
import { createRedactor } from "../../shared/redact.ts";
import { resolveServer } from "../authorization-server.ts";
import { walkHeadless } from "../headless-browser.ts";
import type { StepFailure } from "./profile-result.ts";
import { createSimulatedClient } from "./simulated-client.ts";
import type { SimulatedDefinition } from "./simulated-definition.ts";
import {
  pageRoutesToProvider,
  routesToProvider,
  startSimulatedProvider,
} from "./simulated-provider.ts";

const REDIRECT_URI = "http://127.0.0.1/oauth/callback";
const TIMEOUT_MS = 5_000;
const TTL_SECONDS = 3_600;

/**
 * Connects an account of a definition to a simulated provider, calls its API, refreshes, calls
 * again, and checks that a refused
 * refresh is understood.
 * @returns the first step that fails, or undefined
 */
export async function runSimulatedAccount(
  simulated: SimulatedDefinition,
  networkDomains: readonly string[],
  profile: ProviderProfile,
): Promise<StepFailure | undefined> {
  const client = createSimulatedClient(simulated.definition, profile);
  await using provider = await startSimulatedProvider(simulated, profile, {
    ...client.registration,
    redirectUris: [REDIRECT_URI],
    accessTokenTtlSeconds: TTL_SECONDS,
  });
  const account: SimulatedAccount = {
    simulated,
    networkDomains,
    provider,
    routes: routesToProvider(simulated, provider),
    client: client.credentials,
    impostor: client.impostor,
  };
  let step: StepFailure["step"] = "connect";
  try {
    const { tokenSet: first, answers } = await connect(account);
    checkExpiry(first, provider);
    step = "call";
    await call(account, first);
    step = "refresh";
    // A token that is renewed with itself must still be valid.
    const { renewsItself = false } = first;
    provider.clock.advance((renewsItself ? TTL_SECONDS / 2 : TTL_SECONDS + 1) * 1_000);
    const second = await refreshTokenSet({ ...requestOptions(account), answers, tokenSet: first });
    checkExpiry(second, provider);
    step = "call again";
    await call(account, second);
    step = "refusal";
    await checkRefusal(account, answers, second, profile.refusal ?? "final");
    return undefined;
  } catch (error) {
    if (!(error instanceof PackError)) throw error;
    return { step, code: error.code, message: error.message };
  }
}

interface SimulatedAccount {
  simulated: SimulatedDefinition;
  networkDomains: readonly string[];
  provider: LocalProvider;
  routes: Routes;
  client: ClientCredentials;
  /** The same client with wrong credentials. */
  impostor: ClientCredentials;
}

function requestOptions({ simulated, networkDomains, provider, routes, client }: SimulatedAccount) {
  const { definition, endpoint } = simulated;
  const { now } = provider.clock;
  return {
    definition,
    endpoint,
    client,
    networkDomains,
    routes,
    now,
    timeoutMs: TIMEOUT_MS,
    redactor: createRedactor(),
  };
}

async function connect(
  account: SimulatedAccount,
): Promise<{ tokenSet: TokenSet; answers: ConnectionAnswers }> {
  const options = requestOptions(account);
  const { definition } = options;
  if (definition.type === "OAuth2ClientCredentials")
    return {
      tokenSet: await requestClientCredentialsToken({ ...options, definition }),
      answers: NO_ANSWERS,
    };
  const { undiscovered, issuer } = account.simulated;
  // The URLs are already known. This checks that discovery would find them.
  if (undiscovered !== undefined) await resolveServer(undiscovered, options);
  if (definition.useDynamicClientRegistration === true && issuer !== undefined) {
    const { metadata } = await resolveServer({ ...definition, issuer }, options, {
      needsMetadata: true,
    });
    account.client = await registerClient({
      ...options,
      definition,
      issuer,
      redirectUri: REDIRECT_URI,
      clientName: "auth test",
      scope: joinScopes(definition),
      registrationUrl: metadata?.registrationUrl,
      methods: metadata?.clientAuthenticationMethods,
    });
  }
  const { client } = account;
  const attempt = await createAuthorizationAttempt({
    ...options,
    client,
    definition,
    redirectUri: REDIRECT_URI,
    issuer: definition.issuer,
    pageRoutes: pageRoutesToProvider(account.simulated, account.provider),
  });
  let callback: URL | undefined;
  await walkHeadless(attempt.authorizationUrl, {
    // No server listens at the redirect URI, so the callback is intercepted.
    fetch: async (input, init) => {
      const url = new URL(String(input));
      if (url.origin + url.pathname !== REDIRECT_URI) return fetch(input, init);
      callback = url;
      return new Response("");
    },
  });
  if (callback === undefined)
    throw createFailure("OAUTH_DENIED", "The provider shows an error page instead of the login.");
  const tokenSet = await attempt.complete(callback.searchParams);
  return { tokenSet, answers: { variables: {}, callbackParams: attempt.callbackParams } };
}

/**
 * An expiry may be unknown, but not wrong: a misread one means failing calls, or a refresh before
 * each call.
 */
function checkExpiry({ expiresAtMs }: TokenSet, { clock }: LocalProvider): void {
  if (
    expiresAtMs === undefined ||
    Math.abs(expiresAtMs - clock.now() - TTL_SECONDS * 1_000) < 60_000
  )
    return;
  throw createFailure("OAUTH_TOKEN_RESPONSE_INVALID", "packsmith read a wrong token expiry.");
}

async function call(
  { simulated, routes, provider }: SimulatedAccount,
  tokenSet: TokenSet,
): Promise<void> {
  const base =
    tokenSet.endpoint ??
    simulated.endpoint?.replace(/^(https:\/\/[^/]+).*/, "$1") ??
    simulated.apiOrigin;
  const { url, headers } = addCredentials(
    { url: `${base}/me`, headers: {} },
    simulated.definition,
    tokenSet.accessToken,
  );
  const { accessToken, dpopKey } = tokenSet;
  const proof =
    dpopKey === undefined
      ? undefined
      : await createDpopProof(dpopKey, {
          method: "GET",
          url: `${base}/me`,
          nowMs: provider.clock.now(),
          accessToken,
        });
  const response = await fetch(
    applyRoutes(url, { ...routes, [new URL(base).origin]: provider.origin }),
    {
      headers:
        proof === undefined
          ? headers
          : { ...headers, Authorization: `DPoP ${accessToken}`, DPoP: proof },
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    },
  );
  if (response.status !== 200) {
    await response.body?.cancel();
    throw createFailure(
      "FETCH_STATUS",
      `The API rejected a request with the new token: status ${response.status}.`,
    );
  }
  const { scopes: granted = [] } = (await response.json()) as { scopes?: string[] };
  const missing = requestedScopes(simulated.definition).filter((scope) => !granted.includes(scope));
  if (missing.length > 0)
    throw createFailure(
      "FETCH_STATUS",
      `These scopes of the authentication definition are missing from the token: ${missing.join(" ")}.`,
    );
}

/** Only a final refusal may mean that the account must be connected again. */
async function checkRefusal(
  account: SimulatedAccount,
  answers: ConnectionAnswers,
  tokenSet: TokenSet,
  meaning: "final" | "transient",
): Promise<void> {
  const { definition } = account.simulated;
  const options = { ...requestOptions(account), answers };
  const refused =
    definition.type === "OAuth2ClientCredentials"
      ? { ...options, client: account.impostor, tokenSet }
      : {
          ...options,
          tokenSet: {
            ...tokenSet,
            refreshToken: "1234567890",
            ...(tokenSet.renewsItself === true ? { accessToken: "1234567890" } : {}),
          },
        };
  const code = await refreshTokenSet(refused).then(
    () => "accepted",
    (error: unknown) => {
      if (error instanceof PackError) return error.code;
      throw error;
    },
  );
  if (code === "accepted" || (meaning === "final") !== (code === "OAUTH_TOKEN_REJECTED"))
    throw createFailure(
      "OAUTH_TOKEN_RESPONSE_INVALID",
      `packsmith read a ${meaning} error from the provider as ${code}.`,
    );
}

function createFailure(
  code: "OAUTH_DENIED" | "OAUTH_TOKEN_RESPONSE_INVALID" | "FETCH_STATUS",
  message: string,
): PackError {
  const details = { error: "", description: undefined, status: 0, reason: message };
  return new PackError(code, message, { details, hint: undefined });
}
