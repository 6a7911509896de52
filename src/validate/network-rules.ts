import { getDomain, getPublicSuffix } from "tldts";
import { hostMatchesDomain, isLoopbackHost } from "../define/hosts.ts";
import { isRecord, type Members, toList } from "../shared/values.ts";
import type { IssueCode } from "./codes.ts";
import type { Path, Report } from "./report.ts";
import { shortenValue } from "./shape.ts";

const MAX_DOMAIN_LENGTH = 253;
const SLOTS = ["defaultAuthentication", "systemConnectionAuthentication"] as const;
/** The document service's own domains. Its tokens may be sent only there. */
const SERVICE_DOMAINS = ["coda.io", "superhuman.com", "pp-sh.io", "qa-sh.io", "grammarlyaws.com"];

/** The network domains, and what each authentication says about them. */
export function checkNetwork(pack: Members, report: Report): void {
  const domains = toList(pack["networkDomains"]).filter((domain) => typeof domain === "string");
  const seen = new Set<string>();
  toList(pack["networkDomains"]).forEach((domain, index) => {
    if (typeof domain !== "string") return;
    checkDomain(domain, ["networkDomains", index], report);
    const key = domain.toLowerCase();
    if (seen.has(key))
      report(
        "NETWORK_DOMAIN_DUPLICATE",
        ["networkDomains", index],
        `${shortenValue(domain)} is listed twice.`,
        "Remove this declaration.",
        {
          kind: "remove",
        },
      );
    seen.add(key);
  });
  // Each authentication separately: what one may leave out does not matter for the others.
  for (const { authentication, path } of listAuthentications(pack)) {
    checkAuthenticationDomains(authentication, path, domains, report);
    checkServiceDomains(authentication, path, toList(pack["networkDomains"]), report);
  }
}

/** Every authentication of a Pack, and where it is. */
export function listAuthentications(pack: Members): { authentication: Members; path: Path }[] {
  const admins = toList(pack["adminAuthentications"]).map((entry, index) => ({
    authentication: isRecord(entry) ? entry["authentication"] : undefined,
    path: ["adminAuthentications", index, "authentication"] as Path,
  }));
  const slots = SLOTS.map((slot) => ({ authentication: pack[slot], path: [slot] as Path }));
  return [...slots, ...admins].flatMap(({ authentication, path }) =>
    isRecord(authentication) ? [{ authentication, path }] : [],
  );
}

function checkDomain(domain: string, path: Path, report: Report): void {
  const reason = reasonAgainst(domain);
  if (isLoopbackHost(domain)) {
    const message = `${shortenValue(domain)} is a name of this machine, so the Pack works only on this machine.`;
    report(
      "NETWORK_DOMAIN_LOOPBACK",
      path,
      message,
      "Before you publish, declare the public host name.",
    );
  } else if (reason !== undefined) {
    const {
      problem,
      host,
      hint = `Write ${host ?? "a host name such as api.host.example"}.`,
    } = reason;
    const fix =
      host !== undefined && isAcceptable(host)
        ? ({ kind: "replace", text: host } as const)
        : undefined;
    report("NETWORK_DOMAIN_INVALID", path, `${shortenValue(domain)} ${problem}.`, hint, fix);
  } else if (isPublicSuffix(domain)) {
    const message = `${shortenValue(domain)} is a public suffix: the Pack could send requests to domains that belong to strangers.`;
    report(
      "NETWORK_DOMAIN_PUBLIC_SUFFIX",
      path,
      message,
      `Write the domain that the Pack calls, such as api.host.${domain}.`,
    );
  }
}

/** Whether the suggested host passes the rules; otherwise it would only be the next problem. */
function isAcceptable(host: string): boolean {
  return reasonAgainst(host) === undefined && !isLoopbackHost(host) && !isPublicSuffix(host);
}

/**
 * Checks domains that limit which hosts a response or a callback may name, and so where a secret
 * may be sent.
 */
export function checkTrustedDomains(
  domains: unknown,
  path: Path,
  code: IssueCode,
  report: Report,
): void {
  toList(domains).forEach((domain, index) => {
    if (typeof domain !== "string" || isLoopbackHost(domain)) return;
    const { problem, hint = "Write a host name such as api.host.example." } =
      reasonAgainst(domain) ??
      (isPublicSuffix(domain)
        ? { problem: "is a public suffix, under which anyone can register a domain" }
        : {});
    if (problem !== undefined)
      report(code, [...path, index], `${shortenValue(domain)} ${problem}.`, hint);
  });
}

/** What is wrong with a domain, and the host that was probably meant. */
interface DomainProblem {
  problem: string;
  host?: string | undefined;
  /** @default Write the host. */
  hint?: string | undefined;
}

