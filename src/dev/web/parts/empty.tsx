import type { ComponentChildren } from "preact";

/** What stands where there is nothing yet: what would be here, and how it comes about. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <strong>{title}</strong>
      {children}
    </div>
  );
}
