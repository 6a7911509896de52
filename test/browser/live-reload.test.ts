import { renameSync, rmSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seriousFindings } from "../support/axe.ts";
import { hasChromium, launchChromium } from "../support/chromium.ts";
import { startDevProject } from "../support/dev.ts";
import { oneFormula } from "../support/dev-pack.ts";

const GREET = (greeting: string, extra = ""): string => `import * as sdk from "packsmith";
export const pack = sdk.newPack();
pack.addFormula({
  name: "Greet", description: "Greets somebody.",
  parameters: [
    sdk.makeParameter({ type: "string", name: "who", description: "Whom to greet." }),
    sdk.makeParameter({ type: "string", name: "password", description: "Never kept.", optional: true }),
    ${extra}
  ],
  resultType: "string",
  execute: async ([who]) => "${greeting}, " + who,
});
`;

describe.runIf(hasChromium)("live reload", () => {
  let browser: Awaited<ReturnType<typeof launchChromium>>;
  let page: Page;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());
  const openPage = async (url: string): Promise<Page> => {
    page = await browser.newPage();
    page.setDefaultTimeout(60_000);
    await page.goto(url);
    return page;
  };
  const result = () => page.getByRole("region", { name: "Result" });

  it("opens from the link of the terminal, without its key in the address", async () => {
    await using dev = await startDevProject({ "pack.ts": oneFormula('return "here";') });
    await openPage(dev.server.createLink());
    await page.getByText("Says something.").waitFor();
    expect(page.url()).toBe(`${dev.server.origin}/`);
    await page.close();
  });

  it("repeats the last run with its inputs after a save, and keeps them when a parameter is added", async () => {
    await using dev = await startDevProject({ "pack.ts": GREET("Hello") });
    await openPage(dev.server.createLink());
    await page.goto(`${dev.server.origin}/#/run/Greet`);
    await page.getByLabel(/^who/).fill("Ada");
    await page.getByLabel(/^password/).fill("canary-of-the-form");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await result().getByText("Hello, Ada").waitFor();

    dev.project.write("pack.ts", GREET("Good day"));
    await result().getByText("Good day, Ada").waitFor();

    dev.project.write(
      "pack.ts",
      GREET(
        "Servus",
        'sdk.makeParameter({ type: "number", name: "times", description: "How often.", optional: true }),',
      ),
    );
    await result().getByText("Servus, Ada").waitFor();
    await page.getByLabel(/^times/).waitFor();
    expect(await page.getByLabel(/^who/).inputValue()).toBe("Ada");
    expect(await page.getByLabel(/^password/).inputValue()).toBe("canary-of-the-form");
    const kept = await page.evaluate<string>(
      "JSON.stringify([{ ...sessionStorage }, { ...localStorage }])",
    );
    expect(kept).toContain("Ada");
    expect(kept).not.toContain("canary-of-the-form");
    await page.close();
  });

  it("does not repeat the last run when the setting is off", async () => {
    await using dev = await startDevProject({ "pack.ts": GREET("Hello") });
    await openPage(dev.server.createLink());
    await page.goto(`${dev.server.origin}/#/run/Greet`);
    await page.getByLabel(/^who/).fill("Ada");
    await page.getByLabel("Run again after each save").uncheck();
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await result().getByText("Hello, Ada").waitFor();
    dev.project.write("pack.ts", GREET("Good day"));
    await result().getByText("of an older version").waitFor();
    await result().getByText("Hello, Ada").waitFor();
    await page.close();
  });

  it("never repeats an action automatically", async () => {
    const action = (text: string) =>
      oneFormula(`return "${text}";`, { name: "Send" }).replace(
        "parameters:",
        "isAction: true, parameters:",
      );
    await using dev = await startDevProject({ "pack.ts": action("first") });
    await openPage(dev.server.createLink());
    await page.goto(`${dev.server.origin}/#/run/Send`);
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await result().getByText("first").waitFor();
    dev.project.write("pack.ts", action("second"));
    await result().getByText("of an older version").waitFor();
    await result().getByText("first").waitFor();
    await page.close();
  });

  it("shows what is wrong with a Pack in its place, runs the last good version, and recovers on save", async () => {
    const opened: string[] = [];
    await using dev = await startDevProject(
      { "pack.ts": oneFormula('return "whole";') },
      {
        openLink: async (link) => void opened.push(link),
        editorUrl: "editor://open?file={file}&line={line}&column={column}",
      },
    );
    await openPage(dev.server.createLink());
    // It does not compile.
    dev.project.write("pack.ts", `${oneFormula('return "whole";')}const = 1;\n`);
    await page.getByText("does not load", { exact: true }).waitFor();
    await page.getByRole("region", { name: /Source at pack\.ts:/ }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole("button", { name: /^pack\.ts:\d+:\d+$/ }).click();
    await expect
      .poll(() => opened)
      .toEqual([
        `editor://open?file=${encodeURIComponent(`${dev.project.path}/pack.ts`)}&line=10&column=7`,
      ]);
    await page.goto(`${dev.server.origin}/#/run/Hello`);
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await result().getByText("whole").waitFor();
    // It throws when it is loaded.
    dev.project.write(
      "pack.ts",
      oneFormula('return "whole";', { before: 'throw new Error("thrown at import");' }),
    );
    await page.getByText("thrown at import").first().waitFor();
    // Its definition has an error.
    dev.project.write("pack.ts", oneFormula('return "whole";', { name: "Has Spaces" }));
    await page.getByText("has errors", { exact: true }).waitFor();
    await result().getByText("whole").waitFor();
    dev.project.write("pack.ts", oneFormula('return "fixed";'));
    await page.getByText("ready").waitFor();
    await result().getByText("fixed").waitFor();
    await page.close();
  });

  it("says what comes first in a Pack that was never without errors", async () => {
    const named = (name: string): string => oneFormula('return "ran";', { name });
    await using dev = await startDevProject({ "pack.ts": named("Has Spaces") });
    await openPage(dev.server.createLink());
    await page.goto(`${dev.server.origin}/#/run/Has%20Spaces`);
    await result().getByText("Fix the problems in the Pack first.").waitFor();
    expect(await page.getByRole("button", { name: "Run", exact: true }).isDisabled()).toBe(true);
    dev.project.write("pack.ts", named("HasNone"));
    await page.goto(`${dev.server.origin}/#/run/HasNone`);
    await result().getByText("Fill in the form and choose Run.").waitFor();
    await page.close();
  });

  it("says that the file is gone, also with its folder, and goes on when it is back", async () => {
    await using dev = await startDevProject(
      { "src/pack.ts": oneFormula('return "here";') },
      { file: "src/pack.ts" },
    );
    const { path } = dev.project;
    await openPage(dev.server.createLink());
    rmSync(`${path}/src/pack.ts`);
    await page.getByText("The file src/pack.ts was not found.").waitFor();
    dev.project.write("src/pack.ts", oneFormula('return "back";', { name: "Back" }));
    await page.getByRole("link", { name: "Back()" }).waitFor();
    renameSync(`${path}/src`, `${path}/elsewhere`);
    await page.getByText("The file src/pack.ts was not found.").waitFor();
    renameSync(`${path}/elsewhere`, `${path}/src`);
    await page.getByText("ready").waitFor();
    await page.close();
  });

  it("says that the server is gone", async () => {
    const dev = await startDevProject({ "pack.ts": oneFormula('return "here";') });
    await openPage(dev.server.createLink());
    await page.getByText("ready").waitFor();
    await dev[Symbol.asyncDispose]();
    await page.getByText("disconnected").waitFor();
    await page.close();
  });
});
