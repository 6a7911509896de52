import type { BundleView } from "../../../wire/bundle.ts";
import { Scroller } from "../../parts/scroller.tsx";
import { changeText, sizeText } from "../../parts/size-text.ts";

/** More files than these are summed up. */
const MAX_SHOWN = 300;

interface FilesTableProps {
  bundle: BundleView;
  changes: ReadonlyMap<string, number>;
  current: string | undefined;
  onPick: (path: string) => void;
}

/** The same as the treemap, in rows. */
export function FilesTable({ bundle: { files, bytes }, changes, current, onPick }: FilesTableProps) {
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
              Itself
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
                  <button type="button" class="link mono" aria-pressed={path === current} onClick={() => onPick(path)}>
                    {path}
                  </button>
                </td>
                <td>{part}</td>
                <td class="number">{sizeText(size)}</td>
                <td class="number">{((size / bytes) * 100).toFixed(1)} %</td>
                <td class="number quiet">{sizeText(sourceBytes)}</td>
                <td class={change > 0 ? "number grown" : "number quiet"}>{change === 0 ? "" : changeText(change)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {rest.length > 0 && (
        <p class="quiet small">
          {rest.length} more files take {sizeText(rest.reduce((sum, { bytes: size }) => sum + size, 0))}.
        </p>
      )}
    </Scroller>
  );
}
