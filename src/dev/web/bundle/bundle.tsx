import { useState } from "preact/hooks";
import type { BundleView, GrowthView } from "../../wire/bundle.ts";
import { CopyButton } from "../parts/button.tsx";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { changeText, sizeText } from "../parts/format.ts";
import { Empty, Pill } from "../parts/layout.tsx";
import type { ViewProps } from "../route.ts";
import { useLive } from "../use-server.ts";
import { FilePanel, FilesTable } from "./files.tsx";
import { Treemap } from "./treemap.tsx";

export function Bundle({ pack }: ViewProps) {
  // Null until a build succeeds.
  const { data: bundle, failure } = useLive<BundleView | null>(
    "/api/bundle",
    ({ type }) => type === "bundle",
  );
  return (
    <section class="view stack bundle" aria-labelledby="view-title">
      <header>
        <h2 id="view-title">Bundle</h2>
        {bundle != null && (
          <>
            {bundle.isStale ? (
              <Pill tone="warn">previous version, because the current version does not build</Pill>
            ) : null}
            <span class="quiet small">
              built in {Math.max(1, Math.round(bundle.durationMs))} ms · sha256{" "}
              <span class="mono">{bundle.sha256}</span>
            </span>
          </>
        )}
      </header>
      <FailureNotice failure={failure} />
      {bundle === null && (
        <Empty title="No bundle yet">
          The Pack does not build. Fix the problems that the overview lists.
        </Empty>
      )}
      {bundle != null && <BundleParts bundle={bundle} file={pack.file} />}
    </section>
  );
}

const SINCE = {
  start: "the start of packsmith dev",
  save: "the previous save",
  build: "the last packsmith build",
} as const;

function BundleParts({ bundle, file }: { bundle: BundleView; file: string }) {
  const { revision, bytes, files, growth } = bundle;
  const [since, setSince] = useState<GrowthView["since"]>("start");
  const [picked, setPicked] = useState<string | undefined>(undefined);
  const compared = growth.find((each) => each.since === since) ?? growth[0];
  const changes = new Map(compared?.files.map((change) => [change.name, change.bytes]));
  const current = files.find(({ path }) => path === picked) ?? files[0];
  return (
    <div class="stack">
      <Figures bundle={bundle} file={file} />
      <section class="card stack" aria-labelledby="treemap-title">
        <div class="row">
          <h3 id="treemap-title">Size by file</h3>
          <span class="end" />
          <label class="inline-field">
            Compare with
            <select
              class="input"
              value={compared?.since}
              onChange={(event) => setSince(event.currentTarget.value as GrowthView["since"])}
            >
              {growth.map(({ since: id }) => (
                <option key={id} value={id}>
                  {SINCE[id]}
                </option>
              ))}
            </select>
          </label>
        </div>
        <div class="treemap-layout">
          <Treemap
            revision={revision}
            bytes={bytes}
            changes={changes}
            current={picked}
            onPick={setPicked}
          />
          {current !== undefined && (
            <FilePanel
              file={current}
              revision={revision}
              bytes={bytes}
              change={changes.get(current.path) ?? 0}
              onPick={setPicked}
            />
          )}
        </div>
        <Parts bundle={bundle} />
      </section>
      {compared !== undefined && <Growth growth={compared} />}
      <section class="card" aria-labelledby="files-title">
        <header>
          <h3 id="files-title">Files</h3>
          <span class="quiet small">the same sizes as a table</span>
        </header>
        <FilesTable bundle={bundle} changes={changes} current={picked} onPick={setPicked} />
      </section>
    </div>
  );
}

interface FiguresProps {
  bundle: BundleView;
  /** Path of the Pack. */
  file: string;
}

