import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { Streams } from "../../src/cli/output.ts";
import { createSelfSignedCertificate } from "../../src/shared/certificate/self-signed-certificate.ts";
import { makeClientCertificate } from "../support/client-certificates.ts";
import {
  ACCOUNT_DOMAIN,
  type DescribedProvider,
  type ProviderSettings,
} from "./provider-settings.ts";
import { sampleAnswers, sampleCallback } from "./sample-answers.ts";
import { type SettingsServer, startSettingsServer } from "./settings-server.ts";

/** Runs a command line, as the built package does. */
export type RunCli = (args: readonly string[], streams: Streams) => Promise<number>;

/** The first thing that does not work. */
export interface ProviderFailure {
  step: "connect" | "run" | "run after an expiry" | "renew" | "revoke";
  /** The code of the error, or what was noticed. */
  code: string;
  message: string;
}

const CLIENT_ID = "catalogue-client";
/** Characters that form-encoding changes. */
const CLIENT_SECRET = "s3cret+of/this=client%1";
const SHORT_LIFETIME_SECONDS = 1;

/**
 * Takes an account of a provider through its life on the command line: it is connected, the Pack
 * runs, the token expires early and then in time, it is renewed and revoked.
 * @param folder an empty folder for the Pack and its vault
 * @param index chooses how the server reads Basic credentials: real ones do not agree
 * @returns what failed first, or undefined
 */
