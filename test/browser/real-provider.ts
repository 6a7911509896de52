import type { Page } from "playwright-core";

/** A Pack that finds the endpoints of a provider by its issuer. */
export function createDiscoveringPack({ issuer }: { issuer: string }): string {
  return `import { newPack } from "packsmith";
export const pack = newPack({ networkDomains: ["tasks.example"] });
pack.setUserAuthentication({ type: "OAuth2", issuer: "${issuer}", scopes: ["profile"], useProofKeyForCodeExchange: true });
`;
}

/** Chooses the real provider on the page, and fills in its form. */
export async function enterClient(
  page: Page,
  { clientId, clientSecret }: { clientId: string; clientSecret: string },
  approval: string,
): Promise<void> {
  await page.getByRole("button", { name: "Connect to the real provider" }).click();
  await page.getByLabel("Approve").selectOption(approval);
  await page.getByLabel("Client ID").fill(clientId);
  await page.getByLabel("Client secret").fill(clientSecret);
}
