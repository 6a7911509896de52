import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { git, startGit } from "../publish/registry/git.ts";
import { hello, packSource } from "../publish/registry/registry.ts";
import { isLong } from "../support/breadth.ts";
import { hasChromium, launchChromium } from "../support/chromium.ts";
import { collectPageErrors } from "../support/dev.ts";
import { expectGoodOnEveryScreen } from "../support/every-screen.ts";
import { type PublishDev, startPublishDev } from "../support/publish-dev.ts";

describe.runIf(hasChromium)("the view Publish", () => {
  let browser: Awaited<ReturnType<typeof launchChromium>>;
  let publish: PublishDev;
  let page: Page;
  let errors: string[];
  beforeAll(async () => {
    browser = await launchChromium();
    publish = await startPublishDev();
    page = await browser.newPage({ reducedMotion: "reduce" });
    page.setDefaultTimeout(60_000);
    errors = collectPageErrors(page);
    await page.goto(publish.dev.server.createLink());
    await page.getByRole("link", { name: "Publish" }).click();
  });
  afterAll(async () => {
    await browser?.close();
    await publish?.[Symbol.asyncDispose]();
  });
  const main = () => page.getByRole("main");
  const versions = () => main().getByRole("region", { name: "Versions" });
  const source = () => main().getByRole("region", { name: "Your source" });
  const retry = () => main().getByRole("button", { name: "Check again" }).click();
  const upload = async (notes: string) => {
    await source().getByLabel("Notes").fill(notes);
    await source().getByRole("button", { name: "Upload" }).click();
  };

  it("without a token says how to log in, and goes on when that is done", async () => {
    await main().getByRole("heading", { name: "Before the first upload" }).waitFor();
    await main()
      .getByText(`packsmith login --registry ${publish.registry.client.registry.origin}`, {
        exact: true,
      })
      .waitFor();
    await expectGoodOnEveryScreen(page);
    await publish.login();
    await retry();
    await main()
      .getByText(/^packsmith create pack\.ts/)
      .waitFor();
    await publish.link();
    await retry();
    await main()
      .getByText("No version yet. Upload your source to create the first version.")
      .waitFor();
    await expectGoodOnEveryScreen(page);
  });

  it("uploads the source, asks before a release, and shows what users have", async () => {
    await upload("The first version");
    await main().getByText("Version 1 is uploaded.").waitFor();
    await versions().getByText("The first version").waitFor();
    await versions().getByRole("button", { name: "Release 1" }).click();
    const dialog = page.getByRole("dialog", { name: "Release 1?" });
    await dialog.getByText("Users have no version yet.").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "hidden" });
    expect((await publish.view()).pack?.released).toBe(undefined);
    await versions().getByRole("button", { name: "Release 1" }).click();
    await dialog.getByLabel("Notes for users").fill("Greets people");
    await dialog.getByRole("button", { name: "Release to users" }).click();
    await main().getByText("Users have 1 now. This is release 1.").waitFor();
    await versions().getByText("released to users").waitFor();
    expect((await publish.view()).pack?.released).toBe("1");
  });

  it("shows what would change for users after a save, and in the question before the release", async () => {
    await publish.save(packSource(`${hello()}\n${hello("Says goodbye.", "Bye")}`));
    await source().getByText("formula Bye: added").waitFor();
    await source().getByText("2", { exact: true }).waitFor();
    await upload("Says goodbye");
    await main().getByText("Version 2 is uploaded.").waitFor();
    await source().getByText("Uploaded but not released: 2 (released: 1)").waitFor();
    await versions().getByRole("button", { name: "Release 2" }).click();
    const dialog = page.getByRole("dialog", { name: "Release 2?" });
    await dialog.getByText("formula Bye: added").waitFor();
    await expectGoodOnEveryScreen(page);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
  });

  it.runIf(isLong)(
    "shows how far a slow upload is, stops it, and completes it with the next one",
    async () => {
      await publish.save(packSource(`${hello()}\n${hello("Says farewell.", "Bye")}`));
      await publish.registry.fail({ operation: "putUpload", delayMs: 60_000, count: 1 });
      await upload("Slower");
      await main().getByText("The registry checks the Pack…").waitFor();
      expect(
        await main().getByRole("progressbar", { name: "Sent bytes" }).getAttribute("value"),
      ).toMatch(/^\d{3,}$/);
      await main().getByRole("button", { name: "Stop" }).click();
      await main().getByRole("alert").getByText("You stopped the upload.").waitFor();
      await main().getByText("does not upload anything twice").waitFor();
      await upload("Slower");
      await main().getByText("Version 3 is uploaded.").waitFor();
      expect((await publish.view()).pack?.versions.map(({ packVersion }) => packVersion)).toEqual([
        "3",
        "2",
        "1",
      ]);
    },
  );

  it.runIf(isLong)(
    "shows a failure of the registry with its next step, and a Pack with errors at its line",
    async () => {
      await publish.save(packSource(`${hello()}\n${hello("Says goodbye again.", "Bye")}`));
      await publish.registry.fail({ operation: "completePackVersion", status: 400 });
      await upload("");
      const alert = main().getByRole("alert");
      await alert.getByText("REGISTRY_FAILED").waitFor();
      await alert.getByText("Correct the mistake that the message describes.").waitFor();
      await publish.registry.fail();
      await publish.save(packSource(hello("Greets.", "Not a name")));
      await source().getByText("PACK_INVALID").waitFor();
      expect(await source().getByRole("button", { name: "Upload" }).isDisabled()).toBe(true);
      await expectGoodOnEveryScreen(page);
      await publish.save(packSource(`${hello()}\n${hello("Says goodbye again.", "Bye")}`));
      await expect
        .poll(() => source().getByRole("button", { name: "Upload" }).isDisabled(), {
          timeout: 60_000,
        })
        .toBe(false);
    },
  );

  it.runIf(isLong)("releases the source of an older version, if git has it", async () => {
    // Only what the source builds is released.
    await publish.save(packSource(`${hello()}\n${hello("Says farewell.", "Bye")}`));
    await versions().getByRole("button", { name: "Release 3" }).click();
    await page.getByRole("button", { name: "Release to users" }).click();
    await main().getByText("Users have 3 now.").waitFor();
    await versions().getByRole("button", { name: "Release 1" }).click();
    const dialog = page.getByRole("dialog", { name: "Release 1?" });
    await dialog.getByText("All users will be updated from 3 to 1.").waitFor();
    await dialog.getByText("formula Bye: removed").waitFor();
    await dialog.getByRole("button", { name: "Release to users" }).click();
    await main().getByText("git does not contain the source of version 1.").waitFor();
    const { project } = publish.dev;
    const newer = project.read("pack.ts");
    project.write("pack.ts", packSource(hello()));
    startGit({ cwd: project.path });
    git(project.path, "tag", `pack/${publish.packId()}/v1`);
    project.write("pack.ts", newer);
    await versions().getByRole("button", { name: "Release 1" }).click();
    await dialog.getByRole("button", { name: "Release to users" }).click();
    await main().getByText("Users have the source of 1 as 4 now. This is release 3.").waitFor();
  });

  it("no page error, and the token is nowhere on the page", async () => {
    expect(await page.content()).not.toContain(publish.registry.test.service.token);
    expect(errors.filter((error) => !error.includes("400 (Bad Request)"))).toEqual([]);
  });
});
