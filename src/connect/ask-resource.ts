import { joinEndpoint } from "../define/hosts.ts";
import type { OAuth2Authentication } from "../define/oauth.ts";
import type { MCPServer } from "../define/skill.ts";
import { isPackError } from "../errors.ts";
import { callLibrary } from "../oauth/call-library.ts";
import { parseTokenChallenge, type TokenChallenge } from "../oauth/challenge.ts";
import type { OAuthDefinition } from "../oauth/definition.ts";
import type { TransportOptions } from "../oauth/send.ts";
import { createServerFetch } from "../oauth/server-fetch.ts";
import { packageVersion } from "../shared/own-package.ts";

/** The transport ends requests earlier. */
const TOOLS_TIMEOUT_MS = 60_000;

/** The API or MCP server that an account is for. */
export interface ResourceTarget {
  /** An absolute URL. */
  url: string;
  /** Whether it speaks the Model Context Protocol. @default unknown */
  isMcp?: boolean | undefined;
}

/**
 * The resource of a Pack: its `resource`, otherwise its MCP server, otherwise the account's
 * endpoint.
 */
export function findResource(
  { resource }: Pick<OAuth2Authentication, "resource">,
  mcpServers: readonly MCPServer[],
  endpoint: string | undefined,
): ResourceTarget | undefined {
  const [server] = mcpServers;
  const absolute = (text: string): string | undefined =>
    !text.startsWith("/")
      ? text
      : endpoint === undefined
        ? undefined
        : joinEndpoint(endpoint, text);
  const mcpUrl = server === undefined ? undefined : absolute(server.endpointUrl);
  const url = resource === undefined ? (mcpUrl ?? endpoint) : absolute(resource);
  return url === undefined ? undefined : { url, isMcp: url === mcpUrl };
}

/**
 * Asks a resource for something without a token, to get the challenge of its refusal (RFC 9728 §5).
 * @returns undefined when it refuses nothing, or without a challenge
 * @throws {PackError} OAUTH_TOKEN_UNAVAILABLE, OAUTH_TOKEN_TIMEOUT, URL_NOT_ALLOWED
 */
export async function findChallenge(
  { url, isMcp }: ResourceTarget,
  definition: OAuthDefinition,
  options: TransportOptions,
): Promise<TokenChallenge | undefined> {
  const ask = createServerFetch({ ...options, definition, purpose: "resource" });
  return await callLibrary(ask, async (send) => {
    const asked = isMcp === true ? undefined : await askOnce(url, send);
    return asked ?? (isMcp === false ? undefined : await askForTools(url, send));
  });
}

async function askOnce(url: string, send: typeof fetch): Promise<TokenChallenge | undefined> {
  const response = await send(url, { headers: { accept: "application/json" } });
  return response.status === 401
    ? parseTokenChallenge(response.headers.get("www-authenticate"))
    : undefined;
}

/** Some MCP servers demand a token only for what comes after the handshake. */
async function askForTools(url: string, sendOn: typeof fetch): Promise<TokenChallenge | undefined> {
  const [{ connectMcpClient }, { McpRefusal, watchRefusals }] = await Promise.all([
    import("../execute/mcp/mcp-client.ts"),
    import("../execute/mcp/mcp-fetch.ts"),
  ]);
  try {
    const client = await connectMcpClient({
      url: new URL(url),
      version: packageVersion(),
      requests: watchRefusals(sendOn, url),
      onLog: () => undefined,
      timeoutMs: TOOLS_TIMEOUT_MS,
    });
    await client.listTools().finally(() => client.close());
  } catch (error) {
    if (error instanceof McpRefusal) return parseTokenChallenge(error.headers["www-authenticate"]);
    // Whether the server works is not the question here.
    if (!isPackError(error, "MCP_SERVER_FAILED")) throw error;
  }
  return undefined;
}
