import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectAccount } from "../../src/connect/connect-account.ts";
import { startProvider } from "../../src/provider/provider.ts";
import { createRedactor } from "../../src/shared/redact.ts";
import { OAUTH_PACK } from "../support/account-packs.ts";
import { summaryKey } from "../support/accounts.ts";
import { seriousFindings } from "../support/axe.ts";
import { linkPackages, PRESET, runVitest } from "../support/child-vitest.ts";
import { hasChromium, launchChromium } from "../support/chromium.ts";
import { startDevProject } from "../support/dev.ts";
import { openDevWindow } from "../support/dev-browser.ts";

const run = promisify(execFile);

describe.runIf(hasChromium)("the view Timeline", () => {
  let browser: Awaited<ReturnType<typeof launchChromium>>;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());

  it("shows the requests of a run, gives them as curl, and makes a test of them that passes", async () => {
    await using provider = await startProvider();
    const routes = [
      `https://login.tasks.example=${provider.origin}`,
      `https://tasks.example=${provider.origin}`,
    ];
    await using dev = await startDevProject(
      {
        "pack.ts": OAUTH_PACK,
        "package.json": JSON.stringify({ type: "module" }),
        "vitest.config.ts": PRESET,
      },
      { routes },
    );
    const { cwd, home = "" } = dev.server.session.options;
    const client = { clientId: provider.clientId, clientSecret: provider.clientSecret };
    await connectAccount({
      file: "pack.ts",
      cwd,
      home,
      client,
      routes,
      browser: "headless",
      redactor: createRedactor(),
    });
    await using window = await openDevWindow(browser, dev, "timeline");
    const { page, context } = window;
    await page.getByText("No requests yet").waitFor();
    await dev.post("/api/runs", { target: "WhoAmI", args: [] });

    // It appears without a reload.
    const group = page.getByRole("region", { name: "Requests of WhoAmI" });
    await group.waitFor();
    const row = group.getByRole("row").filter({ hasText: "/me?fields=name" });
    expect((await row.innerText()).split(/\s+/)).toEqual(
      expect.arrayContaining(["GET", "https://tasks.example/me?fields=name", "200"]),
    );

    await window.page.goto(`${dev.server.origin}/#/timeline/another-run`);
    await page.getByText("Requests of one run.").waitFor();
    await group.waitFor({ state: "detached" });
    await page.getByRole("link", { name: "Show all" }).click();

    await page.getByLabel("Filter requests").fill("nothing is like this");
    await page.getByText("0 of 1 requests").waitFor();
    await page.getByLabel("Filter requests").fill("fields");
    await page.getByText("1 request", { exact: true }).waitFor();
    await page.getByLabel("Failed only").check();
    await page.getByText("No requests match the filter.").waitFor();
    await page.getByLabel("Failed only").uncheck();

    await group.getByRole("button", { name: "/me?fields=name" }).click();
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await group.getByRole("button", { name: "Copy as curl" }).click();
    await group.getByText("Copied", { exact: true }).waitFor();
    const command = String(await page.evaluate("navigator.clipboard.readText()"));
    expect(command).toContain(`"\${ACCESS_TOKEN}"`);
    const { stdout } = await run("/bin/sh", ["-c", command], {
      env: { PATH: process.env["PATH"], ACCESS_TOKEN: await accessToken(home) },
    });
    expect(JSON.parse(stdout)).toMatchObject({ name: "Local user" });

    // The credentials of the account are compared by their scheme, and neither value is shown.
    await group.getByRole("tab", { name: "Compare" }).click();
    const panel = group.getByRole("tabpanel", { name: "Compare" });
    await panel
      .getByLabel("curl command")
      .fill("curl 'https://tasks.example/me?fields=name' -H 'authorization: Bearer planted-token'");
    await panel.getByText("The requests do not differ. Secrets are not compared.").waitFor();
    await panel
      .getByLabel("curl command")
      .fill("curl 'https://tasks.example/me?fields=name' -u planted-name:planted-password");
    await panel.getByText("1 difference", { exact: true }).waitFor();
    expect(await panel.getByRole("table").innerText()).toMatch(
      /Bearer \$ACCESS_TOKEN\s+Basic ••••/,
    );
    expect(await seriousFindings(page)).toEqual([]);

    await group.getByRole("button", { name: "Save as test" }).click();
    expect(await group.getByLabel(/^File/).inputValue()).toBe("test/who-am-i.test.ts");
    expect(await seriousFindings(page)).toEqual([]);
    await group.getByRole("button", { name: "Run and save" }).click();
    await group.getByText("Saved test/who-am-i.test.ts and test/cassettes/who-am-i.json").waitFor();
    const written = dev.project.read("test/who-am-i.test.ts");
    expect(written).toContain('toEqual("Local user")');
    // A file that is there is asked about.
    await group.getByRole("button", { name: "Run and save" }).click();
    await group.getByText("already exist").waitFor();
    expect(dev.project.read("test/who-am-i.test.ts")).toBe(written);
    await group.getByRole("button", { name: "Replace" }).click();
    await group.getByText("Saved test/who-am-i.test.ts").waitFor();

    await group.getByRole("button", { name: "Save as cassette" }).click();
    await group.getByLabel(/^File/).fill("../outside.json");
    await group.getByRole("button", { name: "Run and save" }).click();
    await group.getByText("only write files in the project folder").waitFor();
    expect(window.errors.filter((error) => !error.includes("400"))).toEqual([]);

    linkPackages(dev.project.path);
    const { code, output } = await runVitest(dev.project.path);
    expect(output).toContain("1 passed");
    expect(code).toBe(0);
  });
});

async function accessToken(home: string): Promise<string> {
  const { openVault } = await import("../../src/accounts/vault.ts");
  await using vault = await openVault({ directory: home });
  const [summary] = await vault.list();
  return (summary && (await vault.get(summaryKey(summary))))?.tokenSet?.accessToken ?? "";
}
