import { describe, expect, it } from "vitest";
import { startProvider } from "../../src/provider/provider.ts";
import { startService } from "../../src/service/local/service.ts";
import { runCli } from "../support/cli.ts";

async function startSetup() {
  const provider = await startProvider();
  const { clientId, clientSecret } = provider.resourceServer;
  const service = await startService({
    tokenIntrospection: { url: provider.introspectionUrl, clientId, clientSecret },
  });
  const ask = async (token: string | undefined, method = "GET") => {
    const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
    const response = await fetch(`${service.url}/docs`, { method, headers });
    await response.body?.cancel();
    return [response.status, response.headers.get("www-authenticate")];
  };
  return {
    provider,
    service,
    ask,
    metadataUrl: service.url.replace("/apis/v1", "/.well-known/oauth-protected-resource/apis/v1"),
    /** A token of the provider's client. */
    async tokenFor(scope: string): Promise<string> {
      const form = {
        grant_type: "client_credentials",
        client_id: provider.clientId,
        client_secret: provider.clientSecret,
        scope,
      };
      const response = await fetch(provider.tokenUrl, {
        method: "POST",
        body: new URLSearchParams(form),
      });
      return ((await response.json()) as { access_token: string }).access_token;
    },
    async [Symbol.asyncDispose]() {
      await service.close();
      await provider.close();
    },
  };
}

describe("the metadata of the local service (RFC 9728)", () => {
  it("names the service, its authorization server and its scopes", async () => {
    await using setup = await startSetup();
    expect(await (await fetch(setup.metadataUrl)).json()).toEqual({
      resource: setup.service.url,
      authorization_servers: [setup.provider.issuer],
      scopes_supported: ["docs:read", "docs:write"],
      bearer_methods_supported: ["header"],
    });
  });

  it("is in the challenge of a 401, and a 403 names the scope (RFC 6750 §3.1)", async () => {
    await using setup = await startSetup();
    const metadata = `resource_metadata="${setup.metadataUrl}"`;
    expect(await setup.ask(undefined)).toEqual([401, `Bearer ${metadata}`]);
    expect(await setup.ask("unknown")).toEqual([401, `Bearer error="invalid_token", ${metadata}`]);
    const reader = await setup.tokenFor("docs:read");
    expect(await setup.ask(reader)).toEqual([200, null]);
    expect(await setup.ask(reader, "POST")).toEqual([
      403,
      `Bearer error="insufficient_scope", scope="docs:write", ${metadata}`,
    ]);
  });

  it("is absent from a service with its own tokens only", async () => {
    await using setup = await startSetup();
    setup.service.acceptTokensFrom(undefined);
    expect((await fetch(setup.metadataUrl)).status).toBe(404);
    expect(await setup.ask(undefined)).toEqual([401, null]);
  });

  it("lets auth discover find the authentication for the API", async () => {
    await using setup = await startSetup();
    const run = await runCli(["auth", "discover", setup.service.url, "--json"]);
    expect(run.json()).toMatchObject({
      ok: true,
      definition: {
        type: "OAuth2",
        issuer: setup.provider.issuer,
        resource: setup.service.url,
        scopes: ["docs:read", "docs:write"],
      },
    });
  });
});
