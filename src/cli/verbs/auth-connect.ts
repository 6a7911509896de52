import type { Command } from "commander";
import type { BrowserObstacle, WantedClient } from "../../connect/connect-options.ts";
import type { LocalConnection } from "../../connect/rehearsal/rehearsal.ts";
import type { ConnectionVariable } from "../../define/oauth-parameters.ts";
import type { DeviceInstructions } from "../../oauth/connect/device-authorization.ts";
import { countText } from "../../shared/count-text.ts";
import {
  ACCOUNT_OPTIONS,
  type AccountFlags,
  printAccount,
  withAccountOptions,
} from "../account-verb.ts";
import type { ClientCredentialFlags } from "../client-credentials.ts";
import { chooseAccount, localConnection } from "../local-option.ts";
import { type Output, printable, type Streams } from "../output.ts";
import type { ConnectionFlags } from "../parse-flags.ts";
import { collect, examples, findSlot, numberOption, type VerbContext } from "../verb.ts";

interface ConnectFlags extends AccountFlags, ClientCredentialFlags, ConnectionFlags {
  secretsStdin?: boolean;
  var?: string[];
  scopes?: string;
  acrValues?: string;
  maxAge?: string;
  choose?: string[];
  redirectUri?: string;
  redirectPath?: string;
  https?: boolean;
}

export function addAuthConnectVerb(auth: Command, context: VerbContext): void {
  const command = auth
    .command("connect", { isDefault: true })
    .alias("login")
    .description("Connect an account, and store the encrypted tokens or credentials in the vault")
    .addHelpText(
      "after",
      examples(
        "packsmith auth connect pack.ts",
        "packsmith auth connect pack.ts --client-id my-app --port 3000",
        "packsmith auth connect pack.ts --device",
        "packsmith auth connect pack.ts --account work",
      ),
    )
    .argument("<file>", "entry file of the Pack");
  addClientOptions(command);
  addAnswerOptions(command);
  addRedirectOptions(command);
  addBrowserOptions(command);
  withAccountOptions(
    command,
    async () => (await import("../outputs/account-outputs.ts")).connectOutput,
    "connectAccount",
  ).action((file: string, flags: ConnectFlags) => connect(file, flags, context));
}

function addClientOptions(command: Command): void {
  command
    .optionsGroup("Client:")
    .option("--client-id <id>", "client ID (default: PACKSMITH_CLIENT_ID)")
    .option(
      "--client-secret-env <name>",
      "environment variable that contains the client secret (default: PACKSMITH_CLIENT_SECRET)",
    )
    .option("--client-secret-stdin", "read the client secret from stdin")
    .option(
      "--client-key-file <path>",
      "file with the private key: PEM or JWK for private_key_jwt, PEM for tls_client_auth",
    )
    .option(
      "--certificate-file <path>",
      "file with the client certificate (PEM), for tls_client_auth",
    );
}

function addAnswerOptions(command: Command): void {
  command
    .optionsGroup(ACCOUNT_OPTIONS)
    .option("--scopes <scopes>", "additional scopes to request, separated by spaces")
    .option(
      "--acr-values <list>",
      "request a login with one of these authentication contexts, separated by spaces (RFC 9470)",
    )
    .option(
      "--max-age <seconds>",
      "request a new login if the last login is older than this number of seconds (RFC 9470)",
    )
    .option(
      "--endpoint <url>",
      "base URL of the account's API, for Packs that set requiresEndpointUrl",
    )
    .option(
      "--var <name=value>",
      "set the value of a connection variable; can be repeated. For a secret variable, set PACKSMITH_VAR_<NAME>",
      collect,
    )
    .option(
      "--choose <step=value>",
      "choose the endpoint in a set-up step; can be repeated",
      collect,
    )
    .option(
      "--secrets-stdin",
      "read credentials from stdin: a token, or a JSON object with the names and values",
    );
}

function addRedirectOptions(command: Command): void {
  command
    .optionsGroup("Redirect URI:")
    .addOption(
      numberOption(
        "--port <number>",
        "use this port for the redirect URI; 0 selects a free port",
        "0",
      ),
    )
    .option("--ports <list>", "try these registered ports one after the other, such as 3000,3001")
    .option(
      "--redirect-host <host>",
      "host name of the redirect URI: 127.0.0.1 or localhost",
      "127.0.0.1",
    )
    .option(
      "--redirect-path <path>",
      "path of the redirect URI, if you registered a different path",
    )
    .option(
      "--redirect-uri <uri>",
      "use this registered redirect URI; a tunnel must forward its requests to --port on this machine",
    )
    .option(
      "--https",
      "use an https redirect URI with a new certificate; your browser shows a warning the first time",
    );
}

