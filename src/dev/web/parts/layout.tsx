import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";

export type Tone = "good" | "bad" | "warn" | "accent" | "neutral";

/** A word or two about a state. */
export function Pill({ tone = "neutral", children }: { tone?: Tone; children: ComponentChildren }) {
  return <span class={tone === "neutral" ? "pill" : `pill ${tone}`}>{children}</span>;
}

/** An empty state: what is missing, and what to do next. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <strong>{title}</strong>
      {children}
    </div>
  );
}

interface TabsProps<Id extends string> {
  label: string;
  tabs: readonly (readonly [id: Id, title: ComponentChildren])[];
  current: Id;
  onPick: (id: Id) => void;
  children: ComponentChildren;
}

/** Tabs, of which one is shown. The arrow keys move between them. */
export function Tabs<Id extends string>({ label, tabs, current, onPick, children }: TabsProps<Id>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const step = (event: KeyboardEvent): void => {
    const by = { ArrowRight: 1, ArrowLeft: -1, Home: -tabs.length, End: tabs.length }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const at = tabs.findIndex(([tab]) => tab === current) + by;
    const next =
      tabs[
        Math.abs(by) === 1
          ? (at + tabs.length) % tabs.length
          : Math.max(0, Math.min(tabs.length - 1, at))
      ];
    if (next === undefined) return;
    onPick(next[0]);
    list.current?.querySelector<HTMLElement>(`[data-tab="${next[0]}"]`)?.focus();
  };
  return (
    <div>
      <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={step}>
        {tabs.map(([tab, title]) => (
          <button
            key={tab}
            id={`${id}-${tab}`}
            type="button"
            role="tab"
            data-tab={tab}
            aria-selected={tab === current}
            aria-controls={`${id}-panel`}
            tabIndex={tab === current ? 0 : -1}
            onClick={() => onPick(tab)}
          >
            {title}
          </button>
        ))}
      </div>
      <div class="panel" role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${current}`}>
        {children}
      </div>
    </div>
  );
}

/** A box with its own scroll bar. It can be focused, so that the keyboard scrolls it too. */
export function Scroller({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <section class="scroller" aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}

/** A modal dialog. Escape and a click outside close it. */
export function Dialog({
  title,
  onClose,
  children,
}: {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const isGone = useRef(false);
  const id = useId();
  // Before the next paint, so that what is typed right after the shortcut reaches the dialog.
  useLayoutEffect(() => {
    const before = document.activeElement;
    const element = dialog.current;
    element?.showModal();
    return () => {
      isGone.current = true;
      // Nothing outside can have the focus while it is open.
      element?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby={id}
      // The browser reports a close later. By then another dialog may be open, which would close
      // instead.
      onClose={() => isGone.current || onClose()}
      onClick={(event) => {
        // A click in the dialog is not one on the cell or row that opened it.
        event.stopPropagation();
        if (event.target === dialog.current) onClose();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.defaultPrevented) return;
        event.preventDefault();
        onClose();
      }}
    >
      <div class="stack">
        <h3 id={id}>{title}</h3>
        {children}
      </div>
    </dialog>
  );
}
