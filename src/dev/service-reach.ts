import { isSecretAuthentication, type SecretAuthentication, secretFieldsOf } from "../accounts/entered-credentials.ts";
import { authenticationOf } from "../accounts/pack-account.ts";
import { listOf } from "../compare/members.ts";
import { hostMatchesDomain } from "../define/hosts.ts";
import type { PackVersionDefinition } from "../define/pack.ts";
import { PackError } from "../errors.ts";
import type { DevSession } from "./dev-session.ts";
import type { PackState } from "./pack-state.ts";
import type { ServiceLink } from "./service-link.ts";
import type { ReachView, RouteView } from "./wire/service.ts";

const DEFAULT_ACCOUNT = "default";
/** What an account of the service's token is called when somebody has connected a default one: it never takes that one's place. */
const SECOND_ACCOUNT = "service";
/** What follows the origin where a source names a document service. */
const API_URL = /\bhttps:\/\/([a-z0-9.-]+(?::\d+)?)\/apis\/v1\b/gi;

/** Origins below the Pack's domains at which its sources look for a document service: those that should lead to the local one. */
export function suggestedOrigins({ definition, bundle }: PackState): string[] {
  const domains = domainsOf(definition);
  const hosts = (bundle?.sources ?? []).flatMap(({ text }) => [...text.matchAll(API_URL)].map(([, host = ""]) => host.toLowerCase()));
  return [...new Set(hosts)].filter((host) => domains.some((domain) => hostMatchesDomain(host, domain))).map((host) => `https://${host}`);
}

/** Leads these origins to the service, and no others; what the command line decided stays. */
export function leadRoutes(session: DevSession, target: string, origins: readonly string[]): void {
  const fixed = fixedOrigins(session);
  for (const { origin, isOn } of routesTo(session, target)) if (isOn && !fixed.has(origin)) session.setRoute(origin, undefined);
  for (const origin of origins) if (!fixed.has(origin)) session.setRoute(origin, target);
}

/** How the Pack's requests come to the service. */
export function describeReach(session: DevSession, link: ServiceLink | undefined, made: string | undefined): ReachView {
  const authentication = userAuthentication(session);
  return {
    routes: link === undefined ? [] : routesTo(session, link.origin),
    account:
      link === undefined || session.options.home === undefined || tokenField(authentication) === undefined
        ? undefined
        : { type: authentication?.type ?? "", made },
  };
}

/**
 * Makes an account of the Pack whose token is that of the service. It goes from the server into the vault; no page sees it.
 * @param made the account that was made before, which is renewed
 * @returns its name
 * @throws {PackError} those of `connectAccount`
 */
export async function makeServiceAccount(session: DevSession, link: ServiceLink, made: string | undefined): Promise<string> {
  const { home, cwd, file, databaseUrl, keyStore, redactor } = session.options;
  const authentication = userAuthentication(session);
  const field = tokenField(authentication);
  if (home === undefined || field === undefined || authentication === undefined) {
    throw new PackError("AUTHENTICATION_UNSUPPORTED", "The Pack's accounts do not consist of one token.", {
      details: { type: authentication?.type ?? "None" },
      hint: "Connect an account in the view Accounts.",
    });
  }
  const [origin] = session.routes().flatMap((route) => (route.endsWith(`=${link.origin}`) ? [route.slice(0, route.indexOf("="))] : []));
  const needsEndpoint = "requiresEndpointUrl" in authentication && authentication.requiresEndpointUrl === true;
  // Not before it is asked for: the server starts without them.
  const [{ connectAccount }, { listAccounts }] = await Promise.all([
    import("../connect/connect-account.ts"),
    import("../connect/manage-accounts.ts"),
  ]);
  const vault = { home, databaseUrl, keyStore };
  const [taken] = await listAccounts({ file, cwd, ...vault, account: DEFAULT_ACCOUNT, slot: "user" });
  const account = made ?? (taken === undefined ? DEFAULT_ACCOUNT : SECOND_ACCOUNT);
  await connectAccount({
    ...{ file, cwd, ...vault, redactor, account, now: session.now },
    secrets: { [field]: link.token },
    routes: session.routes(),
    ...(needsEndpoint ? { endpoint: origin } : {}),
  });
  session.events.send({ type: "account" });
  return account;
}

function routesTo(session: DevSession, target: string): RouteView[] {
  const fixed = fixedOrigins(session);
  const on = new Set(session.routes().flatMap((route) => (route.endsWith(`=${target}`) ? [route.slice(0, route.indexOf("="))] : [])));
  const state = session.state();
  const offered = [...suggestedOrigins(state), ...domainsOf(state.definition).map((domain) => `https://${domain}`)];
  return [...new Set([...on, ...offered])].map((origin) => ({ origin, isOn: on.has(origin), isFixed: fixed.has(origin) }));
}

function fixedOrigins({ options }: DevSession): ReadonlySet<string> {
  return new Set((options.routes ?? []).map((route) => route.slice(0, route.indexOf("="))));
}

function domainsOf(definition: PackVersionDefinition | undefined): string[] {
  return listOf(definition?.networkDomains).map(String);
}

function userAuthentication(session: DevSession): SecretAuthentication | undefined {
  const { definition } = session.state();
  const authentication = definition === undefined ? undefined : authenticationOf(definition, "user");
  return isSecretAuthentication(authentication) ? authentication : undefined;
}

/** The field that a token goes into; undefined when an account consists of something else. */
function tokenField(authentication: SecretAuthentication | undefined): string | undefined {
  if (authentication === undefined) return undefined;
  const [field, ...others] = secretFieldsOf(authentication).filter(({ isOptional }) => !isOptional);
  return field !== undefined && others.length === 0 && field.name === "token" ? field.name : undefined;
}
