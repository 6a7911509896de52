import { resolve } from "node:path";
import type { Command } from "commander";
import { usageError } from "../../errors.ts";
import type { IssuerSummary } from "../../provider/issuer-summary.ts";
import type { ProviderOptions } from "../../provider/options.ts";
import type { LocalIssuer, LocalProvider } from "../../provider/provider.ts";
import { canParseUrl } from "../../shared/urls.ts";
import { isRecord } from "../../shared/values.ts";
import { type KeyFlags, readKeyClients } from "../key-clients.ts";
import type { Output } from "../output.ts";
import { checkUrlFlag, parsePort } from "../parse-flags.ts";
import {
  collect,
  examples,
  numberOption,
  type SlotFlags,
  untilInterrupted,
  type VerbContext,
  withCommonOptions,
  withSlotOptions,
} from "../verb.ts";

interface ProviderFlags extends SlotFlags, KeyFlags {
  for?: string;
  port: string;
  tokenTtl?: string;
  scopes?: string;
  tokenResponse?: string;
  audience?: string[];
  issuer?: string;
  dpop?: boolean;
  profile?: string[];
  cors?: boolean;
  options?: string;
  state?: string;
  listProfiles?: boolean;
}

export function addProviderVerb(program: Command, context: VerbContext): void {
  const command = withSlotOptions(
    program
      .command("provider")
      .summary("Run local servers for a Pack, or only an OAuth2 server")
      .description("Run local servers for a Pack, or an OAuth2 authorization server")
      .option(
        "--for <file>",
        "start local servers for this Pack: an authorization server, an API and a document service; use them with --local",
      ),
  ).addHelpText(
    "after",
    examples(
      "packsmith provider --for pack.ts",
      "packsmith provider --for pack.ts --token-ttl 60 --profile nested-data",
      "packsmith provider --port 4010 --profile basic-only",
      "packsmith provider --list-profiles",
    ),
  );
  addServerOptions(command);
  addKeyOptions(command);
  addBehaviorOptions(command);
  withCommonOptions(
    command,
    async () => (await import("../outputs/server-outputs.ts")).providerOutput,
  ).action((flags: ProviderFlags) =>
    flags.listProfiles ? listProfiles(context.output) : serve(flags, context),
  );
}

function addServerOptions(command: Command): void {
  command
    .addOption(
      numberOption(
        "--port <number>",
        "listen on this port on 127.0.0.1; 0 selects a free port",
        "0",
      ),
    )
    .option("--token-ttl <seconds>", "lifetime of access tokens (default: 3600)")
    .option("--scopes <list>", "supported scopes, separated by spaces (default: any scope)")
    .option(
      "--token-response <json>",
      'fields to add to every token response, such as {"service_url":"https://docs.example"}',
    )
    .option(
      "--redirect-uri <uri>",
      "also allow this redirect URI for the client; can be repeated",
      collect,
    );
}

function addKeyOptions(command: Command): void {
  command
    .option(
      "--public-key <path>",
      "register the client packsmith-key-client with this public key for private_key_jwt; PEM or JWK",
    )
    .option(
      "--client-certificate <path>",
      "register the client packsmith-certificate-client with this TLS certificate (tls_client_auth); PEM",
    )
    .option(
      "--bound-tokens",
      "bind tokens to the certificate of packsmith-certificate-client (RFC 8705)",
    )
    .option(
      "--mutual-tls-port <number>",
      "also serve https on this port, and ask for client certificates; 0 selects a free port",
    );
}

function addBehaviorOptions(command: Command): void {
  command
    .option(
      "--issuer <url>",
      "use this issuer URL in the metadata; auth connect --route can send requests for it to this server",
    )
    .option(
      "--dpop",
      "bind tokens to the DPoP keys of clients (RFC 9449), and list DPoP in the metadata",
    )
    .option(
      "--audience <url>",
      "also accept this audience in client assertions; can be repeated",
      collect,
    )
    .option("--cors", "allow requests from web pages of every origin (CORS)")
    .option(
      "--options <path>",
      "JSON file or module with more options, such as users, grants and faults; see docs/oauth.md",
    )
    .option(
      "--state <path>",
      "store tokens, registered clients and secrets in this file, and load them after a restart",
    )
    .option(
      "--profile <name>",
      "imitate the behavior of some real providers; can be repeated",
      collect,
    )
    .option("--list-profiles", "list the profiles and their behavior");
}

/** Runs the servers until the user ends them. */
async function serve(flags: ProviderFlags, context: VerbContext): Promise<void> {
  const { streams, output, signal } = context;
  for (const uri of flags.redirectUri ?? []) checkUrlFlag("--redirect-uri", uri);
  const [{ startProvider }, { readProviderOptions }] = await Promise.all([
    import("../../provider/provider.ts"),
    import("../../provider/read-options.ts"),
  ]);
  const given =
    flags.options === undefined
      ? {}
      : await readProviderOptions(resolve(streams.cwd, flags.options));
  if (flags.for !== undefined) {
    const { rehearsePack } = await import("../rehearse-pack.ts");
    const tokenSeconds =
      flags.tokenTtl === undefined ? given.accessTokenTtlSeconds : parseSeconds(flags.tokenTtl);
    return await rehearsePack({ ...flags, file: flags.for, tokenSeconds }, given, context);
  }
  await using provider = await startProvider(await mergeOptions(given, flags, streams.cwd));
  printProvider(provider, output);
  await untilInterrupted(signal);
}

