import type { APIResponse, Page, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createServiceClient, type ServiceClient } from "../../src/service/client/client.ts";
import { type LocalService, startService } from "../../src/service/local/service.ts";
import { hasChromium, launchChromium } from "../support/chromium.ts";
import { type DevProject, startDevProject } from "../support/dev.ts";
import { SERVICE_PACK } from "../support/service-pack.ts";
import { openServiceView } from "../support/service-view.ts";

// Answers that were asked before a user's action and arrived after it undid what the user saw.
describe.runIf(hasChromium)("the view Service, when an answer comes late", () => {
  let browser: Awaited<ReturnType<typeof launchChromium>>;
  let service: LocalService;
  let client: ServiceClient;
  let dev: DevProject;
  let page: Page;
  beforeAll(async () => {
    browser = await launchChromium();
    service = await startService({ mutationDelayMs: 0 });
    client = createServiceClient({ baseUrl: service.url, token: service.token });
    dev = await startDevProject({ "pack.ts": SERVICE_PACK });
    page = await browser.newPage();
    await openServiceView(page, dev, service);
    await grid().getByText("Draft the welcome guide").waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await dev?.[Symbol.asyncDispose]();
    await service?.close();
  });
  const grid = () => page.getByRole("grid", { name: "Tasks" });

  it("keeps a choice that was made after a state was asked", async () => {
    const held: { route: Route; response: APIResponse }[] = [];
    let isOver = false;
    await page.route("**/api/service", async (route) => {
      if (isOver) return route.continue();
      held.push({ route, response: await route.fetch() });
    });
    await expect.poll(() => held.length).toBe(1);
    const accepted = page.waitForResponse((response) =>
      response.url().endsWith("/api/service/latency"),
    );
    await page.getByLabel("Apply edits").selectOption("after 100 ms");
    await (await accepted).finished();
    await held[0]?.route.fulfill({ response: held[0].response });
    // The next one is asked after the old one was shown.
    await expect.poll(() => held.length).toBe(2);
    expect(await page.getByLabel("Apply edits").inputValue()).toBe("100 ms");
    isOver = true;
    await held[1]?.route.fulfill({ response: held[1].response });
    await expect.poll(() => page.getByText("applied after 100 ms").count()).toBe(1);
  });

  it("keeps the failure of an edit when an earlier edit succeeds after it", async () => {
    const edits: Route[] = [];
    await page.route("**/rows/edit", (route) => void edits.push(route));
    await grid().focus();
    await page.keyboard.press("Control+Home");
    for (const text of ["First", "Second"]) {
      await page.keyboard.press("F2");
      await page.keyboard.type(text);
      await page.keyboard.press("Enter");
      await page.keyboard.press("ArrowDown");
    }
    await expect.poll(() => edits.length).toBe(2);
    const failure = { code: "SERVICE_FAILED", message: "The service refused the second edit." };
    await edits[1]?.fulfill({ status: 400, json: { failure } });
    await page.getByText(failure.message).waitFor();
    const accepted = page.waitForResponse((response) => response.url().endsWith("/rows/edit"));
    await edits[0]?.continue();
    await (await accepted).finished();
    await expect.poll(() => grid().locator(".cell.changed").count()).toBe(0);
    expect(await page.getByText(failure.message).count()).toBe(1);
  });

  it("writes the cell that was opened when another client deletes a row above it", async () => {
    await page.unroute("**/rows/edit");
    const { rows } = client.doc(service.docId).table("Tasks");
    const [first, , third] = await rows.list().all({ max: 3 });
    await grid().focus();
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("F2");
    await page.keyboard.type("Of the third row");
    const before = await grid().getAttribute("aria-rowcount");
    await rows.delete(first?.id ?? "");
    await expect.poll(() => grid().getAttribute("aria-rowcount")).not.toBe(before);
    await page.keyboard.press("Enter");
    await expect
      .poll(async () => (await rows.get(third?.id ?? "", { useColumnNames: true })).values["Title"])
      .toBe("Of the third row");
  });
});