/** Size, compressed size and budget. */
function Figures({ bundle, file }: FiguresProps) {
  const { bytes, gzipBytes, files, parts, growth } = bundle;
  const [sinceStart] = growth;
  return (
    <div class="stats bundle-stats">
      <div class="card stat">
        <h3>Size</h3>
        <p class="figure">{sizeText(bytes)}</p>
        <p class="note quiet small">
          {sizeText(gzipBytes)} compressed, {files.length} files in {parts.length} parts
        </p>
      </div>
      <div class="card stat">
        <h3>Since the start of packsmith dev</h3>
        <p class={sinceStart !== undefined && sinceStart.bytes > 0 ? "figure grown" : "figure"}>
          {changeText(sinceStart?.bytes ?? 0)}
        </p>
        <p class="note quiet small">
          {sinceStart === undefined || sinceStart.parts[0] === undefined
            ? "no changes"
            : `${changeText(sinceStart.gzipBytes)} compressed, mostly ${sinceStart.parts[0].name}`}
        </p>
      </div>
      <Budget bundle={bundle} file={file} />
    </div>
  );
}

/** The author's limit, and how much of it is used. */
function Budget({ bundle: { bytes, maxBytes }, file }: FiguresProps) {
  const [budget, setBudget, budgetBytes] = useBudget(file);
  const limit = budgetBytes ?? maxBytes;
  const isOver = bytes > limit;
  return (
    <div class="card stat budget">
      <h3>
        <label for="bundle-budget">Budget in kB</label>
      </h3>
      <div class="row">
        <input
          id="bundle-budget"
          class="input"
          inputMode="decimal"
          value={budget}
          placeholder={String(maxBytes / 1_000)}
          onInput={(event) => setBudget(event.currentTarget.value)}
        />
        <meter
          min={0}
          max={limit}
          value={Math.min(bytes, limit)}
          high={limit * 0.9}
          aria-label="Share of the budget used"
        />
        {isOver ? (
          <Pill tone="bad">{sizeText(bytes - limit)} over</Pill>
        ) : (
          <span class="quiet small">
            {((bytes / limit) * 100).toFixed(bytes / limit < 0.1 ? 1 : 0)}% used
          </span>
        )}
        {budgetBytes !== undefined && (
          <CopyButton text={() => `packsmith build ${file} --budget ${budgetBytes / 1_000}kb`}>
            Copy as command
          </CopyButton>
        )}
      </div>
      <p class="note quiet small">
        {budgetBytes === undefined
          ? `The limit for a Pack is ${sizeText(maxBytes)}.`
          : "packsmith build --budget fails if a bundle is larger."}
      </p>
    </div>
  );
}

/** The colours of the treemap, with the size of each part. */
function Parts({ bundle: { parts, bytes } }: { bundle: BundleView }) {
  return (
    <ul class="plain parts">
      {parts.map(({ name, bytes: size, files }, index) => (
        <li key={name}>
          <span class={`swatch hue-${index % 8}`} aria-hidden="true" />
          {name} <span class="quiet">{sizeText(size)}</span>
          <span class="visually-hidden">
            , {((size / bytes) * 100).toFixed(1)}%, {files} files
          </span>
        </li>
      ))}
    </ul>
  );
}

/** The files that grew or shrank, the largest change first. */
function Growth({ growth: { since, bytes, gzipBytes, files } }: { growth: GrowthView }) {
  return (
    <section class="card" aria-labelledby="growth-title">
      <header>
        <h3 id="growth-title">Since {SINCE[since]}</h3>
        <span class="quiet small">
          {files.length === 0
            ? "no changes"
            : `${changeText(bytes)} in total, ${changeText(gzipBytes)} compressed`}
        </span>
      </header>
      {files.length > 0 && (
        <ul class="plain changes">
          {files.slice(0, 20).map(({ name, bytes: change }) => (
            <li key={name}>
              <span class={change > 0 ? "number grown" : "number shrunk"}>
                {changeText(change)}
              </span>{" "}
              <span class="mono wrap">{name}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** The author's own limit for the bundle, in kB. The browser stores it. */
export function useBudget(
  file: string,
): readonly [text: string, setText: (text: string) => void, bytes: number | undefined] {
  const key = `packsmith budget ${file}`;
  const [text, setText] = useState(() => localStorage.getItem(key) ?? "");
  const kilobytes = Number(text);
  const bytes = text.trim() === "" || !(kilobytes > 0) ? undefined : kilobytes * 1_000;
  const keep = (next: string): void => {
    setText(next);
    localStorage.setItem(key, next);
  };
  return [text, keep, bytes];
}
