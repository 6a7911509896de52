import { resolve } from "node:path";
import { type Command, Option } from "commander";
import { usageError } from "../../errors.ts";
import type { TokenIntrospection } from "../../service/local/api/introspection.ts";
import type { PackRun } from "../../service/local/control/pack-runs.ts";
import type { LocalService } from "../../service/local/service.ts";
import type { PackActions } from "../../service/packs/pack-actions.ts";
import { homeDirectory } from "../../shared/folders.ts";
import { parseUrl } from "../../shared/urls.ts";
import type { Output, Streams } from "../output.ts";
import { parsePoolSize, parsePort } from "../parse-flags.ts";
import { readServiceTls, type ServiceTls } from "../service-tls.ts";
import {
  accountOption,
  collect,
  examples,
  numberOption,
  untilInterrupted,
  type VerbContext,
  withCommonOptions,
} from "../verb.ts";
import { addServiceImport } from "./service-import.ts";
import { addServiceTypes } from "./service-types.ts";

interface ServiceFlags {
  port: string;
  host: string;
  seed?: string;
  pack?: string[];
  account: string;
  route?: string[];
  database?: string;
  durable?: true;
  poolSize: string;
  profile?: "fast" | "faithful" | "hostile";
  dialect?: "spec" | "public";
  publicUrl?: string;
  rateLimits?: true;
  shuffleNames?: true;
  strict?: true;
  https?: true;
  certificate?: string;
  key?: string;
  secretsKey?: string;
  introspectionUrl?: string;
  introspectionClientId?: string;
}

export function addServiceVerb(program: Command, context: VerbContext): void {
  const command = program
    .command("service")
    .description("Run a document service on this machine")
    .addHelpText(
      "after",
      examples(
        "packsmith service",
        "packsmith service --pack pack.ts --account work",
        "packsmith service --seed seed.yaml --database docs.db --profile faithful",
        "packsmith service --host 0.0.0.0 --certificate docs.pem --key docs.key",
      ),
    );
  addServerOptions(command);
  addActionOptions(command);
  addStorageOptions(command);
  addBehaviorOptions(command);
  addPublicOptions(command);
  const verb = withCommonOptions(
    command,
    async () => (await import("../outputs/server-outputs.ts")).serviceOutput,
  ).action((flags: ServiceFlags) => serve(flags, context));
  // Some options of these have the same names.
  addServiceImport(verb.enablePositionalOptions(), context);
  addServiceTypes(verb, context);
}

function addServerOptions(command: Command): void {
  command
    .addOption(numberOption("--port <number>", "listen on this port; 0 selects a free port", "0"))
    .option(
      "--host <address>",
      "also listen on this address of the machine, or on all addresses with 0.0.0.0; needs --certificate and --key, or --public-url with https",
      "127.0.0.1",
    )
    .option("--seed <file>", "JSON or YAML file with the documents to serve")
    .option(
      "--pack <file|id[=file]>",
      "run this Pack's actions in a sandbox when a user pushes a button: an entry file, or the ID of a released Pack; can be repeated",
      collect,
    )
    .option("--https", "use https, with a new certificate for this machine")
    .option(
      "--certificate <file>",
      "PEM file with the certificate; with --https and without --key: write the new certificate to this file (default: a temporary file)",
    )
    .option(
      "--key <file>",
      "PEM file with the private key for --certificate; the service then uses https",
    )
    .option(
      "--secrets-key <file>",
      "file with the encryption key for the Packs' secrets (default: next to a SQLite file, or in a PostgreSQL database)",
    );
}

function addActionOptions(command: Command): void {
  command
    .addOption(accountOption("use the connected account with this name for actions", "default"))
    .option(
      "--route <origin=url>",
      "actions only: route requests for an https origin to a local server; can be repeated",
      collect,
    );
}

function addStorageOptions(command: Command): void {
  command
    .option(
      "--database <file>",
      "store the documents in this SQLite file or postgres:// URL (default: in memory)",
    )
    .option(
      "--durable",
      "write each edit to disk before the service accepts the edit. The service is slower, but no edits are lost in a power failure",
    )
    .addOption(
      numberOption(
        "--pool-size <number>",
        "maximum number of connections to a PostgreSQL server",
        "10",
      ),
    );
}

