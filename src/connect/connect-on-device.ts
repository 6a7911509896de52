import { extraScopesFor } from "../accounts/account.ts";
import { PackError } from "../errors.ts";
import { listClientSecrets } from "../oauth/client-key.ts";
import { requestDeviceToken } from "../oauth/connect/device-authorization.ts";
import { requestedScopes } from "../oauth/definition.ts";
import { requiredUrl, resolveUrl } from "../oauth/endpoint.ts";
import { fillDefinition } from "../oauth/fill-definition.ts";
import type { KnownServer } from "./authorization-server.ts";
import { clientMissing } from "./choose-client.ts";
import type { CodeFlow, Connected } from "./code-session.ts";
import { startConnectDeadline } from "./connect-deadline.ts";
import type { ConnectAccountOptions } from "./connect-options.ts";

/** Without a redirect: the user enters a code on any device (RFC 8628). */
export async function connectOnDevice(
  { options, pack, definition, before, variables, transport, keep }: CodeFlow,
  device: NonNullable<ConnectAccountOptions["device"]>,
  known: KnownServer,
): Promise<Connected> {
  const client = options.client ?? before?.client;
  if (client === undefined) throw clientMissing(options.file);
  for (const secret of listClientSecrets(client.clientSecret)) options.redactor.add(secret);
  const { deviceAuthorizationUrl } = known.metadata ?? {};
  if (deviceAuthorizationUrl === undefined) {
    throw new PackError(
      "OAUTH_URL_MISSING",
      "The server does not support --device: its metadata has no device authorization endpoint.",
      {
        details: { member: "device_authorization_endpoint" },
        hint: "Connect without --device. Over SSH, use --manual.",
      },
    );
  }
  const filled = fillDefinition(definition, { variables, callbackParams: {} });
  const extraScopes = extraScopesFor(before, options.extraScopes);
  using deadline = startConnectDeadline(options);
  const tokenSet = await requestDeviceToken({
    ...transport,
    definition: filled,
    client,
    tokenUrl: resolveUrl(requiredUrl(filled, "tokenUrl"), options.endpoint),
    deviceAuthorizationUrl,
    issuer: known.issuer,
    supportedAuthenticationMethods: known.metadata?.clientAuthenticationMethods,
    networkDomains: pack.definition.networkDomains,
    dpop: definition.dpop ?? known.metadata?.dpopAdvertised,
    extraScopes,
    signal: deadline.signal,
    instruct: device,
  });
  const requested = requestedScopes(filled, extraScopes);
  return {
    account: await keep({
      client,
      tokenSet,
      callbackParams: {},
      requestedScopes: requested,
      server: known.urls,
      // The provider still knows it.
      registeredRedirect: before?.registeredRedirect,
    }),
    redirectUri: undefined,
  };
}
