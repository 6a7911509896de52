import { useEffect, useState } from "preact/hooks";
import { Dialog } from "../parts/layout.tsx";
import { keepSetting, readSetting } from "../parts/stored.ts";

const SINGLE_KEYS = "single-keys";

/** How the palette is opened on this computer. */
export const PALETTE_KEYS = /mac|iphone|ipad/i.test(navigator.platform) ? "⌘K" : "Ctrl+K";

const SHORTCUTS: readonly (readonly [keys: readonly string[], what: string])[] = [
  [[PALETTE_KEYS], "Search views, formulas and tables"],
  [["/"], "Filter the list in this view"],
  [["?"], "Show the keyboard shortcuts"],
  [["↑", "↓"], "Move in a list"],
  [["←", "→"], "Move between tabs"],
  [["Enter"], "In a formula's field: run the formula"],
  [["Shift+Enter"], "In a formula's field: start a new line"],
  [["Esc"], "Close a dialog or a list"],
];

/** The keys of the page. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const [isOn, setIsOn] = useState(() => readSetting<boolean>(SINGLE_KEYS, true));
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl class="facts shortcuts">
        {SHORTCUTS.map(([keys, what]) => [
          <dt key={`${what} keys`}>
            {keys.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </dt>,
          <dd key={what}>{what}</dd>,
        ])}
      </dl>
      <label class="check">
        <input
          type="checkbox"
          checked={isOn}
          onChange={({ currentTarget }) => {
            setIsOn(currentTarget.checked);
            keepSetting(SINGLE_KEYS, currentTarget.checked);
          }}
        />
        Use the shortcuts / and ?
      </label>
    </Dialog>
  );
}

interface ShortcutActions {
  onPalette: () => void;
  onHelp: () => void;
}

/**
 * Listens to the keys that work everywhere. `/` goes to the field that declares it with
 * `aria-keyshortcuts`.
 */
export function useShortcuts({ onPalette, onHelp }: ShortcutActions): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
      if (
        event.defaultPrevented ||
        event.isComposing ||
        document.querySelector("dialog[open]") !== null
      )
        return;
      const isChord = ctrlKey || metaKey;
      if (isChord && !altKey && !shiftKey && key.toLowerCase() === "k") onPalette();
      // WCAG 2.1, 2.1.4: keys without a modifier can be turned off.
      else if (
        isChord ||
        altKey ||
        isTyping(event.target) ||
        !readSetting<boolean>(SINGLE_KEYS, true)
      )
        return;
      else if (key === "?") onHelp();
      else if (key !== "/" || !focusFilter()) return;
      event.preventDefault();
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest("input:not([type=checkbox]), textarea, select, [contenteditable]") !== null
  );
}

/** @returns whether this view has a filter */
function focusFilter(): boolean {
  const filter = document.querySelector<HTMLInputElement>('main input[aria-keyshortcuts="/"]');
  filter?.focus();
  filter?.select();
  return filter !== null;
}