function addBehaviorOptions(command: Command): void {
  command
    .addOption(
      new Option("--profile <name>", "use this set of delays, limits and faults").choices([
        "fast",
        "faithful",
        "hostile",
      ]),
    )
    .addOption(
      new Option(
        "--dialect <name>",
        "behavior to use where the specification and the public service differ",
      ).choices(["spec", "public"]),
    )
    .option("--rate-limits", "reject requests that exceed the documented limits")
    .option(
      "--shuffle-names",
      "if several resources have the same name, return a random one instead of the oldest",
    )
    .option(
      "--strict",
      "add a response header that lists the parts of the request that the service ignored",
    );
}

function addPublicOptions(command: Command): void {
  command
    .option(
      "--public-url <url>",
      "origin of all links in responses, for example the origin of your load balancer (default: the origin of the request)",
    )
    .option(
      "--introspection-url <url>",
      "accept tokens of a local provider: URL of its introspection endpoint",
    )
    .option(
      "--introspection-client-id <id>",
      "client ID for the introspection endpoint; set PACKSMITH_INTROSPECTION_SECRET to its secret",
    );
}

/** Runs the service until the user ends it. */
async function serve(flags: ServiceFlags, context: VerbContext): Promise<void> {
  const { streams, output, signal } = context;
  const { startService } = await import("../../service/packs/start-service.ts");
  const { keepControlUrl } = await import("../../service/local/control/control-file.ts");
  let service: LocalService | undefined;
  // A button that was pushed before this start runs while the service starts.
  const early: PackRun[] = [];
  const onRun = async (run: PackRun) =>
    service === undefined ? void early.push(run) : await service.ingest([run]);
  await using actions = await openActions(flags, context, { onRun, findUrl: () => service?.url });
  const place = await readPlace(flags, streams.cwd);
  await using started = await startService({
    ...place.options,
    ...(await readServiceOptions(flags, streams)),
    onFailure: ({ status, method, path, requestId, reason }) =>
      output.progress(`${status} ${method} ${path} request ${requestId}: ${reason}`),
    actions: actions?.run,
  });
  service = started;
  if (early.length > 0) await service.ingest(early);
  const forget = await keepControlUrl(homeDirectory(streams.env), service.controlUrl);
  await printService(service, { ...place, actions: actions?.known }, output);
  await untilInterrupted(signal);
  forget();
}

/** Where the service listens, and with which certificate. @throws {PackError} USAGE_INVALID */
async function readPlace(flags: ServiceFlags, cwd: string) {
  const { host } = flags;
  const publicUrl = flags.publicUrl === undefined ? undefined : parsePublicUrl(flags.publicUrl);
  const { isThisMachineOnly } = await import("../../service/local/listen.ts");
  const certificate = await readServiceTls(flags, cwd);
  if (!isThisMachineOnly(host)) refuseNewCertificate(host, certificate, publicUrl);
  const options = { port: parsePort(flags.port), host, publicUrl, tls: certificate?.tls };
  return { options, publicUrl, certificate: certificate?.path };
}

/** What the service serves, and how it behaves. */
async function readServiceOptions(flags: ServiceFlags, { cwd, env }: Streams) {
  const { seed, database, secretsKey } = flags;
  const { readSeedFile } = await import("../../service/local/store/seed-file.ts");
  return {
    token: env["PACKSMITH_SERVICE_TOKEN"] || undefined,
    secretsKeyFile: secretsKey === undefined ? undefined : resolve(cwd, secretsKey),
    ...(seed === undefined ? {} : { seed: await readSeedFile(resolve(cwd, seed)) }),
    // A URL is not a path.
    ...(database === undefined
      ? {}
      : { database: isUrl(database) ? database : resolve(cwd, database) }),
    durable: flags.durable,
    poolSize: parsePoolSize(flags.poolSize),
    profile: flags.profile,
    dialect: flags.dialect,
    shuffleNames: flags.shuffleNames,
    strict: flags.strict,
    ...(flags.rateLimits === true ? { rateLimits: {} } : {}),
    tokenIntrospection: await readIntrospection(flags, env),
  };
}

interface ServiceNotes {
  publicUrl: string | undefined;
  /** Path of the certificate. */
  certificate: string | undefined;
  actions: PackActions["known"] | undefined;
}

