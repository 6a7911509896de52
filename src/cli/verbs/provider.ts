import type { Command } from "commander";
import { parsePort } from "../connect-flags.ts";
import { untilInterrupted } from "../until-interrupted.ts";
import { type VerbContext, withCommonOptions } from "../verb.ts";

export function addProviderVerb(program: Command, { output, signal }: VerbContext): void {
  withCommonOptions(
    program
      .command("provider")
      .description("run a local OAuth2 authorization server: strict, with its own login and consent pages")
      .option("--port <number>", "port on 127.0.0.1; 0 takes a free one", "0")
      .option("--token-ttl <seconds>", "lifetime of access tokens", "3600")
      .option("--scopes <list>", "scopes that it knows, separated by spaces; any scope when left out"),
  ).action(async (flags: { port: string; tokenTtl: string; scopes?: string }) => {
    const { startProvider } = await import("../../provider/provider.ts");
    await using provider = await startProvider({
      port: parsePort(flags.port),
      accessTokenTtlSeconds: Number(flags.tokenTtl),
      ...(flags.scopes === undefined ? {} : { scopes: flags.scopes.split(/\s+/) }),
    });
    const { issuer, authorizationUrl, tokenUrl, introspectionUrl, revocationUrl, clientId, clientSecret, resourceServer } = provider;
    const facts = { issuer, authorizationUrl, tokenUrl, introspectionUrl, revocationUrl, clientId, clientSecret, resourceServer };
    // The client secret of a local server is made up for this run; its purpose is to be copied.
    if (output.json) output.document(facts);
    else {
      output.data(`issuer            ${issuer}`);
      output.data(`authorizationUrl  ${authorizationUrl}`);
      output.data(`tokenUrl          ${tokenUrl}`);
      output.data(`clientId          ${clientId}`);
      output.data(`clientSecret      ${clientSecret}`);
      output.progress("ready; stop it with Ctrl+C");
    }
    await untilInterrupted(signal);
  });
}
