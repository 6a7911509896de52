import { PackError } from "../errors.ts";

/** Stands in until src/define/hosts.ts arrives. */
export function isLoopbackHost(host: string): boolean {
  const name = host.replace(/:\d+$/, "").toLowerCase();
  return name === "localhost" || name === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(name);
}

export function hostMatchesDomain(host: string, domain: string): boolean {
  const [hostName = "", hostPort = ""] = split(host);
  const [domainName = "", domainPort = ""] = split(domain);
  if (domainPort !== "" && domainPort !== hostPort) return false;
  if (domainPort === "" && hostPort !== "" && !isLoopbackHost(domainName)) return false;
  return hostName === domainName || hostName.endsWith(`.${domainName}`);
}

function split(host: string): [string, string] {
  const match = /^(.*?)(?::(\d+))?$/.exec(host.toLowerCase());
  return [(match?.[1] ?? "").replace(/\.$/, ""), match?.[2] ?? ""];
}

export function joinEndpoint(endpoint: string, relative: string): string {
  if (!/^\/(?![/\\])/.test(relative) || relative.includes("\\") || /(^|\/)(\.|%2e){1,2}(\/|$|\?)/i.test(relative.split("?")[0] ?? "")) {
    throw new PackError("URL_NOT_ALLOWED", "A relative URL begins with exactly one slash.", {
      details: { url: relative, reason: "relative" },
      hint: "Write /path, or an absolute URL.",
    });
  }
  return endpoint.replace(/\/+$/, "") + relative;
}
