import type { Authentication } from "../define/authentication.ts";
import { hostMatchesDomain } from "../define/hosts.ts";
import { PackError } from "../errors.ts";
import { fillDefinition, NO_ANSWERS } from "../oauth/fill-definition.ts";
import type { TokenSet } from "../oauth/token-set.ts";
import { canParseUrl } from "../shared/urls.ts";
import {
  type AccountHosts,
  type AccountKey,
  accountLabel,
  accountOptions,
  type StoredAccount,
} from "./account.ts";

/** The domains that requests with the credentials of an authentication may go to. */
export function listCredentialDomains(
  networkDomains: readonly string[],
  authentication: Authentication,
): readonly string[] {
  if (authentication.type === "None" || authentication.type === "Various") return [];
  const named = authentication.networkDomain;
  return named === undefined ? (networkDomains.length === 1 ? networkDomains : []) : [named].flat();
}

/**
 * The hosts that get credentials of an account by the definition as it is now. Relative URLs are
 * not in the list: they are joined to
 * the endpoint, which is in the account's record.
 */
export function declaredHosts(
  authentication: Authentication,
  networkDomains: readonly string[] | undefined,
  { answers, server }: Pick<StoredAccount, "answers" | "server">,
): AccountHosts {
  const isOAuth =
    authentication.type === "OAuth2" || authentication.type === "OAuth2ClientCredentials";
  const filled = isOAuth ? fillDefinition(authentication, answers ?? NO_ANSWERS) : undefined;
  // It becomes the account's endpoint when tokens are renewed.
  const endpointHost = parseHost(filled?.endpointUrl);
  const declared = networkDomains ?? [];
  const domains = [
    ...listCredentialDomains(declared, authentication),
    ...(endpointHost === undefined ? [] : [endpointHost]),
  ];
  return {
    credentialDomains: sortTexts(domains.map((domain) => domain.toLowerCase())),
    tokenOrigins: sortTexts(tokenOrigins()),
    networkDomains: sortTexts(declared.map((domain) => domain.toLowerCase())),
  };

  function tokenOrigins(): string[] {
    if (filled === undefined) return [];
    const own =
      filled.type === "OAuth2"
        ? [filled.refreshUrl, filled.pushedAuthorizationUrl, filled.tokenRenewal?.url]
        : [];
    const urls = [
      filled.tokenUrl ?? server?.tokenUrl,
      ...own,
      filled.tokenExchange?.url,
      server?.revocationUrl,
    ];
    const origins = urls.flatMap((url) =>
      url !== undefined && canParseUrl(url) ? [new URL(url).origin] : [],
    );
    // A host that the redirect names is unknown before.
    return origins.filter((origin) => !origin.includes("{"));
  }
}

/** @returns the hosts of `wanted` that `sealed` does not include */
export function hostsBeyond(wanted: AccountHosts, sealed: AccountHosts | "any"): string[] {
  if (sealed === "any") return [];
  const { credentialDomains, networkDomains = [] } = sealed;
  const isBeyond = (known: readonly string[]) => (domain: string) =>
    !known.some((each) => hostMatchesDomain(domain, each));
  return sortTexts([
    ...wanted.credentialDomains.filter(isBeyond(credentialDomains)),
    ...wanted.tokenOrigins.filter((origin) => !sealed.tokenOrigins.includes(origin)),
    ...(wanted.networkDomains ?? []).filter(isBeyond([...credentialDomains, ...networkDomains])),
  ]);
}

export interface HostCheck {
  key: AccountKey;
  authentication: Authentication;
  /** Domains that the Pack declares. */
  networkDomains: readonly string[] | undefined;
}

/**
 * Checks that the definition sends the account's credentials, and what the API answers, only where
 * they could go when it was connected.
 * @throws {PackError} ACCOUNT_HOSTS_CHANGED
 */
export function requireKnownHosts(
  account: StoredAccount,
  { key, authentication, networkDomains }: HostCheck,
): void {
  const wanted = declaredHosts(authentication, networkDomains, account);
  const beyond = hostsBeyond(wanted, account.hosts).filter(
    (host) => host !== parseHost(account.endpoint),
  );
  if (beyond.length > 0) throw hostsChanged(key, beyond);
}

/**
 * Checks the endpoint that came with renewed tokens: an account does not follow it to a host that
 * it was not connected for.
 * @throws {PackError} ACCOUNT_HOSTS_CHANGED
 */
export function requireKnownEndpoint(
  { key, hosts, endpoint, tokenSet }: StoredAccount,
  renewed: TokenSet,
): void {
  const host = parseHost(renewed.endpoint);
  if (
    host === undefined ||
    hosts === "any" ||
    [endpoint, tokenSet?.endpoint].some((known) => parseHost(known) === host)
  )
    return;
  if (!hosts.credentialDomains.some((domain) => hostMatchesDomain(host, domain)))
    throw hostsChanged(key, [host]);
}

/**
 * @returns the host with its port; undefined without a URL, and for one with a value that is not
 * known yet
 */
function parseHost(url: string | undefined): string | undefined {
  return url === undefined || url.includes("{") || !canParseUrl(url)
    ? undefined
    : new URL(url).host;
}

/** @param message what would be sent. @default what a run sends */
export function hostsChanged(
  key: AccountKey,
  hosts: readonly string[],
  message = `The Pack could now send credentials or data of the account "${accountLabel(key)}" to ${hosts.join(", ")}. You did not approve these hosts when you connected the account.`,
): PackError<"ACCOUNT_HOSTS_CHANGED"> {
  return new PackError("ACCOUNT_HOSTS_CHANGED", message, {
    details: { account: accountLabel(key), hosts },
    hint: `Undo the change in the Pack's code. If you trust the change, run packsmith auth allow-hosts ${key.pack}${accountOptions(key)}.`,
  });
}

function sortTexts(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort();
}
