import { useEffect, useState } from "preact/hooks";
import type { FileView, WhyView } from "../../../wire/bundle.ts";
import { get } from "../../api.ts";
import { changeText, sizeText } from "../../parts/size-text.ts";

interface FilePanelProps {
  file: FileView;
  revision: number;
  bytes: number;
  change: number;
  onPick: (path: string) => void;
}

/** One file of the bundle: what it takes, and by which imports it came in. */
export function FilePanel({ file: { path, part, bytes, sourceBytes }, revision, bytes: total, change, onPick }: FilePanelProps) {
  const [way, setWay] = useState<readonly string[] | undefined>(undefined);
  useEffect(() => {
    const gone = new AbortController();
    get<WhyView>(`/api/bundle/why?path=${encodeURIComponent(path)}`, { signal: gone.signal }).then(
      (why) => setWay(why.way),
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
          {sizeText(bytes)}, {((bytes / total) * 100).toFixed(1)} %
        </dd>
        <dt>Itself</dt>
        <dd>{sizeText(sourceBytes)}</dd>
        <dt>Change</dt>
        <dd class={change > 0 ? "grown" : undefined}>{changeText(change)}</dd>
      </dl>
      <h4>Why it is in the bundle</h4>
      {way === undefined ? (
        <p class="quiet small">Nothing imports it by name: the build put it in.</p>
      ) : way.length === 1 ? (
        <p class="quiet small">It is the entry file of the Pack.</p>
      ) : (
        <ol class="way">
          {way.map((step) => (
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
