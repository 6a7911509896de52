import { existsSync } from "node:fs";
import { relative, resolve } from "node:path";
import type { Command } from "commander";
import type { AccountSummary } from "../../accounts/account-summary.ts";
import type { BrowserObstacle } from "../../connect/connect-options.ts";
import { isPackError, usageError } from "../../errors.ts";
import type { DeviceInstructions } from "../../oauth/connect/device-authorization.ts";
import { countText } from "../../shared/count-text.ts";
import {
  chooseAccount,
  type LocalFlags,
  localConnection,
  withLocalOptions,
} from "../local-option.ts";
import { type Output, printable, type Streams } from "../output.ts";
import {
  accountOption,
  collect,
  EXIT_CODES,
  examples,
  findSlot,
  numberOption,
  type OutputSchema,
  requestTimeoutOption,
  type SlotFlags,
  type VerbContext,
  withCommonOptions,
  withSlotOptions,
} from "../verb.ts";
import { addClientMetadataVerb } from "./auth-client-metadata.ts";
import { addAuthDiscoverVerb } from "./auth-discover.ts";
import { addAuthTestVerb } from "./auth-test.ts";

interface AccountFlags extends SlotFlags, LocalFlags {
  route?: string[];
  requestTimeout: string;
}

interface ConnectFlags extends AccountFlags {
  clientId?: string;
  clientSecretEnv?: string;
  clientSecretStdin?: boolean;
  secretsStdin?: boolean;
  clientKeyFile?: string;
  certificateFile?: string;
  endpoint?: string;
  var?: string[];
  scopes?: string;
  acrValues?: string;
  maxAge?: string;
  choose?: string[];
  port: string;
  ports?: string;
  redirectUri?: string;
  redirectPath?: string;
  https?: boolean;
  redirectHost: string;
  headless?: boolean;
  manual?: boolean;
  device?: boolean;
  browser?: string | false;
  timeout: string;
}

/** Where help lists an option. */
const ACCOUNT_OPTIONS = "Account:";
const REQUEST_OPTIONS = "Requests:";

export function addAuthVerbs(program: Command, context: VerbContext): void {
  const auth = program
    .command("auth")
    .description("Connect accounts and manage them")
    .addHelpText(
      "after",
      examples(
        "packsmith auth pack.ts",
        "packsmith auth list",
        "packsmith auth refresh pack.ts",
        "packsmith auth explain",
      ),
    );
  addConnect(auth, context);
  addAuthDiscoverVerb(auth, context);
  addClientMetadataVerb(auth, context);
  addList(auth, context);
  addRefresh(auth, context);
  addAllowHosts(auth, context);
  addRevoke(auth, context);
  addAuthTestVerb(auth, context);
  addExplain(auth, context);
  addDoctor(auth, context);
}

function addExplain(auth: Command, { streams, output, end }: VerbContext): void {
  withCommonOptions(
    auth
      .command("explain")
      .description("Show each step of the last connection attempt, and how to fix a failed step")
      .addHelpText("after", examples("packsmith auth explain", "packsmith auth explain --json")),
    async () => (await import("../outputs/account-outputs.ts")).flowOutput,
  ).action(async () => {
    const [{ readFlowRecord }, { homeDirectory }, { printFlow }] = await Promise.all([
      import("../../connect/flow-record.ts"),
      import("../../shared/folders.ts"),
      import("../flow.ts"),
    ]);
    const record = await readFlowRecord(homeDirectory(streams.env));
    if (!record.outcome.ok) end(EXIT_CODES.problem);
    if (output.json) return output.document({ ok: record.outcome.ok, flow: record });
    await printFlow(record, output);
  });
}

