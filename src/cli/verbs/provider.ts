import { createPublicKey, type JsonWebKey } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { usageError } from "../../errors.ts";
import { DEFAULT_REDIRECT_URIS, GrantType, type ProviderClient } from "../../provider/options.ts";
import type { LocalIssuer } from "../../provider/provider.ts";
import { systemReason } from "../../shared/failures.ts";
import { canParseUrl } from "../../shared/urls.ts";
import { isRecord } from "../../shared/values.ts";
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

interface ProviderFlags extends SlotFlags {
  for?: string;
  port: string;
  tokenTtl?: string;
  scopes?: string;
  tokenResponse?: string;
  redirectUri?: string[];
  publicKey?: string;
  clientCertificate?: string;
  boundTokens?: boolean;
  mutualTlsPort?: string;
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
  const { streams, output, signal } = context;
  withCommonOptions(
    withSlotOptions(
      program
        .command("provider")
        .summary("Run local servers for a Pack, or only an OAuth2 server")
        .description("Run local servers for a Pack, or an OAuth2 authorization server")
        .option(
          "--for <file>",
          "start local servers for this Pack: an authorization server, an API and a document service; use them with --local",
        ),
    )
      .addHelpText(
        "after",
        examples(
          "packsmith provider --for pack.ts",
          "packsmith provider --for pack.ts --token-ttl 60 --profile nested-data",
          "packsmith provider --port 4010 --profile basic-only",
          "packsmith provider --list-profiles",
        ),
      )
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
      )
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
      )
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
      .option("--list-profiles", "list the profiles and their behavior"),
    async () => (await import("../outputs/server-outputs.ts")).providerOutput,
  ).action(async (flags: ProviderFlags) => {
    if (flags.listProfiles) return listProfiles(output);
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
    const certificate =
      flags.clientCertificate === undefined
        ? undefined
        : await readThumbprint(flags.clientCertificate, streams.cwd);
    const mutualTlsPort =
      flags.mutualTlsPort === undefined ? undefined : parsePort(flags.mutualTlsPort);
    await using provider = await startProvider({
      ...given,
      port: parsePort(flags.port),
      mutualTlsPort:
        mutualTlsPort ?? given.mutualTlsPort ?? (certificate === undefined ? undefined : 0),
      ...(flags.state === undefined ? {} : { state: resolve(streams.cwd, flags.state) }),
      ...(flags.tokenTtl === undefined
        ? {}
        : { accessTokenTtlSeconds: parseSeconds(flags.tokenTtl) }),
      ...(flags.scopes === undefined
        ? {}
        : { scopes: flags.scopes.split(/\s+/).filter((scope) => scope !== "") }),
      ...(flags.tokenResponse === undefined
        ? {}
        : { tokenResponse: parseMembers(flags.tokenResponse) }),
      redirectUris: [...(given.redirectUris ?? []), ...(flags.redirectUri ?? [])],
      ...(flags.issuer === undefined ? {} : { issuer: parseIssuer(flags.issuer) }),
      audiences: [...(given.audiences ?? []), ...(flags.audience ?? [])],
      dpop: flags.dpop ?? given.dpop,
      cors: flags.cors ?? given.cors,
      clients: [
        ...(given.clients ?? []),
        ...(flags.publicKey === undefined
          ? []
          : [keyClient(readPublicKey(flags.publicKey, streams.cwd), flags.redirectUri ?? [])]),
        ...(certificate === undefined ? [] : [certificateClient(certificate, flags)]),
      ],
      profiles: [...(given.profiles ?? []), ...(flags.profile ?? [])],
    });
    // The secrets of a local server are made up for this run; their purpose is to be copied.
    const issuers = Object.entries(provider.issuers).map(
      ([path, below]) => [path, describe(below)] as const,
    );
    if (output.json)
      output.document({
        ok: true,
        ...describe(provider),
        ...(issuers.length === 0 ? {} : { issuers: Object.fromEntries(issuers) }),
      });
    else {
      printIssuer(provider, output);
      for (const below of Object.values(provider.issuers)) {
        output.data("");
        printIssuer(below, output);
      }
      output.progress("ready; stop it with Ctrl+C");
    }
    await untilInterrupted(signal);
  });
}

/** What a client and a service need to know about an issuer. */
function describe(issuer: LocalIssuer) {
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

function keyClient(
  publicKey: string | JsonWebKey,
  redirectUris: readonly string[],
): ProviderClient {
  return { clientId: "packsmith-key-client", publicKey, ...registration(redirectUris) };
}

function certificateClient(
  certificateThumbprint: string,
  { boundTokens, redirectUri = [] }: ProviderFlags,
): ProviderClient {
  return {
    clientId: "packsmith-certificate-client",
    certificateThumbprint,
    certificateBoundTokens: boundTokens === true,
    ...registration(redirectUri),
  };
}

function registration(redirectUris: readonly string[]): Omit<ProviderClient, "clientId"> {
  return {
    redirectUris: [...DEFAULT_REDIRECT_URIS, ...redirectUris],
    anyLocalhostPort: true,
    anyPathBelow: true,
    grantTypes: Object.values(GrantType),
  };
}

/** @throws {PackError} USAGE_INVALID */
function readPublicKey(path: string, cwd: string): string | JsonWebKey {
  const text = readPemFile(path, "--public-key", cwd).trim();
  try {
    const key = text.startsWith("{") ? (JSON.parse(text) as JsonWebKey) : text;
    createPublicKey(typeof key === "string" ? key : { key, format: "jwk" });
    return key;
  } catch {
    throw usageError(
      `${path} does not contain a public key.`,
      "Set --public-key to the path of a PEM or JWK file.",
    );
  }
}

/** @throws {PackError} USAGE_INVALID */
async function readThumbprint(path: string, cwd: string): Promise<string> {
  const { computeThumbprint } = await import("../../provider/request/client-certificate.ts");
  const text = readPemFile(path, "--client-certificate", cwd);
  try {
    return computeThumbprint(text);
  } catch {
    throw usageError(
      `${path} does not contain a certificate.`,
      "Set --client-certificate to the path of a PEM file.",
    );
  }
}

function readPemFile(path: string, option: string, cwd: string): string {
  try {
    return readFileSync(resolve(cwd, path), "utf8");
  } catch (error) {
    throw usageError(
      `${path} cannot be read: ${systemReason(error) ?? "the system refused it"}.`,
      `Set ${option} to the path of a PEM file.`,
    );
  }
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
