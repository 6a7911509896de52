import type { ComponentChildren } from "preact";
import type { FailureView } from "../../wire/failure.ts";

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