function addDoctor(auth: Command, { streams, output }: VerbContext): void {
  withCommonOptions(
    auth
      .command("doctor")
      .description(
        "Check the last provider's responses against the standards, and show which authentication options you can remove",
      )
      .addHelpText("after", examples("packsmith auth doctor", "packsmith auth doctor --json")),
    async () => (await import("../outputs/account-outputs.ts")).deviationsOutput,
  ).action(async () => {
    const [
      { readFlowRecord },
      { homeDirectory },
      { listDeviations, printDeviations, listRepeated },
    ] = await Promise.all([
      import("../../connect/flow-record.ts"),
      import("../../shared/folders.ts"),
      import("../flow.ts"),
    ]);
    const record = await readFlowRecord(homeDirectory(streams.env));
    if (output.json)
      return output.document({
        ok: true,
        pack: record.pack,
        deviations: listDeviations(record),
        repeated: listRepeated(record),
      });
    printDeviations(record, output);
  });
}

function addConnect(auth: Command, { streams, output, redactor, signal }: VerbContext): void {
  withAccountOptions(
    auth
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
      .argument("<file>", "entry file of the Pack")
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
      )
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
      )
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
      )
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
      .addOption(
        numberOption("--timeout <seconds>", "maximum time to wait for the browser", "300"),
      ),
    async () => (await import("../outputs/account-outputs.ts")).connectOutput,
    "connectAccount",
  ).action(async (file: string, flags: ConnectFlags) => {
    const [
      { connectAccount },
      { vaultLocation },
      { readClientCredentials },
      { parseConnectFlags, parseLogin, parsePairs },
    ] = await Promise.all([
      import("../../connect/connect-account.ts"),
      import("../../accounts/vault-location.ts"),
      import("../client-credentials.ts"),
      import("../parse-flags.ts"),
    ]);
    const {
      createChoice,
      createPaste,
      createSecretHostQuestion,
      createSecretQuestion,
      createVariableQuestion,
      readSecrets,
    } = await import("../connection-prompts.ts");
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
      client:
        local === undefined
          ? (wanted) => readClientCredentials(flags, wanted, streams, redactor)
          : local.client,
      secrets: flags.secretsStdin ? await readSecrets(streams, redactor) : local?.secrets,
      askSecret: createSecretQuestion(streams, redactor),
      routes: [...(local?.routes ?? []), ...(flags.route ?? [])],
      pageRoutes: local?.pageRoutes,
      endpoint: flags.endpoint ?? local?.endpoint,
      variables: parsePairs("--var", flags.var),
      ask:
        local === undefined
          ? createVariableQuestion(streams, redactor)
          : async ({ name }) => local.variables[name],
      extraScopes: flags.scopes?.split(/\s+/).filter((scope) => scope !== ""),
      login: parseLogin(flags),
      choices: parsePairs("--choose", flags.choose),
      choose: createChoice(streams),
      device: flags.device ? (instructions) => printDevice(instructions, output) : undefined,
      confirmSecretHost: createSecretHostQuestion(streams),
      paste: flags.manual ? createPaste(streams) : undefined,
      redirectUri: flags.redirectUri,
      redirectPath: flags.redirectPath,
      https: flags.https,
      ...parsed,
      cwd: streams.cwd,
      ...vaultLocation(streams.env),
      browser: flags.headless ? "headless" : flags.browser === false ? "none" : "system",
      obstacle: await findObstacle(flags, streams),
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
  });
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

function addList(auth: Command, { streams, output }: VerbContext): void {
  withCommonOptions(
    withSlotOptions(auth.command("list"))
      .description("List the connected accounts, without their secrets")
      .addHelpText("after", examples("packsmith auth list", "packsmith auth list pack.ts --json"))
      .argument("[file]", "list only the accounts of this Pack")
      .addOption(accountOption("list only accounts with this name")),
    async () => (await import("../outputs/account-outputs.ts")).listOutput,
    "listAccounts",
  ).action(async (file: string | undefined, flags: SlotFlags & { account?: string }) => {
    const [{ listAccounts }, { keyLocation, vaultLocation }] = await Promise.all([
      import("../../connect/manage-accounts.ts"),
      import("../../accounts/vault-location.ts"),
    ]);
    const accounts = await listAccounts({
      file,
      account: flags.account,
      slot: findSlot(flags),
      cwd: streams.cwd,
      ...vaultLocation(streams.env),
    });
    if (accounts.length === 0 && file !== undefined) assertFile(file, streams.cwd);
    const { home } = vaultLocation(streams.env);
    const key = keyLocation(home);
    if (output.json)
      return output.document({
        ok: true,
        accounts,
        vault: { folder: home, key },
      });
    if (accounts.length === 0)
      output.progress("No account is connected. Run packsmith auth connect pack.ts.");
    for (const account of accounts) printAccount(account, output, streams.cwd);
    if (accounts.length > 0)
      output.progress(
        `their key is in ${key === "keychain" ? "the system's keychain" : `a file in ${home}`}`,
      );
  });
}

