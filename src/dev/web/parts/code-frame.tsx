import type { FrameLineView } from "../../wire/pack.ts";

/** A piece of source with the place marked in it. */
export function CodeFrame({ lines, label }: { lines: readonly FrameLineView[]; label: string }) {
  if (lines.length === 0) return null;
  return (
    // A long line scrolls, so it has to be reachable with the keyboard.
    <pre class="frame" tabIndex={0} role="region" aria-label={label}>
      {lines.map(({ gutter, text, isMark }, index) => (
        <div key={index}>
          <span class="gutter">{gutter}</span>
          <span class={isMark ? "mark" : undefined}>{text}</span>
        </div>
      ))}
    </pre>
  );
}
