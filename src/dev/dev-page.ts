import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { escapeHtml } from "../connect/callback/page.ts";
import { packageRoot } from "../shared/own-package.ts";

/** A file that the page loads. */
export interface Asset {
  contentType: string;
  bytes: Uint8Array;
}

const TYPES = { "page.js": "text/javascript; charset=utf-8", "page.css": "text/css; charset=utf-8" } as const;

/** The scripts and styles of the page, as the package was built with them, by their path. */
export async function readAssets(folder: string = join(packageRoot(), "dist", "web")): Promise<ReadonlyMap<string, Asset>> {
  const assets = new Map<string, Asset>([["/icon.svg", { contentType: "image/svg+xml", bytes: Buffer.from(ICON) }]]);
  for (const [name, contentType] of Object.entries(TYPES)) {
    assets.set(`/${name}`, { contentType, bytes: await readFile(join(folder, name)) });
  }
  return assets;
}

/** The page itself: no inline script or style, nothing from elsewhere. */
export function devPage({ title, token }: { title: string; token: string }): string {
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">` +
    `<meta name="color-scheme" content="light dark"><meta name="packsmith-token" content="${token}">` +
    `<title>${escapeHtml(title)} · packsmith</title><link rel="icon" href="/icon.svg"><link rel="stylesheet" href="/page.css">` +
    `<script type="module" src="/page.js"></script></head><body><div id="app">` +
    // What is seen while the script loads: the frame that the script draws, too.
    `<div class="shell"><header class="side"><h1>${escapeHtml(title)}</h1></header><main></main></div></div><noscript>This page needs JavaScript.</noscript></body></html>`
  );
}

const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#3b5bdb"/>' +
  '<path d="M16 6l9 5v10l-9 5-9-5V11z" fill="none" stroke="#fff" stroke-width="2.4" stroke-linejoin="round"/>' +
  '<path d="M7.5 11.3L16 16l8.5-4.7M16 16v9.5" fill="none" stroke="#fff" stroke-width="2.4" stroke-linejoin="round"/></svg>';