function addRefresh(auth: Command, { streams, output, redactor }: VerbContext): void {
  withAccountOptions(
    auth
      .command("refresh")
      .description("Request a new access token for an account")
      .addHelpText(
        "after",
        examples("packsmith auth refresh pack.ts", "packsmith auth refresh pack.ts --account work"),
      )
      .argument("<file>", "entry file of the Pack"),
    async () => (await import("../outputs/account-outputs.ts")).refreshOutput,
    "refreshAccount",
  ).action(async (file: string, flags: AccountFlags) => {
    const [{ refreshAccount }, { vaultLocation }, { parseWait }] = await Promise.all([
      import("../../connect/manage-accounts.ts"),
      import("../../accounts/vault-location.ts"),
      import("../parse-flags.ts"),
    ]);
    const requestTimeoutMs = parseWait("--request-timeout", flags.requestTimeout);
    const local = await localConnection(file, flags, streams);
    const account = await refreshAccount({
      file,
      requestTimeoutMs,
      account: chooseAccount(flags),
      slot: local?.slot ?? findSlot(flags),
      routes: [...(local?.routes ?? []), ...(flags.route ?? [])],
      cwd: streams.cwd,
      ...vaultLocation(streams.env),
      redactor,
    });
    if (output.json) return output.document({ ok: true, account });
    output.progress(output.style("good", "refreshed"));
    printAccount(account, output, streams.cwd);
  });
}

function addAllowHosts(auth: Command, { streams, output, redactor }: VerbContext): void {
  withCommonOptions(
    withSlotOptions(auth.command("allow-hosts"))
      .description("Allow an account to send data to all hosts that the Pack currently declares")
      .addHelpText(
        "after",
        examples(
          "packsmith auth allow-hosts pack.ts",
          "packsmith auth allow-hosts pack.ts --account work",
        ),
      )
      .argument("<file>", "entry file of the Pack")
      .addOption(accountOption("name of the account", "default")),
    async () => (await import("../outputs/account-outputs.ts")).allowHostsOutput,
  ).action(async (file: string, flags: SlotFlags & { account: string }) => {
    const [{ allowHosts }, { vaultLocation }] = await Promise.all([
      import("../../connect/manage-accounts.ts"),
      import("../../accounts/vault-location.ts"),
    ]);
    const location = vaultLocation(streams.env);
    const { hosts, added } = await allowHosts({
      file,
      account: flags.account,
      slot: findSlot(flags),
      cwd: streams.cwd,
      ...location,
      redactor,
    });
    if (output.json) return output.document({ ok: true, hosts, added });
    for (const host of hosts)
      output.data(`${host}${added.includes(host) ? `  ${output.style("warning", "new")}` : ""}`);
    output.progress(
      `${output.style("good", "allowed")}  requests to these hosts may carry the credentials of ${flags.account}`,
    );
  });
}

