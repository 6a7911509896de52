import type { ComponentChildren } from "preact";
import { useId, useRef, useState } from "preact/hooks";
import { keepSetting, readSetting } from "./stored.ts";

/** Widths of the first pane in CSS pixels. */
export interface PaneLimits {
  initial: number;
  least: number;
  most: number;
}

interface SplitProps {
  /** Class of the element, and name under which the browser keeps the width. */
  name: string;
  /** Name of the separator for screen readers. */
  label: string;
  limits: PaneLimits;
  first: ComponentChildren;
  second: ComponentChildren;
}

/** How far an arrow key moves the separator, in CSS pixels. */
const STEP = 24;

/**
 * Two panes with a separator that sets the width of the first one (WAI-ARIA Authoring Practices,
 * window splitter): dragged, or
 * moved with the arrow keys, Home and End. A double click or Enter goes back to the initial width.
 * CSS decides where there is
 * room for two panes; elsewhere the second one is below the first.
 */
export function Split({
  name,
  label,
  limits: { initial, least, most },
  first,
  second,
}: SplitProps) {
  const setting = `width of ${name}`;
  const clamp = (width: number) => Math.round(Math.max(least, Math.min(most, width)));
  const [width, setWidth] = useState(() => clamp(readSetting<number>(setting, initial)));
  const pane = useRef<HTMLDivElement>(null);
  const id = useId();
  const resize = (next: number): void => {
    setWidth(clamp(next));
    keepSetting(setting, clamp(next));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = {
      ArrowLeft: width - STEP,
      ArrowRight: width + STEP,
      Home: least,
      End: most,
      Enter: initial,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    resize(next);
  };
  return (
    <div class={`split ${name}`} style={{ "--pane": `${width}px` }}>
      <div class="pane" id={id} ref={pane}>
        {first}
      </div>
      {/* The role of a separator that can be focused has a value, as a slider has. */}
      <div
        class="separator"
        role="separator"
        tabIndex={0}
        aria-label={label}
        aria-controls={id}
        aria-orientation="vertical"
        aria-valuenow={width}
        aria-valuemin={least}
        aria-valuemax={most}
        title="Drag to resize. Double-click to reset."
        onKeyDown={onKeyDown}
        onDblClick={() => resize(initial)}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={(event) => {
          if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
          const box = event.currentTarget.getBoundingClientRect();
          const left = pane.current?.getBoundingClientRect().left ?? 0;
          resize(event.clientX - left - box.width / 2);
        }}
      />
      <div class="pane">{second}</div>
    </div>
  );
}
