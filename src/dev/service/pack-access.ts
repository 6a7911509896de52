import { findSlotAuthentication } from "../../accounts/pack-account.ts";
import { findDocumentOrigins } from "../../connect/rehearsal/document-service.ts";
import {
  isSecretAuthentication,
  listSecretFields,
  type SecretAuthentication,
} from "../../define/authentication.ts";
import { PackError } from "../../errors.ts";
import type { DevSession } from "../session/dev-session.ts";
import type { PackState } from "../session/pack-session.ts";
import type { PackAccessView, RouteView } from "../wire/service.ts";
import type { ServiceLink } from "./service-link.ts";

const DEFAULT_ACCOUNT = "default";
/**
 * Name of the account with the service's token if the default account already exists. That account
 * is never replaced.
 */
const SECOND_ACCOUNT = "service";

/** Origins of the Pack that should be routed to the local document service. */
export function suggestedOrigins({ definition, bundle }: PackState): string[] {
  return findDocumentOrigins(definition, bundle?.sources ?? []);
}

/** Routes exactly these origins to the service. Routes of the command line stay as they are. */
export function setServiceRoutes(
  session: DevSession,
  target: string,
  origins: readonly string[],
): void {
  const fixed = fixedOrigins(session);
  for (const { origin, isOn } of routesTo(session, target))
    if (isOn && !fixed.has(origin)) session.setRoute(origin, undefined);
  for (const origin of origins) if (!fixed.has(origin)) session.setRoute(origin, target);
}

/** How the Pack's requests reach the service. */
export function describePackAccess(
  session: DevSession,
  link: ServiceLink | undefined,
  made: string | undefined,
): PackAccessView {
  const authentication = userAuthentication(session);
  return {
    routes: link === undefined ? [] : routesTo(session, link.origin),
    account:
      link === undefined ||
      session.options.home === undefined ||
      tokenField(authentication) === undefined
        ? undefined
        : { type: authentication?.type ?? "", made },
  };
}

/**
 * Creates an account of the Pack with the token of the service. The token goes into the vault, and
 * no page receives it.
 * @param made the account that was created before, which is updated
 * @returns its name
 * @throws {PackError} the codes of `connectAccount`
 */
export async function makeServiceAccount(
  session: DevSession,
  link: ServiceLink,
  made: string | undefined,
): Promise<string> {
  const { home, cwd, file, databaseUrl, keyStore, redactor } = session.options;
  const authentication = userAuthentication(session);
  const field = tokenField(authentication);
  if (home === undefined || field === undefined || authentication === undefined) {
    throw new PackError(
      "AUTHENTICATION_UNSUPPORTED",
      "An account of this Pack needs more credentials than one token.",
      {
        details: { type: authentication?.type ?? "None" },
        hint: "Connect an account in the Accounts view.",
      },
    );
  }
  const [origin] = session
    .routes()
    .flatMap((route) =>
      route.endsWith(`=${link.origin}`) ? [route.slice(0, route.indexOf("="))] : [],
    );
  const needsEndpoint =
    "requiresEndpointUrl" in authentication && authentication.requiresEndpointUrl === true;
  // Loaded on demand, so that the server starts faster.
  const [{ connectAccount }, { listAccounts }] = await Promise.all([
    import("../../connect/connect-account.ts"),
    import("../../connect/manage-accounts.ts"),
  ]);
  const vault = { home, databaseUrl, keyStore };
  const [taken] = await listAccounts({
    file,
    cwd,
    ...vault,
    account: DEFAULT_ACCOUNT,
    slot: "user",
  });
  const account = made ?? (taken === undefined ? DEFAULT_ACCOUNT : SECOND_ACCOUNT);
  await connectAccount({
    file,
    cwd,
    ...vault,
    redactor,
    account,
    now: session.now,
    secrets: { [field]: link.token },
    routes: session.routes(),
    ...(needsEndpoint ? { endpoint: origin } : {}),
  });
  session.events.send({ type: "account" });
  return account;
}

function routesTo(session: DevSession, target: string): RouteView[] {
  const fixed = fixedOrigins(session);
  const on = new Set(
    session
      .routes()
      .flatMap((route) =>
        route.endsWith(`=${target}`) ? [route.slice(0, route.indexOf("="))] : [],
      ),
  );
  const state = session.state();
  const offered = [
    ...suggestedOrigins(state),
    ...(state.definition?.networkDomains ?? []).map((domain) => `https://${domain}`),
  ];
  return [...new Set([...on, ...offered])].map((origin) => ({
    origin,
    isOn: on.has(origin),
    isFixed: fixed.has(origin),
  }));
}

function fixedOrigins({ options }: DevSession): ReadonlySet<string> {
  return new Set((options.routes ?? []).map((route) => route.slice(0, route.indexOf("="))));
}

function userAuthentication(session: DevSession): SecretAuthentication | undefined {
  const { definition } = session.state();
  const authentication =
    definition === undefined ? undefined : findSlotAuthentication(definition, "user");
  return isSecretAuthentication(authentication) ? authentication : undefined;
}

/** The field for the token; undefined when an account needs anything else. */
function tokenField(authentication: SecretAuthentication | undefined): string | undefined {
  if (authentication === undefined) return undefined;
  const [field, ...others] = listSecretFields(authentication).filter(
    ({ isOptional }) => !isOptional,
  );
  return field !== undefined && others.length === 0 && field.name === "token"
    ? field.name
    : undefined;
}
