import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { connectAccount } from "../../src/connect/connect-account.ts";
import { listAccounts, refreshAccount } from "../../src/connect/manage-accounts.ts";
import { requestClientCredentialsToken } from "../../src/oauth/run/client-credentials.ts";
import { refreshTokenSet } from "../../src/oauth/run/refresh.ts";
import { startProvider } from "../../src/provider/provider.ts";
import { createRedactor } from "../../src/shared/redact.ts";
import { executeFormula } from "../../src/testing/test-formula.ts";
import { storedAccount } from "../support/accounts.ts";
import { createTestBrowser } from "../support/browser.ts";
import {
  type OidcAuthority,
  type OidcAuthorityOptions,
  startOidcAuthority,
} from "../support/oidc-provider.ts";
import { readAssertion } from "../support/signing-keys.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

/** The userinfo endpoint of the authority is the API: it verifies proofs, too. */
const PACK = (definition: object) => `import { newPack } from "packsmith";
export const pack = newPack().addNetworkDomain("127.0.0.1");
pack.setUserAuthentication(${JSON.stringify(definition)});
pack.addFormula({
  name: "Who", description: "Says who.", resultType: "string", parameters: [],
  execute: async (_, context) => (await context.fetcher.fetch({ method: "GET", url: "ISSUER/me?x=1#y" })).body.sub,
});
`;

describe("DPoP, with node-oidc-provider as authorization server and API", () => {
  // docs/rules.md: rule 42
  it.each(["optional", "nonce"] as const)(
    "exchange, refresh and calls carry a proof where it is advertised (%s), and the server verifies all",
    async (dpop) => {
      await using setup = await startSetup({ dpop });
      await setup.connect();
      expect(await setup.call()).toBe("editor");
      await refreshAccount(setup.options);
      expect(await setup.call()).toBe("editor");
      const proved = setup.authority.requests.filter((request) => request.dpop !== undefined);
      const proofs = proved.map(({ dpop: proof = "" }) => readAssertion(proof));
      expect(new Set(proofs.map(({ claims }) => claims["jti"])).size).toBe(proofs.length);
      expect(
        proved.map(({ path }) => path).filter((path, index, all) => path !== all[index - 1]),
      ).toEqual(["/token", "/me", "/token", "/me"]);
      for (const [index, { header, claims }] of proofs.entries()) {
        const { method, path, authorization } = proved[index] ?? {
          method: "",
          path: "",
          authorization: undefined,
        };
        expect(header).toMatchObject({
          typ: "dpop+jwt",
          alg: "ES256",
          jwk: { kty: "EC", crv: "P-256" },
        });
        expect(header["jwk"]).not.toHaveProperty("d");
        expect(claims).toMatchObject({ htm: method, htu: setup.authority.issuer + path });
        const token = /^DPoP (.+)$/.exec(authorization ?? "")?.[1];
        expect(claims["ath"]).toBe(
          path === "/me"
            ? createHash("sha256")
                .update(token ?? "")
                .digest("base64url")
            : undefined,
        );
      }
      expect(
        new Set(proofs.map(({ header }) => JSON.stringify(header["jwk"]))).size,
        "one key for the account",
      ).toBe(1);
      const asksForNonce = proofs.some(({ claims }) => claims["nonce"] !== undefined);
      expect(asksForNonce).toBe(dpop === "nonce");
    },
  );

  // docs/rules.md: rule 42
  it("a stolen token is of no use without the key, which is encrypted and shown nowhere", async () => {
    await using setup = await startSetup({ dpop: "optional" });
    const lines: string[] = [];
    await setup.connect((line) => lines.push(line));
    const { tokenSet } = await setup.stored();
    const { d = "none" } = JSON.parse(tokenSet?.dpopKey ?? "{}") as { d?: string };
    expect(d).toMatch(/^[\w-]{43}$/);
    for (const scheme of ["Bearer", "DPoP"]) {
      const thief = await fetch(`${setup.authority.issuer}/me`, {
        headers: { authorization: `${scheme} ${tokenSet?.accessToken}` },
      });
      expect(thief.status, scheme).not.toBe(200);
    }
    const shown = [
      lines.join("\n"),
      JSON.stringify(await listAccounts(setup.options)),
      inspect(await setup.stored(), { depth: 9 }),
    ];
    const stored = await readFile(join(setup.options.home, "vault.db"), "latin1");
    const flow = await readFile(join(setup.options.home, "last-connection.json"), "utf8");
    for (const text of [...shown, stored, flow]) expect(text).not.toContain(d);
  });

  // docs/rules.md: rule 42
  it("a definition can refuse what the server advertises", async () => {
    await using setup = await startSetup({ dpop: "optional" }, { dpop: false });
    await setup.connect();
    expect(await setup.call()).toBe("editor");
    expect(setup.authority.requests.filter(({ dpop }) => dpop !== undefined)).toEqual([]);
    expect((await setup.stored()).tokenSet).toMatchObject({
      tokenType: expect.stringMatching(/^bearer$/i),
    });
  });

  // docs/rules.md: rule 42
  it("a server that does not advertise it gets no proof", async () => {
    await using setup = await startSetup({});
    await setup.connect();
    expect(await setup.call()).toBe("editor");
    expect(setup.authority.requests.filter(({ dpop }) => dpop !== undefined)).toEqual([]);
  });

  // docs/rules.md: rule 42
  it("a definition that demands it accepts no token that works without the key", async () => {
    await using setup = await startSetup({}, { dpop: true });
    await expect(setup.connect()).rejects.toMatchObject({
      code: "OAUTH_TOKEN_RESPONSE_INVALID",
      hint: expect.stringContaining("dpop"),
    });
    await using provider = await startProvider();
    const client = { clientId: provider.clientId, clientSecret: provider.clientSecret };
    const definition = {
      type: "OAuth2ClientCredentials",
      tokenUrl: provider.tokenUrl,
      dpop: true,
    } as const;
    await expect(requestClientCredentialsToken({ definition, client })).rejects.toMatchObject({
      code: "OAUTH_TOKEN_RESPONSE_INVALID",
    });
  });

  // docs/rules.md: rule 42
  it("client credentials are bound too, and the next token to the same key", async () => {
    await using authority = await startOidcAuthority({ dpop: "nonce", machine: true });
    const definition = {
      type: "OAuth2ClientCredentials",
      tokenUrl: `${authority.issuer}/token`,
      dpop: true,
    } as const;
    const client = { clientId: "machine", clientSecret: "machine-secret" };
    const first = await requestClientCredentialsToken({ definition, client });
    const second = await refreshTokenSet({ definition, client, tokenSet: first });
    expect([first.tokenType, second.tokenType]).toEqual(["DPoP", "DPoP"]);
    expect(second.dpopKey).toBe(first.dpopKey);
    expect(second.accessToken).not.toBe(first.accessToken);
  });
});

