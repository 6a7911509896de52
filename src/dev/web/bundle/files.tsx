import { useEffect, useState } from "preact/hooks";
import type { BundleView, FileView, WhyView } from "../../wire/bundle.ts";
import { get } from "../api.ts";
import { changeText, sizeText } from "../parts/format.ts";
import { Scroller } from "../parts/layout.tsx";

/** Files beyond this number are summed up in one line. */
const MAX_SHOWN = 300;

interface FilesTableProps {
  bundle: BundleView;
  changes: ReadonlyMap<string, number>;
  current: string | undefined;
  onPick: (path: string) => void;
}

/** The files of the treemap as a table. */
export function FilesTable({
  bundle: { files, bytes },
  changes,
  current,
  onPick,
}: FilesTableProps) {
  const rest = files.slice(MAX_SHOWN);
  return (
    <Scroller label="Files of the bundle">
      <table class="table">
        <thead>
          <tr>
            <th scope="col">File</th>
            <th scope="col">Part</th>
            <th scope="col" class="number">
              In the bundle
            </th>
            <th scope="col" class="number">
              Share
            </th>
            <th scope="col" class="number">
              Source
            </th>
            <th scope="col" class="number">
              Change
            </th>
          </tr>
        </thead>
        <tbody>
          {files.slice(0, MAX_SHOWN).map(({ path, part, bytes: size, sourceBytes }) => {
            const change = changes.get(path) ?? 0;
            return (
              <tr key={path} class={path === current ? "current" : undefined}>
                <td>
                  <button
                    type="button"
                    class="link mono"
                    aria-pressed={path === current}
                    onClick={() => onPick(path)}
                  >
                    {path}
                  </button>
                </td>
                <td>{part}</td>
                <td class="number">{sizeText(size)}</td>
                <td class="number">{((size / bytes) * 100).toFixed(1)}%</td>
                <td class="number quiet">{sizeText(sourceBytes)}</td>
                <td class={change > 0 ? "number grown" : "number quiet"}>
                  {change === 0 ? "" : changeText(change)}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {rest.length > 0 && (
        <p class="quiet small">
          {rest.length} more files take{" "}
          {sizeText(rest.reduce((sum, { bytes: size }) => sum + size, 0))}.
        </p>
      )}
    </Scroller>
  );
}

interface FilePanelProps {
  file: FileView;
  revision: number;
  bytes: number;
  change: number;
  onPick: (path: string) => void;
}

/** One file of the bundle: its size, and the imports that lead to it. */
export function FilePanel({
  file: { path, part, bytes, sourceBytes },
  revision,
  bytes: total,
  change,
  onPick,
}: FilePanelProps) {
  const [chain, setChain] = useState<readonly string[] | undefined>(undefined);
  useEffect(() => {
    const gone = new AbortController();
    get<WhyView>(`/api/bundle/why?path=${encodeURIComponent(path)}`, { signal: gone.signal }).then(
      (why) => setChain(why.chain),
      () => {},
    );
    return () => gone.abort();
  }, [path, revision]);
  return (
    <section class="file-panel stack tight" aria-label={`About ${path}`}>
      <h3 class="wrap">{path}</h3>
      <dl class="facts">
        <dt>Part</dt>
        <dd>{part}</dd>
        <dt>In the bundle</dt>
        <dd>
          {sizeText(bytes)}, {((bytes / total) * 100).toFixed(1)}%
        </dd>
        <dt>Source</dt>
        <dd>{sizeText(sourceBytes)}</dd>
        <dt>Change</dt>
        <dd class={change > 0 ? "grown" : undefined}>{changeText(change)}</dd>
      </dl>
      <h4>Why it is in the bundle</h4>
      {chain === undefined ? (
        <p class="quiet small">No file imports this file. The build added this file.</p>
      ) : chain.length === 1 ? (
        <p class="quiet small">This is the entry file of the Pack.</p>
      ) : (
        <ol class="chain">
          {chain.map((step) => (
            <li key={step}>
              {step === path ? (
                <strong class="mono">{step}</strong>
              ) : (
                <button type="button" class="link mono" onClick={() => onPick(step)}>
                  {step}
                </button>
              )}
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