export async function tryProvider(
  settings: ProviderSettings,
  { definition, networkDomains, apiUrl }: DescribedProvider,
  { runCli, folder, index }: { runCli: RunCli; folder: string; index: number },
): Promise<ProviderFailure | undefined> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const answers = sampleAnswers(definition);
  const callback = sampleCallback(definition);
  const isTls = settings.client_auth === "tls";
  const client = makeClientCertificate();
  const tls = createSelfSignedCertificate();
  const endpointKey = definition.type === "OAuth2" ? definition.endpointKey : undefined;
  await using server = await startSettingsServer({
    settings,
    client: { id: CLIENT_ID, secret: CLIENT_SECRET },
    fill: answers.fillSettings,
    callback: callback.parameters,
    endpoint:
      endpointKey === undefined
        ? undefined
        : { member: endpointKey, value: `https://tenant.${ACCOUNT_DOMAIN}` },
    decodesBasic: index % 2 === 1,
    certificates: isTls
      ? { cert: tls.certificate, key: tls.privateKey, client: convertToDer(client.certificate) }
      : undefined,
  });
  const base = apiUrl?.replace(/\/$/, "") ?? "";
  writeFileSync(
    join(folder, "pack.ts"),
    writePack(definition, networkDomains, `${base}/catalogue-me`),
  );
  if (isTls) {
    writeFileSync(join(folder, "key.pem"), client.privateKey);
    writeFileSync(join(folder, "certificate.pem"), client.certificate);
  }
  const origins = new Set([
    ...answers.listOrigins({ ...callback.placeholders }),
    `https://tenant.${ACCOUNT_DOMAIN}`,
    ...(apiUrl === undefined ? [] : [new URL(apiUrl).origin]),
  ]);
  const routes = [...origins].flatMap((origin) => ["--route", `${origin}=${server.origin}`]);
  const run = async (step: ProviderFailure["step"], ...args: string[]) => {
    const { code, document } = await runCommand(runCli, [...args, ...routes], folder, {
      ...answers.secrets,
      ...(settings.client_auth === "none" || isTls
        ? {}
        : { PACKSMITH_CLIENT_SECRET: CLIENT_SECRET }),
    });
    if (code === 0 && document["ok"] === true) return document;
    throw new StepFailed(step, document, server);
  };
  const call = async (step: ProviderFailure["step"]) => {
    const { result } = await run(step, "execute", "pack.ts", "WhoAmI");
    if (result !== "catalogue user") throw new StepFailed(step, { result }, server);
  };
  try {
    await run(
      "connect",
      ...["auth", "connect", "pack.ts", "--client-id", CLIENT_ID, "--timeout", "20"],
      ...(definition.type === "OAuth2" ? ["--headless"] : []),
      ...(isTls ? ["--client-key-file", "key.pem", "--certificate-file", "certificate.pem"] : []),
      ...(definition.requiresEndpointUrl === true
        ? ["--endpoint", `https://tenant.${ACCOUNT_DOMAIN}`]
        : []),
      ...Object.entries(answers.plain).flatMap(([name, value]) => ["--var", `${name}=${value}`]),
    );
    await call("run");
    // A token that ends before its time is noticed by the API.
    server.setLifetime(SHORT_LIFETIME_SECONDS);
    if (definition.type === "OAuth2" && definition.tokenRenewal !== undefined)
      await run("renew", "auth", "refresh", "pack.ts");
    else server.expireAll();
    await call("run after an expiry");
    // One that ends in time is noticed before a request is sent.
    server.setLifetime(3_600);
    if (definition.type !== "OAuth2" || definition.tokenRenewal === undefined) {
      await sleep(SHORT_LIFETIME_SECONDS * 1_000 + 50);
      const refused = server.refusals.filter((text) => text.includes("invalid_token")).length;
      await call("run after an expiry");
      const isKnown = settings.uses?.includes("NO_EXPIRES_IN") !== true;
      if (
        isKnown &&
        server.refusals.filter((text) => text.includes("invalid_token")).length > refused
      )
        throw new StepFailed(
          "run after an expiry",
          { note: "it sent a token that had expired" },
          server,
        );
    }
    await run("renew", "auth", "refresh", "pack.ts");
    await call("renew");
    await run("revoke", "auth", "revoke", "pack.ts", "--revocation-url", answers.revocationUrl);
    if (!server.isRevoked())
      throw new StepFailed("revoke", { note: "no token of the account was revoked" }, server);
    return undefined;
  } catch (error) {
    if (error instanceof StepFailed) return error.failure;
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

class StepFailed extends Error {
  readonly failure: ProviderFailure;
  constructor(
    step: ProviderFailure["step"],
    document: Record<string, unknown>,
    { refusals }: SettingsServer,
  ) {
    const { code = "UNEXPECTED", message = JSON.stringify(document) } = (document["error"] ??
      {}) as Partial<ProviderFailure>;
    super(code);
    this.failure = { step, code, message: [message, ...refusals].join(" | ") };
  }
}

async function runCommand(
  runCli: RunCli,
  args: readonly string[],
  cwd: string,
  variables: Record<string, string>,
): Promise<{ code: number; document: Record<string, unknown> }> {
  const texts = { stdout: "", stderr: "" };
  const collect = (name: keyof typeof texts) =>
    new PassThrough().on("data", (chunk) => {
      texts[name] += String(chunk);
    });
  const stdin = new PassThrough();
  stdin.end();
  const { PATH, HOME } = process.env;
  const env = {
    PATH,
    HOME,
    CI: "1",
    NO_COLOR: "1",
    PACKSMITH_KEY_STORE: "file",
    PACKSMITH_HOME: join(cwd, "home"),
    PACKSMITH_CACHE: join(cwd, "cache"),
    ...variables,
  };
  const streams = { stdout: collect("stdout"), stderr: collect("stderr"), stdin, env, cwd };
  const code = await runCli([...args, "--json"], streams);
  try {
    return { code, document: JSON.parse(texts.stdout) as Record<string, unknown> };
  } catch {
    return { code, document: { ...texts } };
  }
}

function writePack(definition: object, networkDomains: readonly string[], url: string): string {
  return `import { newPack, ValueType } from "packsmith";
export const pack = newPack();
${networkDomains.map((domain) => `pack.addNetworkDomain(${JSON.stringify(domain)});`).join("\n")}
pack.setUserAuthentication(${JSON.stringify(definition, undefined, 2)});
pack.addFormula({
  name: "WhoAmI", description: "Who is connected.", parameters: [], resultType: ValueType.String,
  execute: async (_args, context) =>
    (await context.fetcher.fetch({ method: "GET", url: ${JSON.stringify(url)}, cacheTtlSecs: 0 })).body.name,
});
`;
}

function convertToDer(pem: string): string {
  return pem.replace(/-----[^-]+-----|\s/g, "");
}
