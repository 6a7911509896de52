import type { ComponentChildren } from "preact";
import { useId, useRef } from "preact/hooks";

interface TabsProps<Id extends string> {
  label: string;
  tabs: readonly (readonly [id: Id, title: ComponentChildren])[];
  current: Id;
  onPick: (id: Id) => void;
  children: ComponentChildren;
}

/** Parts of a view of which one is shown. The arrow keys go from one to the next. */
export function Tabs<Id extends string>({ label, tabs, current, onPick, children }: TabsProps<Id>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const step = (event: KeyboardEvent): void => {
    const by = { ArrowRight: 1, ArrowLeft: -1, Home: -tabs.length, End: tabs.length }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const at = tabs.findIndex(([tab]) => tab === current) + by;
    const next = tabs[Math.abs(by) === 1 ? (at + tabs.length) % tabs.length : Math.max(0, Math.min(tabs.length - 1, at))];
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
