import { oauth2, pack, withUser } from "../definitions.ts";
import type { Row } from "./row.ts";

const user = "defaultAuthentication";
const two = { networkDomains: ["tasks.example", "files.example"] };

export const networkRows: Row[] = [
  [
    "184",
    pack({ networkDomains: [`${"a".repeat(60)}.example`] }),
    pack({ networkDomains: [`${"a.".repeat(124)}example`, "api.-tasks.example"] }),
    "NETWORK_DOMAIN_INVALID networkDomains[0]",
    "NETWORK_DOMAIN_INVALID networkDomains[1]",
  ],
  [
    "185",
    pack(),
    pack({ networkDomains: ["https://tasks.example", "tasks.example/api"] }),
    "NETWORK_DOMAIN_INVALID networkDomains[0]",
    "NETWORK_DOMAIN_INVALID networkDomains[1]",
  ],
  [
    "186",
    withUser({ type: "HeaderBearerToken", requiresEndpointUrl: true }, { networkDomains: [] }),
    withUser(oauth2(), { networkDomains: [] }),
    "NETWORK_DOMAIN_MISSING networkDomains",
  ],
  [
    "187",
    withUser(oauth2({ networkDomain: "files.example" }), two),
    withUser(oauth2({ networkDomain: ["tasks.example", "api.tasks.example"] })),
    `AUTH_NETWORK_DOMAIN_UNDECLARED ${user}.networkDomain[1]`,
  ],
  [
    "188",
    withUser(oauth2({ networkDomain: "tasks.example", endpointDomain: "eu.tasks.example" }), two),
    withUser(oauth2({ networkDomain: "tasks.example", endpointDomain: "files.example" }), two),
    `AUTH_ENDPOINT_DOMAIN ${user}.endpointDomain`,
  ],
  [
    "189",
    withUser(oauth2({ endpointDomain: "eu.tasks.example" })),
    withUser(oauth2({ endpointDomain: "eviltasks.example" })),
    `AUTH_ENDPOINT_DOMAIN ${user}.endpointDomain`,
  ],
  [
    "190",
    withUser(oauth2({ networkDomain: "tasks.example" }), two),
    withUser(oauth2(), two),
    `AUTH_NETWORK_DOMAIN_MISSING ${user}.networkDomain`,
  ],
  [
    "A2",
    pack({ networkDomains: ["api.tasks.example"] }),
    pack({
      networkDomains: [
        "",
        "a b.example",
        "*.example.com",
        "10.0.0.1",
        "a.example:8080",
        "a.example.",
        "[fe80::1]",
      ],
    }),
    ...[0, 1, 2, 3, 4, 5, 6].map((index) => `NETWORK_DOMAIN_INVALID networkDomains[${index}]`),
  ],
  [
    "A2 public suffixes",
    pack({ networkDomains: ["example.com", "example.co.uk"] }),
    pack({ networkDomains: ["com", "co.uk", "example"] }),
    ...[0, 1, 2].map((index) => `NETWORK_DOMAIN_PUBLIC_SUFFIX networkDomains[${index}]`),
  ],
  [
    "A2 loopback is a warning",
    pack(),
    pack({ networkDomains: ["127.0.0.1", "localhost:8080", "[::1]:1"] }),
    ...[0, 1, 2].map((index) => `NETWORK_DOMAIN_LOOPBACK networkDomains[${index}]`),
  ],
  [
    "A2 once",
    pack(two),
    pack({ networkDomains: ["tasks.example", "Tasks.Example"] }),
    "NETWORK_DOMAIN_DUPLICATE networkDomains[1]",
  ],
  [
    "191",
    withUser(
      { type: "CodaApiHeaderBearerToken", networkDomain: "coda.io" },
      { networkDomains: ["coda.io", "tasks.example"] },
    ),
    withUser(
      { type: "CodaApiHeaderBearerToken", networkDomain: ["coda.io", "evilcoda.io"] },
      { networkDomains: ["coda.io", "evilcoda.io"] },
    ),
    `AUTH_SERVICE_DOMAIN ${user}.networkDomain[1]`,
  ],
  [
    "191 without a domain of its own",
    withUser({ type: "CodaApiHeaderBearerToken" }, { networkDomains: ["docs.coda.io"] }),
    withUser({ type: "CodaApiHeaderBearerToken" }),
    "AUTH_SERVICE_DOMAIN networkDomains[0]",
  ],
];
