import type { Page } from "playwright-core";
import type { LocalService } from "../../src/service/local/service.ts";
import type { DevProject } from "./dev.ts";

/** Opens the view Service of packsmith dev, and connects it to a local service. */
export async function openServiceView(
  page: Page,
  dev: DevProject,
  service: LocalService,
): Promise<void> {
  page.setDefaultTimeout(60_000);
  await page.goto(dev.server.createLink());
  await page.getByRole("link", { name: "Service" }).click();
  await page.getByLabel("URL").fill(service.controlUrl);
  await page.getByLabel("Token").fill(service.token);
  await page.getByRole("button", { name: "Connect" }).click();
}
