import { useEffect, useId, useState } from "preact/hooks";

interface OptionsConfig {
  count: number;
  /** The option that is active at first: -1 for none. */
  start: number;
  onPick: (index: number) => void;
}

/**
 * The keyboard and the attributes of a list box whose options are chosen from a text field, which
 * keeps the focus (WAI-ARIA
 * Authoring Practices, combobox pattern). The arrow keys move, Enter picks.
 */
export function useOptions({ count, start, onPick }: OptionsConfig) {
  const listId = useId();
  const [wanted, setActive] = useState(start);
  const active = Math.min(wanted, count - 1);
  useEffect(() => {
    if (active >= 0)
      document.getElementById(`${listId}-${active}`)?.scrollIntoView({ block: "nearest" });
  }, [active, count]);
  return {
    listId,
    setActive,
    /** For the text field, which has the role `combobox`. */
    fieldProps: {
      "aria-controls": listId,
      "aria-autocomplete": "list",
      "aria-activedescendant": active < 0 ? undefined : `${listId}-${active}`,
      autocomplete: "off",
      spellcheck: false,
    } as const,
    optionProps: (index: number) =>
      ({
        id: `${listId}-${index}`,
        role: "option",
        "aria-selected": index === active,
        // The field keeps the focus.
        onMouseDown: (event: MouseEvent) => event.preventDefault(),
        onClick: () => onPick(index),
      }) as const,
    /** @returns whether the key was meant for the list */
    handleKey(key: string): boolean {
      if (key === "ArrowDown") setActive(Math.min(count - 1, active + 1));
      else if (key === "ArrowUp") setActive(Math.max(start, active - 1));
      else if (key === "Enter" && active >= 0) onPick(active);
      else return false;
      return true;
    },
  };
}
