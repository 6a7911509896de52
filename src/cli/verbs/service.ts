import { resolve } from "node:path";
import type { Command } from "commander";
import { PackError } from "../../errors.ts";
import { parsePort } from "../connect-flags.ts";
import { untilInterrupted } from "../until-interrupted.ts";
import { numberOption, type VerbContext, withCommonOptions } from "../verb.ts";

interface ServiceFlags {
  port: string;
  seed?: string;
  database?: string;
  introspectionUrl?: string;
  introspectionClientId?: string;
}

export function addServiceVerb(program: Command, { streams, output, signal }: VerbContext): void {
  withCommonOptions(
    program
      .command("service")
      .description("run a local document service with a demo document, or with one of yours")
      .addOption(numberOption("--port <number>", "port on 127.0.0.1; 0 takes a free one", "0"))
      .option("--seed <file>", "JSON file with the documents to serve")
      .option("--database <file>", "SQLite file that keeps the documents; in memory when left out")
      .option("--introspection-url <url>", "accept the tokens of a local provider: its introspection endpoint")
      .option("--introspection-client-id <id>", "client ID for that endpoint; its secret is read from PACKSMITH_INTROSPECTION_SECRET"),
  ).action(async (flags: ServiceFlags) => {
    const { startService } = await import("../../service/local/service.ts");
    const { readSeedFile } = await import("../../service/local/seed-file.ts");
    await using service = await startService({
      port: parsePort(flags.port),
      ...(flags.seed === undefined ? {} : { seed: await readSeedFile(resolve(streams.cwd, flags.seed)) }),
      ...(flags.database === undefined ? {} : { database: resolve(streams.cwd, flags.database) }),
      ...(flags.introspectionUrl === undefined ? {} : { tokenIntrospection: introspection(flags, streams.env) }),
    });
    const { url, controlUrl, token, docId, automationRuleId } = service;
    if (output.json) output.document({ url, controlUrl, token, docId, automationRuleId });
    else {
      output.data(`url         ${url}`);
      output.data(`token       ${token}`);
      output.data(`docId       ${docId}`);
      output.data(`controlUrl  ${controlUrl}`);
      output.progress("ready; stop it with Ctrl+C");
    }
    await untilInterrupted(signal);
  });
}

function introspection(flags: ServiceFlags, env: NodeJS.ProcessEnv) {
  const clientSecret = env["PACKSMITH_INTROSPECTION_SECRET"];
  if (flags.introspectionUrl === undefined || flags.introspectionClientId === undefined || clientSecret === undefined) {
    throw new PackError("USAGE_INVALID", "Introspection needs a URL, a client ID and a client secret.", {
      details: undefined,
      hint: "Pass --introspection-url and --introspection-client-id, and set PACKSMITH_INTROSPECTION_SECRET.",
    });
  }
  return { url: flags.introspectionUrl, clientId: flags.introspectionClientId, clientSecret };
}
