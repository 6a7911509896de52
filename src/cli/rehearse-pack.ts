import type { LocalConnection, Rehearsal } from "../connect/rehearsal/rehearsal.ts";
import type { LocalDocuments } from "../connect/rehearsal/rehearsal-options.ts";
import { usageError } from "../errors.ts";
import { isRouted } from "../oauth/routes.ts";
import type { ProviderOptions } from "../provider/options.ts";
import type { LocalProvider } from "../provider/provider.ts";
import type { RecordedRequest } from "../provider/state/recorder.ts";
import { homeDirectory } from "../shared/folders.ts";
import { type Output, printable } from "./output.ts";
import { parsePort } from "./parse-flags.ts";
import { findSlot, type SlotFlags, untilInterrupted, type VerbContext } from "./verb.ts";

/** The options of `packsmith provider --for`. */
export interface RehearseFlags extends SlotFlags {
  file: string;
  port: string;
  tokenSeconds: number | undefined;
  profile?: string[];
  redirectUri?: string[];
  cors?: boolean;
}

/** Options that the Pack decides about. */
const DECIDED = {
  scopes: "--scopes",
  tokenResponse: "--token-response",
  publicKey: "--public-key",
  clientCertificate: "--client-certificate",
  boundTokens: "--bound-tokens",
  mutualTlsPort: "--mutual-tls-port",
  audience: "--audience",
  issuer: "--issuer",
  dpop: "--dpop",
  state: "--state",
} as const;

/** Runs the local servers of a Pack until the user ends them. */
export async function rehearsePack(
  flags: RehearseFlags,
  given: ProviderOptions,
  { streams, output, signal }: VerbContext,
): Promise<void> {
  requireFreeOptions(flags);
  const [{ openValidPack }, { startRehearsal }, { noteRehearsal }, { composeProfiles }] =
    await Promise.all([
      import("../execute/open-pack.ts"),
      import("../connect/rehearsal/rehearsal.ts"),
      import("../connect/rehearsal/running-rehearsal.ts"),
      import("../provider/profiles/catalogue.ts"),
    ]);
  const { file } = flags;
  const { profiles = [], accessTokenTtlSeconds: _, ...more } = given;
  await using pack = await openValidPack(file, { cwd: streams.cwd });
  const { definition, bundle } = pack;
  await using rehearsal = await startRehearsal({
    definition,
    sources: bundle.sources,
    packName: bundle.name,
    slot: findSlot(flags),
    profile: composeProfiles([...profiles, ...(flags.profile ?? [])]),
    tokenSeconds: flags.tokenSeconds,
    provider: {
      ...more,
      port: parsePort(flags.port),
      control: true,
      redirectUris: [...(given.redirectUris ?? []), ...(flags.redirectUri ?? [])],
      cors: flags.cors ?? given.cors,
      onRequest: (request) => printRequest(request, output),
    },
    startDocuments,
  });
  const rehearsed = { file, cwd: streams.cwd, home: homeDirectory(streams.env) };
  const forget = await noteRehearsal(rehearsed, rehearsal.connection);
  try {
    if (output.json) output.document(describeRehearsal(file, rehearsal));
    else printRehearsal(file, rehearsal, output);
    await untilInterrupted(signal);
  } finally {
    forget();
  }
}

/** @throws {PackError} USAGE_INVALID for an option that the Pack decides about */
function requireFreeOptions(flags: object): void {
  const decided = Object.entries(DECIDED).find(([name]) => Object.hasOwn(flags, name));
  if (decided === undefined) return;
  throw usageError(
    `${decided[1]} and --for cannot be used together: the Pack's definition sets this value.`,
    `Remove ${decided[1]}, or change the authentication of the Pack.`,
  );
}

async function startDocuments(provider: LocalProvider | undefined): Promise<LocalDocuments> {
  const { startService } = await import("../service/packs/start-service.ts");
  const service = await startService({
    ...(provider === undefined
      ? {}
      : {
          tokenIntrospection: { url: provider.introspectionUrl, ...provider.resourceServer },
        }),
  });
  const { url, token, docId, close } = service;
  return { origin: new URL(url).origin, url, docId, token, close };
}

function describeRehearsal(file: string, { provider, documents, connection }: Rehearsal) {
  const { slot, client, secrets, endpoint, variables, revocationUrl, routes } = connection;
  const { authorizationUrl, tokenUrl, controlUrl, issuer } = provider;
  return {
    ok: true,
    file,
    slot,
    issuer,
    authorizationUrl,
    tokenUrl,
    revocationUrl,
    controlUrl,
    routes,
    client,
    secrets,
    endpoint,
    variables,
    ...(documents === undefined ? {} : { service: { url: documents.url, docId: documents.docId } }),
  };
}

function printRehearsal(
  file: string,
  { provider, documents, connection }: Rehearsal,
  output: Output,
): void {
  output.data(`pack      ${printable(file)}`);
  output.data(`provider  ${provider.origin}`);
  if (documents !== undefined) {
    output.data(`service   ${documents.url}`);
    output.data(`docId     ${documents.docId}`);
  }
  for (const origin of originsIn(connection)) output.data(`answers   ${origin}`);
  if (connection.client !== undefined || connection.secrets !== undefined)
    output.data(`connect   packsmith auth connect ${printable(file)} --local`);
  output.progress("ready; stop it with Ctrl+C");
}

/** Without the hosts of a domain that is on the list with all its hosts. */
function originsIn({ routes }: LocalConnection): string[] {
  const origins = routes.map((route) => route.slice(0, route.indexOf("=")));
  const domains = origins.filter((origin) => origin.includes("//*."));
  return origins.filter(
    (origin) => !domains.some((domain) => isRouted(origin, { [domain]: "" }) && origin !== domain),
  );
}

function printRequest({ method, path, status }: RecordedRequest, output: Output): void {
  output.progress(output.style("quiet", `${status ?? ""} ${method} ${printable(path)}`));
}
