import express, { type Express, type NextFunction, type Request, type Response } from "express";
import { apiEndpoint, apiRequests } from "./endpoints/api.ts";
import { authorizationEndpoint, pushedRequestEndpoint } from "./endpoints/authorization.ts";
import { controlEndpoints } from "./endpoints/control.ts";
import {
  deviceAuthorizationEndpoint,
  userCodeForm,
  userCodeSubmission,
} from "./endpoints/device.ts";
import { endSession } from "./endpoints/end-session.ts";
import { withFaults } from "./endpoints/fault-answers.ts";
import {
  consentForm,
  consentSubmission,
  loginForm,
  loginSubmission,
} from "./endpoints/interaction.ts";
import {
  introspectionEndpoint,
  meEndpoint,
  revocationEndpoint,
} from "./endpoints/issued-tokens.ts";
import { mcpEndpoint } from "./endpoints/mcp.ts";
import { authorizationServerMetadata } from "./endpoints/metadata.ts";
import { resourceMetadata } from "./endpoints/protected-resource.ts";
import { registrationEndpoint } from "./endpoints/registration.ts";
import { tokenEndpoint } from "./endpoints/token.ts";
import { tokenSwaps } from "./endpoints/token-swap.ts";
import { errorPage } from "./pages.ts";
import { canonicalPaths, Path, wellKnownOfIssuers } from "./paths.ts";
import { allowOrigins, guardHost, recordRequests, sendPage } from "./request/guards.ts";
import { readBody } from "./request/request-body.ts";
import type { ProviderState } from "./state/provider-state.ts";
import { saveBeforeResponse } from "./state/state-file.ts";

/**
 * The routes of one provider. The caller makes it listen.
 * @param issuers the routes of issuers below it, by path
 */
export function createProviderApp(
  state: ProviderState,
  issuers: ReadonlyMap<string, Express> = new Map(),
): Express {
  const app = express();
  app
    .disable("x-powered-by")
    .disable("etag")
    .set("query parser", false)
    .set("case sensitive routing", true)
    .set("strict routing", true);
  app.use(guardHost);
  if (issuers.size > 0) app.use(wellKnownOfIssuers([...issuers.keys()]));
  for (const [path, below] of issuers) app.use(path, below);
  if (state.file !== undefined) app.use(saveBeforeResponse(state.file));
  // Before recordRequests: the requests of tests that control the provider are not recorded.
  if (state.policy.control) app.use("/__provider", readBody, controlEndpoints(state));
  if (state.policy.cors) app.use(allowOrigins);
  app.use(canonicalPaths(state), recordRequests(state), readBody);
  app.use(tokenSwaps(state), apiRequests(state));
  app.get(Path.Authorize, withFaults(state, "authorize", authorizationEndpoint(state)));
  app.route(Path.Login).get(loginForm(state)).post(loginSubmission(state));
  app.route(Path.Consent).get(consentForm(state)).post(consentSubmission(state));
  app.post(Path.Token, withFaults(state, "token", tokenEndpoint(state)));
  if (state.policy.profile.refresh?.ownEndpoint === true)
    app.post(Path.Refresh, withFaults(state, "token", tokenEndpoint(state, Path.Refresh)));
  app.post(Path.Introspect, withFaults(state, "introspect", introspectionEndpoint(state)));
  app.post(Path.Revoke, withFaults(state, "revoke", revocationEndpoint(state)));
  if (state.policy.registration)
    app.post(Path.Register, withFaults(state, "register", registrationEndpoint(state)));
  app.post(Path.PushedRequest, withFaults(state, "par", pushedRequestEndpoint(state)));
  app.post(
    Path.DeviceAuthorization,
    withFaults(state, "device", deviceAuthorizationEndpoint(state)),
  );
  app.route(Path.Device).get(userCodeForm(state)).post(userCodeSubmission(state));
  app.route(Path.EndSession).get(endSession(state)).post(endSession(state));
  app.get(Path.Keys, (_request, response) => void response.json(state.idTokens.keySet()));
  app.get(Path.Me, withFaults(state, "me", meEndpoint(state)));
  app.post(Path.Mcp, withFaults(state, "mcp", mcpEndpoint(state)));
  for (const { path, handler } of resourceMetadata(state))
    app.get(path, withFaults(state, "metadata", handler));
  const metadata = withFaults(state, "metadata", (request, response) => {
    response.json(authorizationServerMetadata(state, request));
  });
  for (const path of metadataPaths(state)) app.get(path, metadata);
  if (state.policy.api !== undefined) app.use(apiEndpoint(state, state.policy.api));
  app.use(notFound);
  app.use(sendFailure);
  return app;
}

/**
 * RFC 8414 §3.1 puts the issuer's path after the well-known one, OpenID Connect Discovery §4 before
 * it.
 */
function metadataPaths({ policy: { issuer, path } }: ProviderState): string[] {
  // The paths of an issuer below another one were brought to this form.
  const tail =
    issuer === undefined || path !== "" ? "" : new URL(issuer).pathname.replace(/\/+$/, "");
  return [
    `/.well-known/oauth-authorization-server${tail}`,
    `/.well-known/openid-configuration${tail}`,
    ...(tail === "" ? [] : [`${tail}/.well-known/openid-configuration`]),
  ];
}

const METHODS: Readonly<Record<string, string>> = {
  [Path.Authorize]: "GET",
  [Path.Login]: "GET, POST",
  [Path.Consent]: "GET, POST",
  [Path.Token]: "POST",
  [Path.Introspect]: "POST",
  [Path.Revoke]: "POST",
  [Path.Register]: "POST",
  [Path.PushedRequest]: "POST",
  [Path.DeviceAuthorization]: "POST",
  [Path.Device]: "GET, POST",
  [Path.EndSession]: "GET, POST",
  [Path.Keys]: "GET",
  [Path.Me]: "GET",
  [Path.Mcp]: "POST",
};

function notFound(request: Request, response: Response) {
  const allowed = METHODS[request.path];
  if (allowed === undefined)
    return sendPage(response, 404, (nonce) =>
      errorPage("not_found", "This server has no page at this address.", nonce),
    );
  response
    .status(405)
    .set("Allow", allowed)
    .json({ error: "invalid_request", error_description: `Use ${allowed}.` });
}

// Express recognizes an error handler by its four parameters.
function sendFailure(error: unknown, _request: Request, response: Response, _next: NextFunction) {
  if (response.headersSent) return void response.destroy();
  const status = (error as { status?: unknown } | null)?.status;
  const known = typeof status === "number" && status >= 400 && status < 500;
  response.status(known ? status : 500);
  response.json(
    known
      ? { error: "invalid_request", error_description: "The request could not be read." }
      : { error: "server_error" },
  );
}
