import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { discoverAuthentication } from "../../dist/connect/discover-authentication.js";
import {
  connectAccount,
  createRedactor,
  type Elicitation,
  type ElicitedValue,
  isPackError,
  type RunResult,
  runFormula,
} from "../../dist/node.js";

// The client that the conformance suite starts: it writes a Pack with the suite's MCP server, then
// lists and calls its tools. When the server asks for an account or for more scopes, it connects,
// as the hints of packsmith say.

const [serverUrl = ""] = process.argv.slice(2);
const scenario = process.env["MCP_CONFORMANCE_SCENARIO"] ?? "";
const context = JSON.parse(process.env["MCP_CONFORMANCE_CONTEXT"] ?? "{}") as Record<
  string,
  string
>;

/** How often the client connects before it gives up. */
const MAX_CONNECTIONS = 3;

const EXAMPLES: Record<string, unknown> = { number: 2, integer: 2, boolean: true };

const directory = await mkdtemp(join(tmpdir(), "mcp-client-"));
try {
  await mkdir(join(directory, "node_modules"));
  await symlink(
    new URL("../..", import.meta.url).pathname,
    join(directory, "node_modules/packsmith"),
  );
  process.exitCode = (await useTools()) ? 0 : 1;
} finally {
  await rm(directory, { recursive: true, force: true });
}

async function useTools(): Promise<boolean> {
  const redactor = createRedactor();
  const common = {
    file: join(directory, "pack.ts"),
    cwd: directory,
    home: join(directory, "home"),
    redactor,
  } as const;
  await writeFile(common.file, packText(await createAuthentication()));
  const run = (target: string, args: object = {}): Promise<RunResult> =>
    runFormula({
      ...common,
      formula: target,
      args: { text: [JSON.stringify(args)] },
      routes: [new URL(serverUrl).origin],
      elicit: async (elicitation) => ({ action: "accept", content: suggestedContent(elicitation) }),
    });
  if (!scenario.startsWith("auth/")) return await callTools(run);
  const granted: string[] = [];
  let connections = 0;
  for (const target of ["Mcp:tools", "Mcp:call:test-tool", "Mcp:tools"]) {
    for (;;) {
      const answer = await run(target);
      if (answer.ok) break;
      const { cause } = answer.failure;
      console.error(`${target}: ${answer.failure.error.message}`);
      const isAccount = ["ACCOUNT_MISSING", "ACCOUNT_RECONNECT", "ACCOUNT_SCOPES"].some((code) =>
        isPackError(cause, code as "ACCOUNT_SCOPES"),
      );
      if (!isAccount || connections++ === MAX_CONNECTIONS) return false;
      if (isPackError(cause, "ACCOUNT_SCOPES")) granted.push(...cause.details.missing);
      await connectAccount({
        ...common,
        ...createClient(),
        browser: "headless",
        extraScopes: granted,
        onProgress: (line) => console.error(line),
      });
    }
  }
  return true;
}

/** A form that is sent as it is shown. */
function suggestedContent(elicitation: Elicitation): Record<string, ElicitedValue> {
  if (elicitation.mode === "url") return {};
  return Object.fromEntries(
    elicitation.fields.flatMap((field) =>
      field.default === undefined ? [] : [[field.name, field.default]],
    ),
  );
}

/** The calls that a scenario asks for, otherwise one of each tool. */
async function callTools(
  run: (target: string, args?: object) => Promise<RunResult>,
): Promise<boolean> {
  const listed = await run("Mcp:tools");
  if (!listed.ok) {
    console.error(listed.failure.error.message);
    return false;
  }
  const calls =
    (context["toolCalls"] as unknown as ToolCall[] | undefined) ??
    (listed.result as Tool[]).map(({ name, inputSchema }) => ({
      name,
      arguments: createExample(inputSchema),
    }));
  // One scenario wants the schema of a tool back, as this client read it.
  const [described] = listed.result as Tool[];
  for (const { name, arguments: args } of calls) {
    const sent = name === "json_schema_echo" ? { schema: described?.inputSchema } : args;
    const answer = await run(`Mcp:call:${name}`, sent);
    if (!answer.ok) console.error(`${name}: ${answer.failure.error.message}`);
  }
  return true;
}