function addBrowserOptions(command: Command): void {
  command
    .optionsGroup("Browser:")
    .option(
      "--browser <how>",
      "pass system to open a browser even if the browser probably cannot reach this machine",
    )
    .option("--no-browser", "print the link instead of opening it")
    .option(
      "--manual",
      "connect with a browser on another machine: open the printed link there, then paste the address of the last page here",
    )
    .option(
      "--device",
      "connect with a code that you enter on any device (RFC 8628); the server must support this method",
    )
    .option(
      "--headless",
      "fill in the pages of the local provider automatically, without a browser",
    )
    .addOption(numberOption("--timeout <seconds>", "maximum time to wait for the browser", "300"));
}

async function connect(file: string, flags: ConnectFlags, context: VerbContext): Promise<void> {
  const { streams, output, redactor, signal } = context;
  const [{ connectAccount }, { vaultLocation }, { parseConnectFlags, parseLogin }] =
    await Promise.all([
      import("../../connect/connect-account.ts"),
      import("../../accounts/vault-location.ts"),
      import("../parse-flags.ts"),
    ]);
  const parsed = parseConnectFlags(flags);
  const local = await localConnection(file, flags, streams);
  const {
    redirectUri,
    durationMs: _,
    ...account
  } = await connectAccount({
    file,
    account: chooseAccount(flags),
    slot: local?.slot ?? findSlot(flags),
    routes: [...(local?.routes ?? []), ...(flags.route ?? [])],
    pageRoutes: local?.pageRoutes,
    extraScopes: flags.scopes?.split(/\s+/).filter((scope) => scope !== ""),
    login: parseLogin(flags),
    redirectUri: flags.redirectUri,
    redirectPath: flags.redirectPath,
    https: flags.https,
    ...parsed,
    ...(await readAnswers(flags, local, context)),
    browser: flags.headless ? "headless" : flags.browser === false ? "none" : "system",
    obstacle: await findObstacle(flags, streams),
    cwd: streams.cwd,
    ...vaultLocation(streams.env),
    userName: streams.env["USER"] ?? streams.env["USERNAME"],
    redactor,
    signal,
    onProgress: (line) => output.progress(line),
  });
  if (output.json) return output.document({ ok: true, account, redirectUri });
  output.progress(
    `${output.style("good", "connected")}  ${printable(account.connectionName ?? account.name)}`,
  );
  printAccount(account, output, streams.cwd);
}

/** What the definition leaves open: from the flags, from local servers, or from the user. */
async function readAnswers(
  flags: ConnectFlags,
  local: LocalConnection | undefined,
  { streams, output, redactor }: VerbContext,
) {
  const [prompts, { readClientCredentials }, { parsePairs }] = await Promise.all([
    import("../connection-prompts.ts"),
    import("../client-credentials.ts"),
    import("../parse-flags.ts"),
  ]);
  return {
    client:
      local === undefined
        ? (wanted: WantedClient) => readClientCredentials(flags, wanted, streams, redactor)
        : local.client,
    secrets: flags.secretsStdin ? await prompts.readSecrets(streams, redactor) : local?.secrets,
    askSecret: prompts.createSecretQuestion(streams, redactor),
    endpoint: flags.endpoint ?? local?.endpoint,
    variables: parsePairs("--var", flags.var),
    ask:
      local === undefined
        ? prompts.createVariableQuestion(streams, redactor)
        : async ({ name }: ConnectionVariable) => local.variables[name],
    choices: parsePairs("--choose", flags.choose),
    choose: prompts.createChoice(streams),
    device: flags.device
      ? (instructions: DeviceInstructions) => printDevice(instructions, output)
      : undefined,
    confirmSecretHost: prompts.createSecretHostQuestion(streams),
    paste: flags.manual ? prompts.createPaste(streams) : undefined,
  };
}

/** Why a browser could not come back to this machine, unless a flag says how to connect. */
async function findObstacle(
  flags: ConnectFlags,
  streams: Streams,
): Promise<BrowserObstacle | undefined> {
  if (flags.headless || flags.browser !== undefined || flags.redirectUri !== undefined)
    return undefined;
  return await (await import("../connection-prompts.ts")).findObstacle(streams);
}

function printDevice(
  { verificationUri, userCode, verificationUriComplete, expiresInSeconds }: DeviceInstructions,
  output: Output,
): void {
  output.progress(
    `open ${printable(verificationUri)} on any device and enter the code ${output.style("strong", printable(userCode))}`,
  );
  if (verificationUriComplete !== undefined)
    output.progress(`or open ${printable(verificationUriComplete)}`);
  const minutes = Math.round(expiresInSeconds / 60);
  output.progress(`the code is valid for ${countText(minutes, "minute")}`);
}
