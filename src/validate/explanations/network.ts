import type { IssueCode } from "../codes.ts";
import { authentication, oauth2 } from "./examples.ts";
import type { Explanation } from "./explanation.ts";

const domain = (text: string): string => `pack.addNetworkDomain(${text});`;
const TWO = '"tasks.example", "files.example"';

export const networkExplanations = {
  NETWORK_DOMAIN_INVALID: {
    why: "A network domain is compared with the host of each request. A protocol, a path, a port, a wildcard or an IP address never equals one; subdomains are included anyway.",
    bad: domain('"https://api.tasks.example/v1"'),
    good: domain('"tasks.example"'),
  },
  NETWORK_DOMAIN_LOOPBACK: {
    why: "Elsewhere this name is another machine. It helps while you try the Pack against a local server, and has to go before you publish.",
    bad: domain('"localhost:8080"'),
    good: domain('"tasks.example"'),
  },
  NETWORK_DOMAIN_PUBLIC_SUFFIX: {
    why: "Everybody can register a name under a public suffix, so the Pack could send data and credentials to hosts of anybody.",
    bad: domain('"com"'),
    good: domain('"tasks.example"'),
  },
  NETWORK_DOMAIN_DUPLICATE: {
    why: "The second one has no effect. Case does not matter in host names.",
    bad: domain('"tasks.example", "Tasks.example"'),
    good: domain('"tasks.example"'),
  },
  NETWORK_DOMAIN_MISSING: {
    why: "Credentials go to declared domains only. Without one they could not be used, and with none declared no request is allowed.",
    bad: "pack.setUserAuthentication({ type: AuthenticationType.HeaderBearerToken });",
    good: authentication({ type: "AuthenticationType.HeaderBearerToken" }),
  },
  AUTH_NETWORK_DOMAIN_EMPTY: {
    why: "An empty domain is no host, and credentials that may go nowhere are of no use.",
    bad: oauth2({ networkDomain: "[]" }),
    good: oauth2({ networkDomain: '"tasks.example"' }),
  },
  AUTH_NETWORK_DOMAIN_UNDECLARED: {
    why: "Credentials can go to the Pack's own network domains only; users see these before they connect an account.",
    bad: oauth2({ networkDomain: '"files.example"' }),
    good: oauth2({ networkDomain: '"tasks.example"' }),
  },
  AUTH_NETWORK_DOMAIN_MISSING: {
    why: "With several network domains it must be said which of them receive the credentials; to guess would be to leak them.",
    bad: oauth2({}, TWO),
    good: oauth2({ networkDomain: '"tasks.example"' }, TWO),
  },
  AUTH_ENDPOINT_DOMAIN: {
    why: "Each account's own endpoint must lie under this domain. When the domain is outside the network domains, no request to it is allowed.",
    bad: oauth2({ endpointKey: '"url"', requiresEndpointUrl: "true", endpointDomain: '"files.example"' }),
    good: oauth2({ endpointKey: '"url"', requiresEndpointUrl: "true", endpointDomain: '"tasks.example"' }),
  },
} satisfies Partial<Record<IssueCode, Explanation>>;