function addRevoke(auth: Command, { streams, output, redactor }: VerbContext): void {
  withAccountOptions(
    auth
      .command("revoke")
      .aliases(["logout", "disconnect"])
      .description("Revoke the tokens of an account, and delete the account")
      .addHelpText(
        "after",
        examples(
          "packsmith auth revoke pack.ts",
          "packsmith auth revoke pack.ts --account work",
          "packsmith auth revoke pack.ts --revocation-url https://login.example/revoke",
        ),
      )
      .argument("<file>", "entry file of the Pack")
      .option("--revocation-url <url>", "URL of the provider's revocation endpoint (RFC 7009)"),
    async () => (await import("../outputs/account-outputs.ts")).revokeOutput,
    "revokeAccount",
  ).action(async (file: string, flags: AccountFlags & { revocationUrl?: string }) => {
    const [{ revokeAccount }, { vaultLocation }, { checkUrlFlag, parseWait }] = await Promise.all([
      import("../../connect/manage-accounts.ts"),
      import("../../accounts/vault-location.ts"),
      import("../parse-flags.ts"),
    ]);
    const requestTimeoutMs = parseWait("--request-timeout", flags.requestTimeout);
    // A path is joined to the endpoint of the account.
    if (flags.revocationUrl?.startsWith("/") !== true)
      checkUrlFlag("--revocation-url", flags.revocationUrl);
    const local = await localConnection(file, flags, streams);
    const { revoked, warning } = await revokeAccount({
      file,
      requestTimeoutMs,
      account: chooseAccount(flags),
      slot: local?.slot ?? findSlot(flags),
      routes: [...(local?.routes ?? []), ...(flags.route ?? [])],
      revocationUrl: flags.revocationUrl ?? local?.revocationUrl,
      cwd: streams.cwd,
      ...vaultLocation(streams.env),
      redactor,
    }).catch((error: unknown) => {
      // An account outlives its file.
      if (isPackError(error, "ACCOUNT_MISSING")) assertFile(file, streams.cwd);
      throw error;
    });
    if (output.json) return output.document({ ok: true, forgotten: true, revoked, warning });
    if (warning !== undefined)
      output.progress(`${output.style("warning", "warning")}  ${printable(warning)}`);
    output.progress(
      `${output.style("good", "forgotten")}  ${chooseAccount(flags)}${revoked ? ", and its tokens are revoked" : ""}`,
    );
  });
}

/** @throws {PackError} USAGE_INVALID */
function assertFile(file: string, cwd: string): void {
  if (existsSync(resolve(cwd, file))) return;
  throw usageError(
    `The file ${file} does not exist, and no account belongs to this path.`,
    "Check the path. To list all accounts, run packsmith auth list.",
  );
}

function withAccountOptions(command: Command, schema: OutputSchema, nodeFunction: string): Command {
  const named = withSlotOptions(withLocalOptions(command.optionsGroup(ACCOUNT_OPTIONS)));
  const routed = named
    .optionsGroup(REQUEST_OPTIONS)
    .addOption(requestTimeoutOption())
    .option(
      "--route <origin=url>",
      "route requests for an https origin to a local server; can be repeated",
      collect,
    );
  return withCommonOptions(routed.optionsGroup("Options:"), schema, nodeFunction);
}

/** The scopes that a server has granted: it may list any number of them. */
function formatScopes(scopes: readonly string[]): string {
  const shown = scopes.slice(0, MAX_SHOWN_SCOPES).map((scope) => printable(scope));
  const rest = scopes.length - shown.length;
  return `${shown.join(" ")}${rest === 0 ? "" : ` and ${rest} more`}`;
}

const MAX_SHOWN_SCOPES = 50;

function printAccount(account: AccountSummary, output: Output, cwd: string): void {
  const status =
    account.status === "connected"
      ? output.dataStyle("good", "connected")
      : output.dataStyle("bad", `reconnect needed: ${account.reconnectReason}`);
  output.data(
    `${account.pack}  ${account.slot}/${account.name}  ${printable(account.connectionName ?? "")}  ${status}`,
  );
  output.data(`  ${relative(cwd, account.file) || account.file}  ${account.type}`);
  if (account.scopes !== undefined) output.data(`  scopes    ${formatScopes(account.scopes)}`);
  if (account.endpoint !== undefined) output.data(`  endpoint  ${account.endpoint}`);
  if (account.type !== "OAuth2" && account.type !== "OAuth2ClientCredentials") return;
  output.data(
    `  expires   ${account.expiresAt ?? "unknown: packsmith uses the token until the API refuses it"}${account.renewable ? ", then refreshed" : ""}`,
  );
}
