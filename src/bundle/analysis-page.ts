import { type BundleInput, OWN_CODE, partOf } from "./bundle-parts.ts";
import { sizeText } from "./bundle-size.ts";
import type { PackBundle } from "./pack-bundle.ts";
import { layOut } from "./treemap.ts";

const WIDTH = 1_200;
const HEIGHT = 700;
/** Smaller tiles carry no text. */
const MIN_LABEL_WIDTH = 60;
const MIN_LABEL_HEIGHT = 16;
const CHARACTER_WIDTH = 6.5;

/** A page that shows what takes how much of a bundle: one file, without scripts and without anything from elsewhere. */
export function analysisPage({ name, bytes, gzipBytes, inputs }: Pick<PackBundle, "name" | "bytes" | "gzipBytes" | "inputs">): string {
  const shown = inputs.filter(({ bundledBytes }) => bundledBytes > 0).sort((a, b) => b.bundledBytes - a.bundledBytes);
  const groups = groupsOf(shown);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(name)}: what the bundle holds</title>
<style>${STYLE}</style>
<h1>${escapeHtml(name)}</h1>
<p>${sizeText(bytes)}, ${sizeText(gzipBytes)} compressed, from ${shown.length} files. A rectangle is a file; its area is what it takes of the bundle.</p>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Treemap of the bundle; the table below says the same">
${layOut(groups, { x: 0, y: 0, width: WIDTH, height: HEIGHT })
  .map(({ item, ...area }, index) =>
    layOut(item.files, area)
      .map((tile) => rectangle(tile, item.name, index))
      .join("\n"),
  )
  .join("\n")}
</svg>
<table>
<thead><tr><th scope="col">File</th><th scope="col">Part</th><th scope="col">In the bundle</th><th scope="col">Before</th></tr></thead>
<tbody>
${shown.map((input) => `<tr><td>${escapeHtml(input.path)}</td><td>${escapeHtml(partOf(input.path))}</td><td>${sizeText(input.bundledBytes)}</td><td>${sizeText(input.bytes)}</td></tr>`).join("\n")}
</tbody>
</table>
</html>
`;
}

interface File {
  path: string;
  bytes: number;
}

interface Group {
  name: string;
  bytes: number;
  files: File[];
}

function groupsOf(inputs: readonly BundleInput[]): Group[] {
  const groups = new Map<string, Group>();
  for (const { path, bundledBytes } of inputs) {
    const name = partOf(path);
    const group = groups.get(name) ?? { name, bytes: 0, files: [] };
    group.bytes += bundledBytes;
    group.files.push({ path, bytes: bundledBytes });
    groups.set(name, group);
  }
  return [...groups.values()].sort((a, b) => b.bytes - a.bytes);
}

interface Rectangle {
  item: File;
  x: number;
  y: number;
  width: number;
  height: number;
}

function rectangle({ item, x, y, width, height }: Rectangle, group: string, index: number): string {
  const label = `${group === OWN_CODE ? "" : `${group}: `}${item.path.split("/").at(-1)}`;
  const fits = width >= MIN_LABEL_WIDTH && height >= MIN_LABEL_HEIGHT;
  const text = fits
    ? `<text x="${round(x + 4)}" y="${round(y + 13)}">${escapeHtml(label.slice(0, Math.floor((width - 8) / CHARACTER_WIDTH)))}</text>`
    : "";
  const hue = (index * 137) % 360;
  return `<g><title>${escapeHtml(item.path)}, ${sizeText(item.bytes)}</title><rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" fill="hsl(${hue} 45% 80%)"/>${text}</g>`;
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
