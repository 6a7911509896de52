import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { connectAccount } from "../../src/connect/connect-account.ts";
import { refreshAccount, revokeAccount } from "../../src/connect/manage-accounts.ts";
import { runFormula } from "../../src/execute/run-target.ts";
import { createRedactor } from "../../src/shared/redact.ts";
import { createTestBrowser } from "../support/browser.ts";
import { startNodeOAuthServer } from "../support/node-oauth-server.ts";
import {
  type AuthorityUnderTest,
  hasOAuthLib,
  startOAuthLibServer,
} from "../support/oauthlib-server.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

interface OtherServer {
  name: string;
  isThere: boolean;
  start(): Promise<AuthorityUnderTest>;
  clientSecret: string;
  members: object;
  user: string;
  revokes: boolean;
}

const SERVERS: readonly OtherServer[] = [
  {
    name: "OAuthLib of Debian",
    isThere: hasOAuthLib,
    start: startOAuthLibServer,
    clientSecret: "s+e c/r:e=t%1",
    // Its first attempt, without form-encoding, is refused and does not use up the code.
    members: { credentialsLocation: "AuthorizationHeader" },
    user: "OAuthLib user",
    revokes: true,
  },
  {
    name: "@node-oauth/oauth2-server",
    isThere: process.env["PACKSMITH_CLIENTS"] !== undefined,
    start: startNodeOAuthServer,
    clientSecret: "secret-of-pack-0123456789",
    members: {},
    user: "Node OAuth user",
    revokes: false,
  },
];

describe.each(SERVERS)("with $name as the authorization server", (server) => {
  it.skipIf(!server.isThere)("connects with PKCE, runs, rotates, and forgets", async () => {
    await using authority = await server.start();
    using folder = makeTemporaryFolder();
    await writeFile(join(folder.path, "pack.ts"), packFor(authority.url, server.members));
    const home = join(folder.path, "home");
    await mkdir(home, { mode: 0o700 });
    const options = {
      file: "pack.ts",
      cwd: folder.path,
      home,
      // Only then a Pack reaches this machine.
      routes: [authority.url],
      redactor: createRedactor(),
    };
    const run = async () => {
      const answer = await runFormula({ ...options, formula: "WhoAmI", args: { text: [] } });
      return answer.ok ? answer.result : answer.failure.error.code;
    };
    const account = await connectAccount({
      ...options,
      client: { clientId: "pack", clientSecret: server.clientSecret },
      browser: async (startUrl) => void (await createTestBrowser().open(startUrl)),
      timeoutMs: 60_000,
    });
    expect(account).toMatchObject({ status: "connected", renewable: true });
    expect(account.scopes).toEqual(["docs:read", "docs:write"]);
    expect(await run()).toBe(server.user);
    await refreshAccount(options);
    await refreshAccount(options);
    expect(await run()).toBe(server.user);
    const revocationUrl = server.revokes ? `${authority.url}/revoke` : undefined;
    expect(await revokeAccount({ ...options, revocationUrl })).toMatchObject({
      revoked: server.revokes,
    });
    expect(await run()).toBe("ACCOUNT_MISSING");
    const requests = await authority.readRequests();
    const accepted = requests.filter(([path, , status]) => path === "/token" && status === 200);
    expect(accepted.map(([, grant]) => grant)).toEqual([
      "authorization_code",
      "refresh_token",
      "refresh_token",
    ]);
  });
});

function packFor(url: string, members: object): string {
  const definition = {
    type: "OAuth2",
    authorizationUrl: `${url}/authorize`,
    tokenUrl: `${url}/token`,
    scopes: ["docs:read", "docs:write"],
    useProofKeyForCodeExchange: true,
    ...members,
  };
  return `import { newPack, ValueType } from "packsmith";
export const pack = newPack();
pack.addNetworkDomain("127.0.0.1");
pack.setUserAuthentication(${JSON.stringify(definition)});
pack.addFormula({
  name: "WhoAmI", description: "Who is connected.", parameters: [], resultType: ValueType.String,
  execute: async (_args, context) =>
    (await context.fetcher.fetch({ method: "GET", url: "${url}/me", cacheTtlSecs: 0 })).body.name,
});
`;
}
