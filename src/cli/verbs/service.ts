import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Command, Option } from "commander";
import { usageError } from "../../errors.ts";
import type { PackRun } from "../../service/local/control/pack-runs.ts";
import type { LocalService } from "../../service/local/service.ts";
import type { PackActions } from "../../service/packs/pack-actions.ts";
import { notWritable } from "../../shared/failures.ts";
import { homeDirectory } from "../../shared/folders.ts";
import { canParseUrl } from "../../shared/urls.ts";
import { parsePoolSize, parsePort } from "../parse-flags.ts";
import {
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
  secretsKey?: string;
  introspectionUrl?: string;
  introspectionClientId?: string;
}

export function addServiceVerb(program: Command, context: VerbContext): void {
  const { streams, output, signal } = context;
  const verb = withCommonOptions(
    program
      .command("service")
      .description("Run a document service on this machine")
      .addHelpText(
        "after",
        examples(
          "packsmith service",
          "packsmith service --seed seed.yaml --port 4020",
          "packsmith service --pack pack.ts --account work",
          "packsmith service --database docs.db --profile faithful",
        ),
      )
      .addOption(numberOption("--port <number>", "port on 127.0.0.1; 0 takes a free one", "0"))
      .option("--seed <file>", "JSON or YAML file with the documents to serve")
      .option(
        "--pack <file|id[=file]>",
        "a Pack whose actions the buttons run in a sandbox, or the id of a Pack whose released version they run, with the accounts of the linked folder or of the file; can be repeated",
        collect,
      )
      .option("--https", "speak https, with a new certificate for this machine")
      .option(
        "--certificate <file>",
        "with --https: where to write the certificate (default: a file in a new temporary folder)",
      )
      .option(
        "--secrets-key <file>",
        "key file for the secrets of Packs (default: next to a SQLite file, or in a PostgreSQL database)",
      )
      .option(
        "--account <name>",
        "which connected account of the Packs their actions use",
        "default",
      )
      .option(
        "--route <origin=url>",
        "for actions: send requests for an https origin to a server on this machine; can be repeated",
        collect,
      )
      .option(
        "--database <file>",
        "SQLite file or postgres:// URL that keeps the documents (default: memory)",
      )
      .option(
        "--durable",
        "confirm an edit only when the disk has it; slower, but it survives a power failure",
      )
      .addOption(
        numberOption("--pool-size <number>", "connections to a PostgreSQL server at most", "10"),
      )
      .addOption(
        new Option("--profile <name>", "latency, limits and faults together").choices([
          "fast",
          "faithful",
          "hostile",
        ]),
      )
      .addOption(
        new Option(
          "--dialect <name>",
          "what to follow where the specification and the public service differ",
        ).choices(["spec", "public"]),
      )
      .option("--rate-limits", "refuse requests beyond the documented limits")
      .option("--shuffle-names", "if names are equal, find any of them instead of the oldest")
      .option("--strict", "name ignored parts of a request in a header")
      .option("--public-url <url>", "the origin of every link (default: the host of the request)")
      .option(
        "--introspection-url <url>",
        "accept the tokens of a local provider: its introspection endpoint",
      )
      .option(
        "--introspection-client-id <id>",
        "client ID for that endpoint; its secret is read from PACKSMITH_INTROSPECTION_SECRET",
      ),
    async () => (await import("../outputs/server-outputs.ts")).serviceOutput,
  ).action(async (flags: ServiceFlags) => {
    const { startService } = await import("../../service/packs/start-service.ts");
    const { readSeedFile } = await import("../../service/local/store/seed-file.ts");
    const { keepControlUrl } = await import("../../service/local/control/control-file.ts");
    let service: LocalService | undefined;
    // A button that was pushed before this start runs while the service starts.
    const early: PackRun[] = [];
    const onRun = async (run: PackRun) =>
      service === undefined ? void early.push(run) : await service.ingest([run]);
    await using actions = await openActions(flags, context, { onRun, urlOf: () => service?.url });
    if (flags.certificate !== undefined && flags.https !== true)
      throw usageError(
        "--certificate names the file of a certificate that only --https makes.",
        "Pass --https as well, or leave out --certificate.",
      );
    const certificate =
      flags.https === true ? await createCertificate(flags, streams.cwd) : undefined;
    await using started = await startService({
      token: streams.env["PACKSMITH_SERVICE_TOKEN"] || undefined,
      tls: certificate?.tls,
      secretsKeyFile:
        flags.secretsKey === undefined ? undefined : resolve(streams.cwd, flags.secretsKey),
      port: parsePort(flags.port),
      ...(flags.seed === undefined
        ? {}
        : { seed: await readSeedFile(resolve(streams.cwd, flags.seed)) }),
      // A URL is not a path.
      ...(flags.database === undefined
        ? {}
        : {
            database: isUrl(flags.database) ? flags.database : resolve(streams.cwd, flags.database),
          }),
      durable: flags.durable,
      poolSize: parsePoolSize(flags.poolSize),
      onFailure: ({ status, method, path, requestId, reason }) =>
        output.progress(`${status} ${method} ${path} request ${requestId}: ${reason}`),
      actions: actions?.run,
      profile: flags.profile,
      dialect: flags.dialect,
      publicUrl: flags.publicUrl === undefined ? undefined : parsePublicUrl(flags.publicUrl),
      shuffleNames: flags.shuffleNames,
      strict: flags.strict,
      ...(flags.rateLimits === true ? { rateLimits: {} } : {}),
      ...(flags.introspectionUrl === undefined
        ? {}
        : { tokenIntrospection: introspection(flags, streams.env) }),
    });
    service = started;
    if (early.length > 0) await service.ingest(early);
    const { url, controlUrl, token, docId, automationRuleId } = service;
    const forget = await keepControlUrl(homeDirectory(streams.env), controlUrl);
    if (output.json)
      output.document({
        ok: true,
        url,
        controlUrl,
        token,
        docId,
        automationRuleId,
        ...(actions === undefined ? {} : { actions: actions.known }),
        ...(certificate === undefined ? {} : { certificate: certificate.path }),
      });
    else {
      output.data(`url         ${url}`);
      output.data(`token       ${token}`);
      output.data(`docId       ${docId}`);
      output.data(`controlUrl  ${controlUrl}`);
      if (certificate !== undefined) output.data(`certificate ${certificate.path}`);
      for (const { pack, formula } of actions?.known ?? [])
        output.data(`action      ${pack} ${formula}`);
      output.progress("ready; stop it with Ctrl+C");
    }
    await untilInterrupted(signal);
    forget();
  });
  // Some options of these have the same names.
  addServiceImport(verb.enablePositionalOptions(), context);
  addServiceTypes(verb, context);
}

