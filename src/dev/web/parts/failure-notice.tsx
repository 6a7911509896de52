import type { ComponentChildren } from "preact";
import type { FailureView } from "../../wire/common.ts";
import type { FrameLineView } from "../../wire/pack.ts";

/** A failure in its place: what happened, and the one thing to do. */
export function FailureNotice({ failure, children }: { failure: FailureView; children?: ComponentChildren }) {
  const { code, message, hint, rule, place } = failure;
  return (
    <div class="notice bad" role="alert">
      <p class="code">{code}</p>
      <p class="title">{message}</p>
      {hint !== undefined && hint !== "" && <p class="hint">{hint}</p>}
      {rule !== undefined && <p class="hint small">{rule}</p>}
      {place !== undefined && (
        <p class="hint small mono">
          {place.file}:{place.line}:{place.column}
        </p>
      )}
      {children}
    </div>
  );
}

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
