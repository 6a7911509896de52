import type { Page } from "playwright-core";
import { expect } from "vitest";
import { seriousFindings } from "./axe.ts";

const WIDTHS = [1_440, 820, 390];
const THEMES = ["light", "dark"] as const;

/**
 * Expects no sideways scrolling and no finding of axe on a desktop, a tablet and a phone, in both
 * themes.
 */
export async function expectGoodOnEveryScreen(page: Page): Promise<void> {
  for (const width of WIDTHS) {
    for (const colorScheme of THEMES) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      const overflow = await page.evaluate<number>(
        "document.documentElement.scrollWidth - innerWidth",
      );
      expect(overflow, `${width} ${colorScheme}`).toBeLessThanOrEqual(0);
      expect(await seriousFindings(page), `${width} ${colorScheme}`).toEqual([]);
    }
  }
  await page.setViewportSize({ width: WIDTHS[0] ?? 0, height: 900 });
}
