import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { connectAccount } from "../../src/connect/connect-account.ts";
import type { DeviceInstructions } from "../../src/oauth/connect/device-authorization.ts";
import { startProvider } from "../../src/provider/provider.ts";
import { createRedactor } from "../../src/shared/redact.ts";
import { createTestBrowser } from "../support/browser.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

describe("connecting on another device (RFC 8628)", () => {
  it("waits until the code was entered and approved, and keeps the tokens", async () => {
    await using setup = await startSetup();
    const account = await setup.connect(
      ({ verificationUri, userCode }) => void setup.enter(verificationUri, userCode, "approve"),
    );
    expect(account).toMatchObject({
      status: "connected",
      scopes: ["profile"],
      renewable: true,
      redirectUri: undefined,
    });
  });

  it("shows a link that follows the route of the provider, as the browser has to", async () => {
    await using setup = await startSetup("routed");
    const opened: (string | undefined)[] = [];
    await setup.connect(({ verificationUri, verificationUriComplete, userCode }) => {
      opened.push(verificationUri, verificationUriComplete);
      void setup.enter(verificationUri, userCode, "approve");
    });
    expect(opened.map((link) => new URL(link ?? "").origin)).toEqual([setup.origin, setup.origin]);
  });

  it("says that the person refused", async () => {
    await using setup = await startSetup();
    const refused = setup.connect(
      ({ verificationUri, userCode }) => void setup.enter(verificationUri, userCode, "deny"),
    );
    await expect(refused).rejects.toMatchObject({ code: "OAUTH_DENIED" });
  });

  it("says so when the server has no metadata to find it in", async () => {
    await using setup = await startSetup("none");
    await expect(setup.connect(() => {})).rejects.toMatchObject({ code: "OAUTH_DISCOVERY_FAILED" });
  });
});

async function startSetup(device?: "none" | "routed") {
  const named = device === "routed" ? { issuer: "https://login.tasks.example" } : {};
  const provider = await startProvider({ deviceIntervalSeconds: 0.01, ...named });
  const folder = makeTemporaryFolder();
  const { origin } = new URL(provider.authorizationUrl);
  const issuer = device === "none" ? `${provider.issuer}/none` : provider.issuer;
  await writeFile(
    join(folder.path, "pack.ts"),
    `import { newPack } from "packsmith";
export const pack = newPack({ networkDomains: ["tasks.example"] });
pack.setUserAuthentication({ type: "OAuth2", issuer: ${JSON.stringify(issuer)}, scopes: ["profile"], useProofKeyForCodeExchange: true });
`,
  );
  return {
    origin,
    /** What a person does in a browser of their own. */
    async enter(
      verificationUri: string,
      userCode: string,
      decision: "approve" | "deny",
    ): Promise<void> {
      const browser = createTestBrowser();
      let page = await browser.submit(await browser.open(verificationUri), { user_code: userCode });
      if (page.html.includes('data-packsmith="login"')) page = await browser.submit(page);
      await browser.submit(page, { decision });
    },
    connect: (instruct: (instructions: DeviceInstructions) => void) =>
      connectAccount({
        file: "pack.ts",
        cwd: folder.path,
        home: join(folder.path, "home"),
        client: { clientId: provider.clientId, clientSecret: provider.clientSecret },
        device: instruct,
        routes: device === "routed" ? [`${issuer}=${origin}`] : [],
        redactor: createRedactor(),
      }),
    async [Symbol.asyncDispose]() {
      await provider.close();
      folder[Symbol.dispose]();
    },
  };
}