function reasonAgainst(domain: string): DomainProblem | undefined {
  const host = /^(?:[a-z][a-z0-9+.-]*:\/+)?(?:[^/@]*@)?([^/?#:\s]+)/i.exec(domain)?.[1];
  if (domain === "")
    return { problem: "is empty", hint: "Write a host name such as api.host.example." };
  if (domain.length > MAX_DOMAIN_LENGTH)
    return {
      problem: `is longer than ${MAX_DOMAIN_LENGTH} characters`,
      hint: "Write only the host name.",
    };
  if (/^[a-z][a-z0-9+.-]*:\/|^https?:/i.test(domain)) return { problem: "has a protocol", host };
  if (/[/?#]/.test(domain)) return { problem: "has a path", host };
  if (/\s/.test(domain))
    return { problem: "has a space", hint: "Pass each domain as a separate argument." };
  if (domain.includes("*")) {
    const parent = domain.replace(/^[*.]+/, "");
    return {
      problem: "has a wildcard",
      host: parent,
      hint: `Write ${parent}; its subdomains are included.`,
    };
  }
  if (/^\[|^[0-9.]+(?::\d+)?$|^[0-9a-f:]*:[0-9a-f:]*:[0-9a-f:]*$/i.test(domain)) {
    return {
      problem: "is an IP address",
      hint: "Write the server's host name.",
    };
  }
  if (/:\d*$/.test(domain)) return { problem: "has a port", host };
  if (domain.endsWith(".")) return { problem: "ends with a dot", host: domain.replace(/\.+$/, "") };
  const isHostName = domain
    .split(".")
    .every((label) => /^(?!-)[\p{L}\p{N}_-]{1,63}(?<!-)$/u.test(label));
  return isHostName
    ? undefined
    : {
        problem: "is not a valid host name",
        hint: "Use only letters, digits, hyphens and dots, as in api.host.example.",
      };
}

export function isPublicSuffix(domain: string): boolean {
  const name = domain.toLowerCase();
  // For a top-level domain that is not in the list, such as the reserved `example`, the last label
  // counts as the suffix.
  return getPublicSuffix(name, { allowPrivateDomains: false }) === name;
}

function checkAuthenticationDomains(
  authentication: Members,
  path: Path,
  domains: readonly string[],
  report: Report,
): void {
  const { type, networkDomain, endpointDomain, requiresEndpointUrl } = authentication;
  if (type === "None" || type === "Various" || type === undefined) return;
  const hasOnlyEndpoint = requiresEndpointUrl === true && endpointDomain === undefined;
  if (domains.length === 0 && !hasOnlyEndpoint) {
    const hint = 'Call pack.addNetworkDomain("api.host.example") with the host of the API.';
    report(
      "NETWORK_DOMAIN_MISSING",
      ["networkDomains"],
      "The Pack has authentication but no network domain.",
      hint,
    );
    return;
  }
  const isList = Array.isArray(networkDomain);
  const own = (isList ? networkDomain : [networkDomain]).filter(
    (domain) => typeof domain === "string" && domain !== "",
  ) as string[];
  own.forEach((domain, index) => {
    if (domains.some((declared) => declared.toLowerCase() === domain.toLowerCase())) return;
    const message = `${shortenValue(domain)} is not one of the Pack's network domains.`;
    const at = [...path, "networkDomain", ...(isList ? [index] : [])];
    report(
      "AUTH_NETWORK_DOMAIN_UNDECLARED",
      at,
      message,
      domains.length === 0
        ? `Call addNetworkDomain(${shortenValue(domain)}).`
        : `Write ${domains.map(shortenValue).join(" or ")}.`,
    );
  });
  if (networkDomain === undefined && domains.length > 1) {
    const hint = `Add networkDomain: ${domains.map(shortenValue).join(" or ")}, or a list of them.`;
    report(
      "AUTH_NETWORK_DOMAIN_MISSING",
      [...path, "networkDomain"],
      "The Pack has several network domains. The authentication does not specify which domains receive the credentials.",
      hint,
    );
  }
  if (typeof endpointDomain === "string")
    checkEndpointDomain(
      endpointDomain,
      own.length > 0 ? own : domains,
      [...path, "endpointDomain"],
      report,
    );
}

function checkEndpointDomain(
  endpointDomain: string,
  domains: readonly string[],
  path: Path,
  report: Report,
): void {
  if (domains.some((domain) => hostMatchesDomain(endpointDomain, domain))) return;
  const message = `${shortenValue(endpointDomain)} is outside the network domains of the Pack: ${domains.map(shortenValue).join(", ")}.`;
  report(
    "AUTH_ENDPOINT_DOMAIN",
    path,
    message,
    `Call pack.addNetworkDomain(${shortenValue(endpointDomain)}), or correct endpointDomain.`,
  );
}

/** @returns the domain that someone has registered, of a URL: `tasks.example` of `https://api.tasks.example/`; undefined without one */
export function readSite(url: string): string | undefined {
  return getDomain(url, { allowPrivateDomains: false }) ?? undefined;
}

/**
 * The token may go to the service's own domains, and to this machine, where the local service runs.
 */
function checkServiceDomains(
  { type, networkDomain }: Members,
  path: Path,
  declared: readonly unknown[],
  report: Report,
): void {
  if (type !== "CodaApiHeaderBearerToken") return;
  const check = (domain: unknown, at: Path): void => {
    if (
      typeof domain !== "string" ||
      isLoopbackHost(domain) ||
      SERVICE_DOMAINS.some((own) => hostMatchesDomain(domain, own))
    )
      return;
    const message = `${shortenValue(domain)} would receive the token for the document service, but does not belong to the service.`;
    report(
      "AUTH_SERVICE_DOMAIN",
      at,
      message,
      `Set networkDomain: ${shortenValue(SERVICE_DOMAINS[0])}, or choose another type of authentication.`,
    );
  };
  if (networkDomain === undefined) {
    // With several domains, another rule asks which of them gets the token.
    if (declared.length === 1) check(declared[0], ["networkDomains", 0]);
  } else if (!Array.isArray(networkDomain)) check(networkDomain, [...path, "networkDomain"]);
  else
    networkDomain.forEach((domain, index) => {
      check(domain, [...path, "networkDomain", index]);
    });
}
