import axe from "axe-core";
import type { Page } from "playwright-core";

interface Finding {
  id: string;
  impact: string | null;
  nodes: { html: string; failureSummary?: string }[];
}

/** What axe finds on a page that is serious or worse, one line each. */
export async function seriousFindings(page: Page): Promise<string[]> {
  // The page lets no script in from elsewhere; the debugger's way is its own.
  await page.evaluate(axe.source);
  const violations = await page.evaluate(async () => {
    const page = globalThis as unknown as { axe: { run(): Promise<{ violations: Finding[] }> } };
    return (await page.axe.run()).violations;
  });
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) =>
      nodes.map(
        ({ html, failureSummary = "" }) =>
          `${id}: ${html.slice(0, 200)} ${failureSummary.slice(0, 300)}`,
      ),
    );
}
