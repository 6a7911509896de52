import type { ComponentChildren } from "preact";

/** Content that scrolls in itself. It takes the focus, so that the keyboard scrolls it, too. */
export function Scroller({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable with the keyboard
    <section class="scroller" aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