async function printService(
  { url, controlUrl, token, docId, automationRuleId }: LocalService,
  { publicUrl: origin, certificate, actions }: ServiceNotes,
  output: Output,
): Promise<void> {
  const { API_PATH } = await import("../../service/local/api/resource-metadata.ts");
  const publicUrl = origin === undefined ? undefined : origin + API_PATH;
  if (output.json) {
    return output.document({
      ok: true,
      url,
      ...(publicUrl === undefined ? {} : { publicUrl }),
      controlUrl,
      token,
      docId,
      automationRuleId,
      ...(actions === undefined ? {} : { actions }),
      ...(certificate === undefined ? {} : { certificate }),
    });
  }
  output.data(`url         ${url}`);
  if (publicUrl !== undefined) output.data(`publicUrl   ${publicUrl}`);
  output.data(`token       ${token}`);
  output.data(`docId       ${docId}`);
  output.data(`controlUrl  ${controlUrl}`);
  if (certificate !== undefined) output.data(`certificate ${certificate}`);
  for (const { pack, formula } of actions ?? []) output.data(`action      ${pack} ${formula}`);
  output.progress("ready; stop it with Ctrl+C");
}

async function openActions(
  { pack: packs, account, route: routes }: ServiceFlags,
  { streams, redactor, signal }: VerbContext,
  { onRun, findUrl }: { onRun: (run: PackRun) => Promise<void>; findUrl: () => string | undefined },
): Promise<PackActions | undefined> {
  if (packs === undefined) return undefined;
  const { openPackActions } = await import("../../service/packs/pack-actions.ts");
  const { vaultLocation } = await import("../../accounts/vault-location.ts");
  const { parseRoutes } = await import("../../oauth/routes.ts");
  // A wrong route is said now, not when a button is pushed.
  parseRoutes(routes ?? []);
  const { readPackId } = await import("../../publish/registry/pack-id-file.ts");
  const { registryAddress } = await import("../../publish/registry/registry-address.ts");
  /** The Pack of the folder, when it is linked to this one of the service. */
  const linkedTo = (id: number) => {
    const url = findUrl();
    const linked =
      url === undefined
        ? undefined
        : readPackId(streams.cwd, registryAddress(new URL(url).origin, {}, undefined));
    return linked === id ? "pack.ts" : undefined;
  };
  const parts = packs.map((text) => ({ text, named: /^(\d{1,9})(?:=(.+))?$/.exec(text) }));
  const installed = parts.flatMap(({ named }) => {
    if (named === null) return [];
    const [id, file] = [Number(named[1]), named[2]];
    return [{ id, findAccounts: () => file ?? linkedTo(id) }];
  });
  const files = parts.flatMap(({ text, named }) => (named === null ? [text] : []));
  return await openPackActions({
    files,
    installed,
    account,
    routes,
    cwd: streams.cwd,
    ...vaultLocation(streams.env),
    redactor,
    signal,
    onRun,
  });
}

function isUrl(text: string): boolean {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(text);
}

/** Only the origin: the paths of the service are those of its API. */
function parsePublicUrl(text: string): string {
  const url = parseUrl(text);
  const isOrigin = url !== undefined && url.href === `${url.origin}/` && !/[?#]/.test(text);
  if (isOrigin && /^https?:$/.test(url.protocol)) return url.origin;
  throw usageError(
    "The public URL is not the origin of an http or https URL.",
    "Pass an origin such as https://docs.service.example.",
  );
}

/** Other machines call this one by a name that the certificate of `--https` does not have. */
function refuseNewCertificate(
  host: string,
  certificate: ServiceTls | undefined,
  publicUrl: string | undefined,
): void {
  if (certificate?.isNew !== true || publicUrl?.startsWith("https:") === true) return;
  throw usageError(
    `--https creates a certificate for this machine only, but other machines can reach ${host}.`,
    "Pass a certificate for this host with --certificate, and its private key with --key.",
  );
}

async function readIntrospection(
  { introspectionUrl: url, introspectionClientId: clientId }: ServiceFlags,
  env: NodeJS.ProcessEnv,
): Promise<TokenIntrospection | undefined> {
  if (url === undefined) return undefined;
  const { checkIntrospectionUrl } = await import("../../service/local/api/introspection-url.ts");
  checkIntrospectionUrl(url, "--introspection-url");
  const clientSecret = env["PACKSMITH_INTROSPECTION_SECRET"];
  if (clientId === undefined || clientSecret === undefined) {
    throw usageError(
      "Introspection needs a URL, a client ID and a client secret.",
      "Pass --introspection-url and --introspection-client-id, and set PACKSMITH_INTROSPECTION_SECRET.",
    );
  }
  return { url, clientId, clientSecret };
}
