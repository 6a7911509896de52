import { hostMatchesDomain } from "../../define/hosts.ts";
import type { PackVersionDefinition } from "../../define/pack.ts";
import type { SourceFile } from "../../validate/issue.ts";

/** Where the interface of a document service begins. */
const API_PATH = "/apis/v1";
/** How sources name a document service. */
const API_URL = /\bhttps:\/\/([a-z0-9.-]+(?::\d+)?)\/apis\/v1\b/gi;
const CLIENT_IMPORT = /["']packsmith\/service["']/;

/**
 * Origins below the Pack's domains where its sources expect a document service. A Pack that only
 * uses the endpoint of its account expects one at its first domain.
 */
export function findDocumentOrigins(
  definition: PackVersionDefinition | undefined,
  sources: readonly SourceFile[],
): string[] {
  const domains = definition?.networkDomains ?? [];
  const named = sources
    .flatMap(({ text }) => [...text.matchAll(API_URL)].map(([, host = ""]) => host.toLowerCase()))
    .filter((host) => domains.some((domain) => hostMatchesDomain(host, domain)));
  const usesClient = sources.some(({ text }) => CLIENT_IMPORT.test(text));
  const hosts = named.length > 0 || !usesClient ? named : domains.slice(0, 1);
  return [...new Set(hosts)].map((host) => `https://${host}`);
}

/** The URL that a client of a document service is given. */
export function documentUrl(origin: string): string {
  return origin + API_PATH;
}
