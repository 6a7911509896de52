import * as z from "zod/mini";
import { hostMatchesDomain, isLoopbackHost } from "../define/hosts.ts";
import type { MCPServer } from "../define/skill.ts";
import { parseUrl } from "../shared/urls.ts";
import { isRecord, type Members, toList } from "../shared/values.ts";
import { isRootRelative } from "./authentication-urls.ts";
import { checkName, createUniqueNames } from "./names.ts";
import type { Path, Report } from "./report.ts";
import { checkShape, type ShapeOf, shortenValue, text } from "./shape.ts";

const MAX_SERVERS = 1;

const serverShape = z.strictObject({ name: text, endpointUrl: text } satisfies ShapeOf<MCPServer>);

/** Servers for the Model Context Protocol. */
export function checkMcpServers(pack: Members, report: Report): void {
  const servers = toList(pack["mcpServers"]);
  if (servers.length > MAX_SERVERS) {
    const message = `The Pack has ${servers.length} MCP servers; the limit is ${MAX_SERVERS}.`;
    report(
      "MCP_SERVER_COUNT",
      ["mcpServers"],
      message,
      "Split the Pack, or remove all servers but one.",
    );
  }
  const checkUnique = createUniqueNames("MCP_SERVER_NAME", "MCP server", report);
  servers.forEach((server, index) => {
    const path = ["mcpServers", index];
    if (!checkShape(serverShape, server, path, { unknownKey: "KEY_UNKNOWN" }, report)) return;
    const { name, endpointUrl } = server;
    checkName("MCP_SERVER_NAME", name, [...path, "name"], report);
    checkUnique(name, [...path, "name"]);
    if (typeof endpointUrl === "string")
      checkEndpoint(endpointUrl, pack, [...path, "endpointUrl"], report);
  });
}

function checkEndpoint(endpointUrl: string, pack: Members, path: Path, report: Report): void {
  const example = 'Write an https URL such as "https://mcp.host.example/mcp".';
  if (endpointUrl === "") report("MCP_ENDPOINT_URL", path, "endpointUrl is empty.", example);
  else if (endpointUrl.startsWith("/")) checkRelative(endpointUrl, pack, path, report);
  else {
    const url = /\s/.test(endpointUrl) ? undefined : parseUrl(endpointUrl);
    if (url === undefined)
      report("MCP_ENDPOINT_URL", path, `${shortenValue(endpointUrl)} is not a valid URL.`, example);
    else if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopbackHost(url.host))) {
      report(
        "MCP_ENDPOINT_URL",
        path,
        `endpointUrl uses ${url.protocol.slice(0, -1)}, not https.`,
        example,
      );
    } else checkDomain(url.host, pack, path, report);
  }
}

function checkDomain(host: string, pack: Members, path: Path, report: Report): void {
  const domains = toList(pack["networkDomains"]).filter((domain) => typeof domain === "string");
  if (domains.some((domain) => hostMatchesDomain(host, domain))) return;
  const message =
    domains.length === 0
      ? "The Pack has no network domain."
      : `${shortenValue(host)} is outside the network domains of the Pack: ${domains.map(shortenValue).join(", ")}.`;
  report("MCP_NETWORK_DOMAIN", path, message, `Call addNetworkDomain(${shortenValue(host)}).`);
}

/** The endpoint of the Pack's own account counts first. */
function checkRelative(endpointUrl: string, pack: Members, path: Path, report: Report): void {
  if (!isRootRelative(endpointUrl)) {
    report(
      "MCP_ENDPOINT_URL",
      path,
      "endpointUrl must be a path on the endpoint.",
      "Start the path with exactly one slash.",
    );
    return;
  }
  const authentication = pack["systemConnectionAuthentication"] ?? pack["defaultAuthentication"];
  if (isRecord(authentication) && suppliesEndpoint(authentication)) return;
  const message = "endpointUrl is relative, but the account has no endpoint.";
  report(
    "MCP_ENDPOINT_URL",
    path,
    message,
    "Write the complete URL, or set requiresEndpointUrl: true in the authentication.",
  );
}

function suppliesEndpoint({
  requiresEndpointUrl,
  endpointKey,
  endpointUrl,
  postSetup,
}: Members): boolean {
  const isSet = toList(postSetup).some((step) => isRecord(step) && step["type"] === "SetEndPoint");
  return (
    requiresEndpointUrl === true || endpointKey !== undefined || endpointUrl !== undefined || isSet
  );
}
