import { OWN_CODE, partOf } from "./bundle-parts.ts";
import { sizeText } from "./bundle-size.ts";
import type { PackBundle } from "./pack-bundle.ts";
import { type FileTile, layOutBundle } from "./treemap.ts";

const WIDTH = 1_200;
const HEIGHT = 700;
/** Smaller tiles have no text. */
const MIN_LABEL_WIDTH = 60;
const MIN_LABEL_HEIGHT = 16;
const CHARACTER_WIDTH = 6.5;

/**
 * A page that shows how much of a bundle each file takes. It is one file without scripts, and it
 * loads nothing.
 */
export function analysisPage({
  name,
  bytes,
  gzipBytes,
  inputs,
}: Pick<PackBundle, "name" | "bytes" | "gzipBytes" | "inputs">): string {
  const shown = inputs
    .filter(({ bundledBytes }) => bundledBytes > 0)
    .sort((a, b) => b.bundledBytes - a.bundledBytes);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(name)}: what is in the bundle</title>
<style>${STYLE}</style>
<h1>${escapeHtml(name)}</h1>
<p>${sizeText(bytes)}, ${sizeText(gzipBytes)} compressed, from ${shown.length} files. Each rectangle is a file; its area shows how much of the bundle it takes.</p>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Treemap of the bundle; the table below has the same data">
${layOutBundle(inputs, { x: 0, y: 0, width: WIDTH, height: HEIGHT }).map(rectangle).join("\n")}
</svg>
<table>
<thead><tr><th scope="col">File</th><th scope="col">Part</th><th scope="col">In the bundle</th><th scope="col">In the source</th></tr></thead>
<tbody>
${shown.map((input) => `<tr><td>${escapeHtml(input.path)}</td><td>${escapeHtml(partOf(input.path))}</td><td>${sizeText(input.bundledBytes)}</td><td>${sizeText(input.bytes)}</td></tr>`).join("\n")}
</tbody>
</table>
</html>
`;
}

function rectangle({ path, part, bytes, group, x, y, width, height }: FileTile): string {
  const label = `${part === OWN_CODE ? "" : `${part}: `}${path.split("/").at(-1)}`;
  const fits = width >= MIN_LABEL_WIDTH && height >= MIN_LABEL_HEIGHT;
  const text = fits
    ? `<text x="${round(x + 4)}" y="${round(y + 13)}">${escapeHtml(label.slice(0, Math.floor((width - 8) / CHARACTER_WIDTH)))}</text>`
    : "";
  const hue = (group * 137) % 360;
  return `<g><title>${escapeHtml(path)}, ${sizeText(bytes)}</title><rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" fill="hsl(${hue} 45% 80%)"/>${text}</g>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

const STYLE =
  "body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:75rem;padding:0 1rem;color:#1c2330;background:#fff}" +
  "svg{width:100%;height:auto;border:1px solid #d9dde5}rect{stroke:#fff}text{font:11px ui-monospace,monospace;fill:#1c2330;pointer-events:none}" +
  "table{border-collapse:collapse;width:100%;margin-top:1.5rem}th,td{text-align:left;padding:.25rem .5rem;border-bottom:1px solid #e5e8ee}" +
  "td:nth-child(n+3),th:nth-child(n+3){text-align:right;font-variant-numeric:tabular-nums}";