async function startSetup(own: OidcAuthorityOptions, members: object = {}) {
  const authority: OidcAuthority = await startOidcAuthority(own);
  const folder = makeTemporaryFolder();
  const definition = {
    type: "OAuth2",
    issuer: authority.issuer,
    scopes: ["openid", "offline_access"],
    additionalParams: { prompt: "consent" },
    useProofKeyForCodeExchange: true,
    ...members,
  };
  await writeFile(
    join(folder.path, "pack.ts"),
    PACK(definition).replace("ISSUER", authority.issuer),
  );
  const home = join(folder.path, "home");
  await mkdir(home, { mode: 0o700 });
  const options = { file: "pack.ts", cwd: folder.path, home, redactor: createRedactor() };
  return {
    authority,
    options,
    connect: (onProgress?: (line: string) => void) =>
      connectAccount({
        ...options,
        onProgress,
        client: { clientId: authority.clientId, clientSecret: authority.clientSecret },
        redirectPath: "/oauth/callback",
        browser: async (startUrl) => {
          const browser = createTestBrowser();
          let page = await browser.open(startUrl);
          for (let pages = 0; pages < 4 && page.html.includes("<form"); pages++) {
            page = await browser.submit(
              page,
              page.html.includes('name="login"') ? { login: "editor", password: "any" } : {},
            );
          }
        },
      }),
    call: () =>
      executeFormula("pack.ts", "Who", [], { cwd: folder.path, home, routes: [authority.issuer] }),
    stored: () => storedAccount(home),
    async [Symbol.asyncDispose]() {
      await authority[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}
