import type { ComponentChildren } from "preact";

/** Content that scrolls in itself. It takes the focus, so that the keyboard scrolls it, too. */
export function Scroller({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <section class="scroller" aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
