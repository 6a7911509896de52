import { relative } from "node:path";
import type { Command } from "commander";
import type { DiscoveredAuthentication } from "../../connect/discover-authentication.ts";
import { isPackError, usageError } from "../../errors.ts";
import type { WrittenAuthentication } from "../../init/written-authentication.ts";
import { homeDirectory } from "../../shared/folders.ts";
import { canParseUrl } from "../../shared/urls.ts";
import { type Output, printable } from "../output.ts";
import { checkUrlFlag, parseWait } from "../parse-flags.ts";
import {
  accountOption,
  collect,
  examples,
  requestTimeoutOption,
  type VerbContext,
  withCommonOptions,
} from "../verb.ts";

interface DiscoverFlags {
  scopes?: string;
  write?: string;
  register?: string;
  account: string;
  redirectUri?: string;
  route?: string[];
  requestTimeout: string;
}

export function addAuthDiscoverVerb(
  auth: Command,
  { streams, output, redactor }: VerbContext,
): void {
  withCommonOptions(
    auth
      .command("discover")
      .description(
        "Read the metadata of an OAuth server and print the authentication for your Pack",
      )
      .addHelpText(
        "after",
        examples(
          "packsmith auth discover https://login.example",
          "packsmith auth discover https://mcp.example/mcp",
          "packsmith auth discover https://login.example --write pack.ts",
          "packsmith auth discover https://login.example --register pack.ts",
        ),
      )
      .argument(
        "<issuer>",
        "issuer of the authorization server, or URL of an API or an MCP server (RFC 9728)",
      )
      .option(
        "--scopes <scopes>",
        "scopes that the Pack needs, separated by spaces (default: the server's scopes, if there are only a few)",
      )
      .option(
        "--write <file>",
        "add the authentication to this Pack; the Pack must not have an authentication yet",
      )
      .option(
        "--register <file>",
        "register a client for this Pack (RFC 7591), and store it in the vault",
      )
      .addOption(accountOption("name of the account that stores the registered client", "default"))
      .option(
        "--redirect-uri <uri>",
        "register this redirect URI (default: http://127.0.0.1 with the account's path, on any port)",
      )
      .option(
        "--route <origin=url>",
        "route requests for an https origin to a local server; can be repeated",
        collect,
      )
      .addOption(requestTimeoutOption()),
    async () => (await import("../outputs/account-outputs.ts")).discoverOutput,
  ).action(async (issuer: string, flags: DiscoverFlags) => {
    if (!/^https?:\/\//i.test(issuer) || !canParseUrl(issuer)) {
      throw usageError(
        `"${printable(issuer)}" is not an http or https URL.`,
        "Pass the issuer of the server, such as https://login.example.",
      );
    }
    checkUrlFlag("--redirect-uri", flags.redirectUri);
    const [
      { discoverAuthentication },
      { keepMetadata },
      { authenticationText, writeAuthentication },
    ] = await Promise.all([
      import("../../connect/discover-authentication.ts"),
      import("../../connect/kept-metadata.ts"),
      import("../../init/write-authentication.ts"),
    ]);
    const options = {
      issuer,
      scopes: flags.scopes?.split(/\s+/).filter((scope) => scope !== ""),
      routes: flags.route,
      requestTimeoutMs: parseWait("--request-timeout", flags.requestTimeout),
      redactor,
    };
    const found = await discoverAuthentication(options);
    await keepMetadata(homeDirectory(streams.env), {
      issuer: found.server.issuer,
      server: found.server,
      nowMs: Date.now(),
    });
    if (!output.json) print(found, authenticationText(found.definition), output);
    const written =
      flags.write === undefined
        ? undefined
        : await writeAuthentication(flags.write, found.definition, streams.cwd).catch(
            tellDifferences,
          );
    const registered =
      flags.register === undefined ? undefined : await register(flags.register, found);
    if (output.json) {
      const { server, definition, notes } = found;
      return output.document({ ok: true, definition, server, notes, written, registered });
    }
    if (written !== undefined) printWritten(written, output, streams.cwd);
    if (registered === undefined) return;
    output.progress(
      `${output.style("good", "registered")}  client ${printable(registered.clientId)}, kept for the account ${registered.account}`,
    );
    output.progress(`  redirect URI ${printable(registered.redirectUri)}`);

    async function register(file: string, discovered: DiscoveredAuthentication) {
      if (discovered.definition.type !== "OAuth2") {
        throw usageError(
          "packsmith cannot register a client that uses the client credentials grant.",
          "Register a client with the provider, and pass its ID to auth connect with --client-id.",
        );
      }
      const [{ registerForPack }, { vaultLocation }] = await Promise.all([
        import("../../connect/register-client.ts"),
        import("../../accounts/vault-location.ts"),
      ]);
      const { account, redirectUri } = flags;
      return await registerForPack(
        { ...options, file, account, redirectUri, cwd: streams.cwd, ...vaultLocation(streams.env) },
        discovered,
      );
    }
  });

  /** The error only names the members; their values are shown after it. */
  function tellDifferences(error: unknown): never {
    if (isPackError(error, "AUTHENTICATION_PRESENT") && !output.json) {
      const formatMember = (value: unknown): string =>
        printable(value === undefined ? "not there" : JSON.stringify(value));
      for (const { member, present, discovered } of error.details.differences) {
        output.progress(`  ${member}  ${formatMember(present)} → ${formatMember(discovered)}`);
      }
    }
    throw error;
  }
}

function print({ server, notes }: DiscoveredAuthentication, text: string, output: Output): void {
  output.progress(`${output.style("good", "found")}  ${printable(server.issuer)}`);
  output.data(text);
  for (const note of notes)
    output.progress(`${output.style("warning", "note")}  ${printable(note)}`);
  if (server.registrationUrl !== undefined)
    output.progress("this server registers clients automatically: add --register pack.ts");
}

function printWritten(
  { file, line, hasDomains }: WrittenAuthentication,
  output: Output,
  cwd: string,
): void {
  const path = relative(cwd, file) || file;
  output.progress(`${output.style("good", "written")}  ${printable(path)}:${line}`);
  if (!hasDomains) output.progress('next: add pack.addNetworkDomain("…") with the host of the API');
}