interface ToolCall {
  name: string;
  arguments: object;
}

interface Tool {
  name: string;
  inputSchema: { properties?: Record<string, { type?: string }> };
}

function createExample({ properties = {} }: Tool["inputSchema"]): object {
  return Object.fromEntries(
    Object.entries(properties).map(([name, { type = "" }]) => [name, EXAMPLES[type] ?? "text"]),
  );
}

function packText(authentication: object): string {
  const domains = [
    ...new Set(
      [serverUrl, ...Object.values(context).filter((text) => URL.canParse(text))].map(
        (url) => new URL(url).host,
      ),
    ),
  ];
  return `import { newPack } from "packsmith";
export const pack = newPack();
${domains.map((domain) => `pack.addNetworkDomain(${JSON.stringify(domain)});`).join("\n")}
pack.setUserAuthentication(${JSON.stringify({ ...authentication, networkDomain: new URL(serverUrl).host })});
pack.addMCPServer({ name: "Conformance", endpointUrl: ${JSON.stringify(serverUrl)} });
`;
}

async function createAuthentication(): Promise<object> {
  const code = {
    type: "OAuth2",
    useProofKeyForCodeExchange: true,
    useDynamicClientRegistration: true,
  };
  switch (scenario) {
    case "auth/basic-cimd":
      return { ...code, clientMetadataUrl: "https://conformance-test.local/client-metadata.json" };
    case "auth/client-credentials-jwt":
    case "auth/client-credentials-basic":
    case "auth/wif-jwt-bearer":
      return (await discoverAuthentication({ issuer: serverUrl, redactor: createRedactor() }))
        .definition;
    case "auth/enterprise-managed-authorization":
    case "auth/cross-app-access-complete-flow":
      return await throughIdentityProvider();
    default:
      return code;
  }
}

/**
 * The identity provider exchanges its ID Token for an assertion (RFC 8693), and the server that one
 * for an access token (RFC 7523).
 */
async function throughIdentityProvider(): Promise<object> {
  const { definition, server } = await discoverAuthentication({
    issuer: serverUrl,
    redactor: createRedactor(),
  });
  const secret = (name: string) => ({ name, label: name, kind: "text", secret: true });
  return {
    type: "OAuth2ClientCredentials",
    tokenUrl: context["idp_token_endpoint"],
    grantType: "urn:ietf:params:oauth:grant-type:token-exchange",
    credentialsLocation: "AuthorizationHeader",
    connectionVariables: [secret("idToken"), secret("serverSecret")],
    tokenParams: {
      subject_token: "{idToken}",
      subject_token_type: "urn:ietf:params:oauth:token-type:id_token",
      requested_token_type: "urn:ietf:params:oauth:token-type:id-jag",
      audience: server.issuer,
      resource: definition.resource ?? serverUrl,
    },
    tokenExchange: {
      url: definition.tokenUrl,
      grantType: "urn:ietf:params:oauth:grant-type:jwt-bearer",
      params: { assertion: "{token}" },
      clientId: context["client_id"],
      clientSecret: "{serverSecret}",
    },
  };
}

function createClient() {
  const {
    client_id: clientId,
    client_secret: clientSecret,
    private_key_pem: key,
    valid_jwt: assertion,
  } = context;
  const { idp_client_id: idpClient, idp_id_token: idToken = "" } = context;
  if (idpClient !== undefined) {
    const answers: Record<string, string> = { idToken, serverSecret: clientSecret ?? "" };
    return {
      client: { clientId: idpClient, clientSecret: undefined },
      ask: async ({ name }: { name: string }) => answers[name],
    };
  }
  if (clientId === undefined) return {};
  return { client: { clientId, clientSecret: key ?? clientSecret }, ask: async () => assertion };
}
