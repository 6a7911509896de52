import type { APIResponse, Route } from "playwright-core";
import { expect, it } from "vitest";
import { createServiceClient } from "../../src/service/client/client.ts";
import { startService } from "../../src/service/local/service.ts";
import { hasChromium, launchChromium } from "../support/chromium.ts";
import { startDevProject } from "../support/dev.ts";
import { SERVICE_PACK } from "../support/service-pack.ts";
import { openServiceView } from "../support/service-view.ts";

// A state that the page had asked before the edit was accepted, and that arrived after it, made the
// cell show its old value.
it.runIf(hasChromium)(
  "an edit stays in its cell when a state arrives that was asked before it",
  async () => {
    await using service = await startService({ mutationDelayMs: 0 });
    await using dev = await startDevProject({ "pack.ts": SERVICE_PACK });
    await using browser = await launchChromium();
    const page = await browser.newPage();
    await openServiceView(page, dev, service);
    const grid = page.getByRole("grid", { name: "Tasks" });
    await grid.getByText("Draft the welcome guide").waitFor();
    await page.getByLabel("Hold new edits").check();
    await expect.poll(() => page.getByLabel("Hold new edits").isChecked()).toBe(true);

    // The first state that knows the edit of another client waits for the test, and those after it
    // too.
    let old: { route: Route; response: APIResponse } | undefined;
    const later: Route[] = [];
    let isOver = false;
    await page.route("**/api/service", async (route) => {
      if (isOver) return route.continue();
      if (old !== undefined) return void later.push(route);
      const response = await route.fetch();
      const { running } = (await response.json()) as { running: { pending: unknown[] } };
      if (running.pending.length === 0) return route.fulfill({ response });
      old = { route, response };
    });
    const { rows } = createServiceClient({ baseUrl: service.url, token: service.token })
      .doc(service.docId)
      .table("Tasks");
    await rows.update((await rows.list().all({ max: 2 }))[1]?.id ?? "", {
      Title: "Held, of another client",
    });
    await expect.poll(() => old !== undefined).toBe(true);
    const accepted = page.waitForResponse((response) => response.url().endsWith("/rows/edit"));
    await grid.focus();
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("F2");
    await page.keyboard.type("Held back");
    await page.keyboard.press("Enter");
    await (await accepted).finished();

    const read = page.waitForResponse((response) => response.url().includes("/rows?"));
    await old?.route.fulfill({ response: old.response });
    await (await read).finished();
    await expect.poll(() => later.length).toBeGreaterThan(0);
    isOver = true;
    for (const route of later) await route.continue();
    await expect.poll(() => page.getByText("update a row").count()).toBe(2);
    expect(await grid.locator(".cell.changed").allInnerTexts()).toEqual(["Held back"]);
  },
);