/** The certificate is public, and clients have to be told to trust it; the key stays in memory. */
async function createCertificate(
  { certificate }: ServiceFlags,
  cwd: string,
): Promise<{ path: string; tls: { key: string; cert: string } }> {
  const { createSelfSignedCertificate } = await import(
    "../../shared/certificate/self-signed-certificate.ts"
  );
  const { certificate: cert, privateKey: key } = createSelfSignedCertificate();
  const path =
    certificate === undefined
      ? join(mkdtempSync(join(tmpdir(), "packsmith-")), "certificate.pem")
      : resolve(cwd, certificate);
  try {
    writeFileSync(path, cert);
  } catch (cause) {
    throw notWritable("The certificate", path, "Choose another file with --certificate.", cause);
  }
  return { path, tls: { key, cert } };
}

async function openActions(
  { pack: packs, account, route: routes }: ServiceFlags,
  { streams, redactor, signal }: VerbContext,
  { onRun, urlOf }: { onRun: (run: PackRun) => Promise<void>; urlOf: () => string | undefined },
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
    const url = urlOf();
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
    return [{ id, accountsOf: () => file ?? linkedTo(id) }];
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

function parsePublicUrl(text: string): string {
  if (canParseUrl(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw usageError(
    "The public URL is not an http or https URL.",
    "Pass an origin such as https://docs.service.example.",
  );
}

function introspection(flags: ServiceFlags, env: NodeJS.ProcessEnv) {
  const clientSecret = env["PACKSMITH_INTROSPECTION_SECRET"];
  if (
    flags.introspectionUrl === undefined ||
    flags.introspectionClientId === undefined ||
    clientSecret === undefined
  ) {
    throw usageError(
      "Introspection needs a URL, a client ID and a client secret.",
      "Pass --introspection-url and --introspection-client-id, and set PACKSMITH_INTROSPECTION_SECRET.",
    );
  }
  return { url: flags.introspectionUrl, clientId: flags.introspectionClientId, clientSecret };
}