/** The options of a file, with those of the command line. @throws {PackError} USAGE_INVALID */
async function mergeOptions(
  given: ProviderOptions,
  flags: ProviderFlags,
  cwd: string,
): Promise<ProviderOptions> {
  const { tokenTtl, scopes, tokenResponse, issuer, state } = flags;
  const { clients, mutualTlsPort } = await readKeyClients(flags, cwd);
  return {
    ...given,
    port: parsePort(flags.port),
    mutualTlsPort:
      mutualTlsPort ??
      given.mutualTlsPort ??
      (flags.clientCertificate === undefined ? undefined : 0),
    ...(state === undefined ? {} : { state: resolve(cwd, state) }),
    ...(tokenTtl === undefined ? {} : { accessTokenTtlSeconds: parseSeconds(tokenTtl) }),
    ...(scopes === undefined
      ? {}
      : { scopes: scopes.split(/\s+/).filter((scope) => scope !== "") }),
    ...(tokenResponse === undefined ? {} : { tokenResponse: parseMembers(tokenResponse) }),
    redirectUris: [...(given.redirectUris ?? []), ...(flags.redirectUri ?? [])],
    ...(issuer === undefined ? {} : { issuer: parseIssuer(issuer) }),
    audiences: [...(given.audiences ?? []), ...(flags.audience ?? [])],
    dpop: flags.dpop ?? given.dpop,
    cors: flags.cors ?? given.cors,
    clients: [...(given.clients ?? []), ...clients],
    profiles: [...(given.profiles ?? []), ...(flags.profile ?? [])],
  };
}

/** The secrets of a local server are made up for this run; their purpose is to be copied. */
function printProvider(provider: LocalProvider, output: Output): void {
  const below = Object.entries(provider.issuers);
  if (output.json) {
    const issuers = Object.fromEntries(below.map(([path, issuer]) => [path, describe(issuer)]));
    output.document({
      ok: true,
      ...describe(provider),
      ...(below.length === 0 ? {} : { issuers }),
    });
    return;
  }
  printIssuer(provider, output);
  for (const [, issuer] of below) {
    output.data("");
    printIssuer(issuer, output);
  }
  output.progress("ready; stop it with Ctrl+C");
}

function describe(issuer: LocalIssuer): IssuerSummary {
  const { authorizationUrl, tokenUrl, introspectionUrl, revocationUrl, meUrl, mcpUrl, controlUrl } =
    issuer;
  const { registrationUrl, pushedRequestUrl, deviceAuthorizationUrl, deviceUrl } = issuer;
  const { clientId, clientSecret, resourceServer, mutualTls } = issuer;
  return {
    issuer: issuer.issuer,
    authorizationUrl,
    tokenUrl,
    introspectionUrl,
    revocationUrl,
    meUrl,
    mcpUrl,
    controlUrl,
    registrationUrl,
    pushedRequestUrl,
    deviceAuthorizationUrl,
    deviceUrl,
    clientId,
    clientSecret,
    resourceServer,
    ...(mutualTls === undefined ? {} : { mutualTls }),
  };
}

function printIssuer(issuer: LocalIssuer, output: Output): void {
  const {
    authorizationUrl,
    tokenUrl,
    introspectionUrl,
    clientId,
    clientSecret,
    resourceServer,
    mutualTls,
  } = issuer;
  output.data(`issuer               ${issuer.issuer}`);
  output.data(`authorizationUrl     ${authorizationUrl}`);
  output.data(`tokenUrl             ${tokenUrl}`);
  output.data(`clientId             ${clientId}`);
  output.data(`clientSecret         ${clientSecret}`);
  // What a service that accepts its tokens is started with.
  output.data(`introspectionUrl     ${introspectionUrl}`);
  output.data(`introspectionClient  ${resourceServer.clientId}`);
  output.data(`introspectionSecret  ${resourceServer.clientSecret}`);
  if (mutualTls !== undefined) output.data(`mutualTlsOrigin      ${mutualTls.origin}`);
}

function parseIssuer(text: string): string {
  if (canParseUrl(text) && /^https?:$/.test(new URL(text).protocol) && !/[?#]/.test(text))
    return text;
  throw usageError(
    "--issuer is not an issuer URL.",
    "Copy the issuer from the authentication definition, such as https://login.host.example.",
  );
}

async function listProfiles(output: Output): Promise<void> {
  const { PROVIDER_PROFILES } = await import("../../provider/profiles/catalogue.ts");
  if (output.json)
    return output.document({
      ok: true,
      profiles: PROVIDER_PROFILES.map(({ name, summary, needs }) => ({ name, summary, needs })),
    });
  const width = Math.max(...PROVIDER_PROFILES.map(({ name }) => name.length));
  for (const { name, summary } of PROVIDER_PROFILES)
    output.data(`${name.padEnd(width)}  ${summary}`);
}

function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (!(seconds >= 1))
    throw usageError(
      `"${text}" is not a valid token lifetime.`,
      "Pass --token-ttl with a number of seconds, at least 1.",
    );
  return seconds;
}

function parseMembers(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch {
    // Answered below, like JSON of another kind.
  }
  throw usageError(
    "--token-response is not a JSON object.",
    `Write it as '{"service_url":"https://docs.example"}'.`,
  );
}
