import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createServiceClient, type ServiceClient } from "../../src/service/client/client.ts";
import { importDocs } from "../../src/service/import/import-docs.ts";
import { type LocalService, startService } from "../../src/service/local/service.ts";
import { seriousFindings } from "../support/axe.ts";
import { chooseCases, isLong } from "../support/breadth.ts";
import { hasChromium, launchChromium } from "../support/chromium.ts";
import { collectPageErrors, type DevProject, startDevProject } from "../support/dev.ts";
import { SERVICE_PACK } from "../support/service-pack.ts";

const NOW_MS = Date.UTC(2026, 2, 2, 9, 30);

describe.runIf(hasChromium)("the view Service", () => {
  let browser: Awaited<ReturnType<typeof launchChromium>>;
  let service: LocalService;
  let client: ServiceClient;
  let dev: DevProject;
  let context: BrowserContext;
  let page: Page;
  let errors: string[];
  const received: string[] = [];

  beforeAll(async () => {
    browser = await launchChromium();
    service = await startService({ now: () => NOW_MS, mutationDelayMs: 0 });
    client = createServiceClient({ baseUrl: service.url, token: service.token });
    dev = await startDevProject({ "pack.ts": SERVICE_PACK });
    context = await browser.newContext();
    page = await context.newPage();
    page.setDefaultTimeout(60_000);
    errors = collectPageErrors(page);
    // Everything that reached the page is searched for the token at the end; the stream of events
    // has no end.
    page.on("response", (response) => {
      if (response.url().endsWith("/api/events")) return;
      void response.text().then(
        (text) => received.push(text),
        () => {},
      );
    });
    await page.goto(dev.server.createLink());
    await page.getByRole("link", { name: "Service" }).click();
  });
  afterAll(async () => {
    await browser?.close();
    await dev?.[Symbol.asyncDispose]();
    await service?.close();
  });

  const grid = () => page.getByRole("grid", { name: "Tasks" });
  const cell = (row: number, column: number) =>
    grid()
      .locator(`[role="row"][aria-rowindex="${row + 1}"] [role="gridcell"]`)
      .nth(column - 1);
  const titles = async () =>
    (await client.doc(service.docId).table("Tasks").rows.list().all({ max: 100 })).map(
      ({ name }) => name,
    );

  it("connects to a service of this machine by its URL and token", async () => {
    await page.getByLabel("URL").fill(service.controlUrl);
    await page.getByLabel("Token").fill(service.token);
    await page.getByRole("button", { name: "Connect" }).click();
    await grid().waitFor();
    await expect.poll(() => cell(1, 1).innerText()).toBe("Draft the welcome guide");
    expect(await grid().getAttribute("aria-rowcount")).toBe("25");
  });

  it("writes a cell that was edited with the keyboard only", async () => {
    await grid().focus();
    await page.keyboard.press("Enter");
    await page.keyboard.type("A new title");
    await page.keyboard.press("Enter");
    await expect.poll(titles).toContain("A new title");
    await expect.poll(() => grid().locator(".cell.changed").count()).toBe(0);
    expect(await cell(1, 1).innerText()).toBe("A new title");
  });

  it.runIf(isLong)(
    "edits select lists by choosing from their options, with the keyboard and with the pointer",
    async () => {
      const stored = async (column: string) =>
        (
          await client
            .doc(service.docId)
            .table("Tasks")
            .rows.resolve("A new title", { useColumnNames: true })
        ).values[column];
      await grid().focus();
      await page.keyboard.press("Control+Home");
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("Enter");
      const status = page.getByRole("dialog", { name: "Status" });
      expect(await status.getByRole("option").allInnerTexts()).toEqual([
        "empty",
        expect.stringMatching(/^To do/),
        "In progress",
        "In review",
        "Done",
      ]);
      expect(await status.getByRole("option", { checked: true }).innerText()).toMatch(/^To do/);
      expect(await seriousFindings(page)).toEqual([]);
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await status.waitFor({ state: "detached" });
      await expect.poll(() => stored("Status")).toBe("In progress");
      await expect.poll(() => cell(1, 2).innerText()).toBe("In progress");
      // The grid has the keyboard again.
      await page.keyboard.press("Enter");
      await page.keyboard.type("revi");
      expect(await status.getByRole("option").allInnerTexts()).toEqual(["In review"]);
      await page.keyboard.press("Escape");
      await status.waitFor({ state: "detached" });
      expect(await stored("Status")).toBe("In progress");

      const tags = page.getByRole("dialog", { name: "Tags" });
      for (let presses = 0; presses < 6; presses++) await page.keyboard.press("ArrowRight");
      await page.keyboard.press("Enter");
      const before = await tags.getByRole("option", { checked: true }).allInnerTexts();
      const options = (await tags.getByRole("option").allInnerTexts()).map(
        (text) => text.split("\n")[0] ?? "",
      );
      const missing =
        options.find((option) => !before.some((text) => text.startsWith(option))) ?? "";
      await tags.getByRole("option", { name: missing }).click();
      expect(await seriousFindings(page)).toEqual([]);
      await tags.getByRole("button", { name: "Done" }).click();
      await expect.poll(async () => String(await stored("Tags")).split(",")).toContain(missing);
      await expect
        .poll(async () => String(await stored("Tags")).split(",").length)
        .toBe(before.length + 1);
      await expect.poll(() => grid().locator(".cell.changed").count()).toBe(0);
      await page.keyboard.press("Control+Home");
    },
  );

  it("shows an edit as one that waits until it is completed by hand", async () => {
    await page.getByLabel("Hold new edits").check();
    await expect.poll(() => page.getByLabel("Hold new edits").isChecked()).toBe(true);
    await grid().focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("F2");
    await page.keyboard.type("Held back");
    await page.keyboard.press("Enter");
    await page.getByText("update a row").waitFor();
    expect(await grid().locator(".cell.changed").innerText()).toBe("Held back");
    expect(await titles()).not.toContain("Held back");
    await page.getByRole("button", { name: "Complete", exact: true }).click();
    await expect.poll(titles).toContain("Held back");
    await expect.poll(() => grid().locator(".cell.changed").count()).toBe(0);
    await page.getByLabel("Hold new edits").uncheck();
    await expect.poll(() => page.getByLabel("Hold new edits").isChecked()).toBe(false);
  });

  it.runIf(isLong)("adds and deletes rows and pushes buttons", async () => {
    await page.getByRole("button", { name: "Add row" }).click();
    await expect.poll(() => grid().getAttribute("aria-rowcount")).toBe("26");
    await grid().focus();
    await page.keyboard.press("Control+End");
    await page.keyboard.press("Enter");
    await expect.poll(() => grid().getAttribute("aria-rowcount")).toBe("25");
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Enter");
    const isDone = async () =>
      (
        await client
          .doc(service.docId)
          .table("Tasks")
          .rows.resolve("A new title", { useColumnNames: true })
      ).values["Done"];
    await expect.poll(isDone).toBe(true);
  });

  it("shows what another client changed, and the journal of the service", async () => {
    await client
      .doc(service.docId)
      .table("Tasks")
      .rows.update("Held back", { Title: "Changed elsewhere" });
    await expect.poll(() => cell(2, 1).innerText()).toBe("Changed elsewhere");
    await page.getByRole("tab", { name: /^Requests/ }).click();
    await page.getByRole("cell", { name: "updateRow" }).first().waitFor();
  });

  it("shows an edit in every page that is open", async () => {
    const second = await context.newPage();
    second.setDefaultTimeout(60_000);
    await second.goto(`${dev.server.origin}/#/service`);
    await second.getByRole("grid", { name: "Tasks" }).waitFor();
    await grid().focus();
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("F2");
    await page.keyboard.type("Seen twice");
    await page.keyboard.press("Enter");
    await second.getByRole("grid").getByText("Seen twice").waitFor();
    await second.close();
  });

  it("advances the clock of the service", async () => {
    await page.getByRole("button", { name: "Advance the clock by 1 day" }).click();
    await page.getByText("2026-03-03 UTC").waitFor();
    expect(service.clock.now()).toBe(NOW_MS + 24 * 60 * 60_000);
    await page.getByRole("button", { name: "Freeze" }).click();
    await expect.poll(() => service.clock.isFrozen).toBe(true);
  });

  it.runIf(isLong)("injects a fault that a run of the Pack meets, but not this page", async () => {
    await page.getByRole("tab", { name: "The Pack" }).click();
    await page.getByRole("button", { name: "Create an account with the service's token" }).click();
    await page.getByText(/contains the token. Use this account in the Run view/).waitFor();
    await page.getByRole("tab", { name: /^Faults/ }).click();
    await page.getByLabel("Request", { exact: true }).selectOption("listRows");
    await page.getByLabel("The service", { exact: true }).selectOption("503");
    await page.getByRole("button", { name: "Inject fault" }).click();
    await page.getByText("returns 503, once").waitFor();
    await page.getByRole("link", { name: "Run", exact: true }).click();
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByRole("alert").filter({ hasText: "503" }).waitFor();
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.locator(".value").getByText("24", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Service" }).click();
    await page.getByRole("tab", { name: /^Faults/ }).click();
    await page.getByText(/No faults\. Inject a fault to see/).waitFor();
  });

  it.each(
    chooseCases(
      [
        ["light", [/^Edits/, /^Faults/, /^The Pack/]],
        ["dark", [/^Requests/, /^Limits/]],
      ] as const,
      2,
    ),
  )("has no serious finding of axe in %s", async (colorScheme, tabs) => {
    await page.emulateMedia({ colorScheme });
    for (const tab of tabs) {
      await page.getByRole("tab", { name: tab }).click();
      expect(await seriousFindings(page)).toEqual([]);
    }
  });

  it("never has the token of the service in the page, in what it stores, or in what it received", async () => {
    // A text, because the types of these tests are not those of a page.
    const kept = String(
      await page.evaluate(
        "JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.documentElement.outerHTML, document.cookie])",
      ),
    );
    const forms = [
      service.token,
      Buffer.from(service.token).toString("base64"),
      encodeURIComponent(service.token),
    ];
    for (const form of forms)
      expect([kept, ...received].some((text) => text.includes(form))).toBe(false);
    expect(received.length).toBeGreaterThan(10);
    expect(errors).toEqual([]);
  });

  it("starts one of its own, and says so when it is stopped", async () => {
    await page.getByRole("button", { name: "Disconnect" }).click();
    await page.getByRole("button", { name: "Start service" }).click();
    await expect.poll(() => cell(1, 1).innerText()).toBe("Draft the welcome guide");
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole("link", { name: /^Start/ }).click();
    await page.getByText("Welcome", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await page.getByRole("heading", { name: "Start a local service" }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
  });

  it.runIf(isLong)(
    "starts one with imported documents, goes back to them, and says what is wrong with a seed",
    async () => {
      await using source = await startService({ mutationDelayMs: 0 });
      const { rows } = createServiceClient({ baseUrl: source.url, token: source.token })
        .doc(source.docId)
        .table("Tasks");
      const [first] = await rows.list().all({ max: 1 });
      await rows.update(first?.id ?? "", { Title: "A title to import" });
      await expect
        .poll(async () => (await rows.list().all({ max: 1 }))[0]?.name)
        .toBe("A title to import");
      const { seed } = await importDocs({ from: source.url, token: source.token });
      const file = (name: string, text: string) => ({
        name,
        mimeType: "application/json",
        buffer: Buffer.from(text),
      });
      await page.getByLabel("Documents").setInputFiles(file("broken.json", "{"));
      await page.getByRole("button", { name: "Start service" }).click();
      await page
        .getByRole("alert")
        .filter({ hasText: "SEED_INVALID" })
        .getByText("broken.json cannot be used as a seed")
        .waitFor();
      await page.getByLabel("Documents").setInputFiles(file("seed.json", JSON.stringify(seed)));
      await page.getByRole("button", { name: "Start service" }).click();
      // The page of the earlier service that was open exists here too.
      await page.getByRole("link", { name: /^Tasks\b.*, table$/ }).click();
      await grid().getByText("A title to import").waitFor();
      await page.getByRole("button", { name: "Add row" }).click();
      await expect.poll(() => grid().getAttribute("aria-rowcount")).toBe("26");
      await page.getByRole("button", { name: "Reset documents" }).click();
      await expect.poll(() => grid().getAttribute("aria-rowcount")).toBe("25");
      await page.getByRole("button", { name: "Stop", exact: true }).click();
      await page.getByRole("heading", { name: "Start a local service" }).waitFor();
      await page
        .getByLabel("Documents")
        .setInputFiles(
          file(
            "own.yaml",
            "users:\n  - { name: Own, email: own@own.example }\ndocs:\n  - title: Of a YAML file\n",
          ),
        );
      await page.getByRole("button", { name: "Start service" }).click();
      await page.getByRole("heading", { name: "Of a YAML file" }).waitFor();
      await page.getByRole("button", { name: "Stop", exact: true }).click();
    },
  );
});
