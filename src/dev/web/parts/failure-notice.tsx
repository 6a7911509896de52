import type { ComponentChildren } from "preact";
import type { ReportedError } from "../../../shared/reported-error.ts";
import type { IssueView } from "../../wire/pack.ts";
import { highlightCode } from "./highlight.ts";
import { Tokens } from "./tokens.tsx";

interface FailureNoticeProps {
  /** Undefined shows nothing. */
  failure: ReportedError | undefined;
  children?: ComponentChildren;
}

/** A failure: what happened, and what to do. */
export function FailureNotice({ failure, children }: FailureNoticeProps) {
  if (failure === undefined) return null;
  const { code, message, hint, rule, place } = failure;
  return (
    <div class="notice bad" role="alert">
      <p class="code">{code}</p>
      <p class="title" dir="auto">
        {message}
      </p>
      {hint !== undefined && hint !== "" && (
        <p class="hint" dir="auto">
          {hint}
        </p>
      )}
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

/** Lines of source with the place marked. */
export function CodeFrame({ lines, label }: { lines: IssueView["frame"]; label: string }) {
  if (lines.length === 0) return null;
  return (
    // Long lines scroll, so the keyboard must be able to reach the box.
    <pre class="frame" tabIndex={0} role="region" aria-label={label}>
      {lines.map(({ gutter, text, isMark }, index) => (
        <div key={index}>
          <span class="gutter">{gutter}</span>
          {isMark ? <span class="mark">{text}</span> : <Tokens tokens={highlightCode(text)} />}
        </div>
      ))}
    </pre>
  );
}
