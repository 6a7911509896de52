import axe from "axe-core";
import type { Page } from "playwright-core";

interface Finding {
  id: string;
  impact: string | null;
  nodes: { html: string; failureSummary?: string }[];
}

/** What axe finds on a page that is serious or worse, one line each. */
export async function seriousFindings(page: Page): Promise<string[]> {
  return await findings(page, ({ impact }) => impact === "serious" || impact === "critical");
}

/**
 * Everything that axe finds on a page, one line each.
 * @param rule the only one to check
 */
export async function allFindings(page: Page, rule?: string): Promise<string[]> {
  return await findings(page, () => true, rule === undefined ? {} : { runOnly: [rule] });
}

async function findings(
  page: Page,
  counts: (finding: Finding) => boolean,
  options: { runOnly?: string[] } = {},
): Promise<string[]> {
  // The page lets no script in from elsewhere; the debugger's way is its own.
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(axe.source);
  const violations = await page.evaluate(
    async (given) => {
      const page = globalThis as unknown as {
        axe: { run(options: typeof given): Promise<{ violations: Finding[] }> };
      };
      return (await page.axe.run(given)).violations;
    },
    { ...options, resultTypes: ["violations"] },
  );
  return violations
    .filter(counts)
    .flatMap(({ id, nodes }) =>
      nodes.map(
        ({ html, failureSummary = "" }) =>
          `${id}: ${html.slice(0, 200)} ${failureSummary.slice(0, 300)}`,
      ),
    );
}
