import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { FormulaView, PackView, TableView } from "../../wire/pack.ts";
import { Pill } from "../parts/layout.tsx";
import { Name } from "../parts/name.tsx";
import { searchItems } from "../parts/search.ts";
import { ONE_COLUMN, useMedia } from "../parts/use-media.ts";
import { useOptions } from "../parts/use-options.ts";
import { linkTo } from "../route.ts";

const LABEL = "Formulas and tables";

interface PickerProps {
  pack: PackView;
  /** Name of the formula or table that is shown. */
  chosen: string | undefined;
}

interface Entry {
  title: string;
  texts: readonly string[];
  kind: "formula" | "action" | "table";
}

/** Chooses a formula or table: from a list next to the form, or from a combobox where there is no room for it. */
export function Picker({ pack, chosen }: PickerProps) {
  const hasRoom = !useMedia(ONE_COLUMN);
  return hasRoom ? <PickerList pack={pack} chosen={chosen} /> : <PickerBox pack={pack} chosen={chosen} />;
}

/** A list with a filter, which scrolls separately from the page. */
function PickerList({ pack, chosen }: PickerProps) {
  const [query, setQuery] = useState("");
  const nav = useRef<HTMLElement>(null);
  const formulas = searchItems(pack.formulas.map(formulaEntry), query);
  const tables = searchItems(pack.tables.map(tableEntry), query);
  const found = formulas.length + tables.length;
  useEffect(() => nav.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" }), [chosen]);

  /** The arrow keys move between the filter and the links. Enter in the filter opens the first link. */
  const onKeyDown = (event: KeyboardEvent): void => {
    const stops = [...(nav.current?.querySelectorAll<HTMLElement>("input, a") ?? [])];
    const at = stops.indexOf(event.target as HTMLElement);
    if (event.key === "Enter" && at === 0) stops[1]?.click();
    else if (event.key === "ArrowDown") stops[at + 1]?.focus();
    else if (event.key === "ArrowUp") stops[at - 1]?.focus();
    else return;
    event.preventDefault();
  };
  return (
    <nav class="picker" aria-label={LABEL} ref={nav} onKeyDown={onKeyDown}>
      <input
        class="input"
        type="search"
        aria-label="Filter formulas and tables"
        aria-keyshortcuts="/"
        placeholder="Filter"
        autocomplete="off"
        spellcheck={false}
        value={query}
        onInput={(event) => setQuery(event.currentTarget.value)}
      />
      <div class="entries">
        <Group title="Formulas" entries={formulas} chosen={chosen} />
        <Group title="Sync tables" entries={tables} chosen={chosen} />
        <p class="quiet small" role="status">
          {query !== "" && (found === 0 ? "No name or description matches." : `${found} of ${pack.formulas.length + pack.tables.length}`)}
        </p>
      </div>
    </nav>
  );
}

function Group({ title, entries, chosen }: { title: string; entries: readonly Entry[]; chosen: string | undefined }) {
  if (entries.length === 0) return null;
  return (
    <div>
      <h3 class="quiet small">{title}</h3>
      <ul class="plain">
        {entries.map(({ title: name, kind }) => (
          <li key={name}>
            <a class="mono" href={linkTo("run", name)} aria-current={name === chosen ? "true" : undefined}>
              <span>
                <Name text={name} />
              </span>
              {kind === "action" && <Pill tone="accent">action</Pill>}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** A combobox: the name that is shown, and after a click or a letter the list of all names that match. */
function PickerBox({ pack, chosen }: PickerProps) {
  // Undefined while the list is closed.
  const [query, setQuery] = useState<string | undefined>(undefined);
  const field = useRef<HTMLInputElement>(null);
  const entries = searchItems([...pack.formulas.map(formulaEntry), ...pack.tables.map(tableEntry)], query ?? "");
  const isOpen = query !== undefined;
  const { listId, setActive, fieldProps, optionProps, handleKey } = useOptions({
    count: isOpen ? entries.length : 0,
    start: 0,
    onPick: (index) => {
      const entry = entries[index];
      if (entry === undefined) return;
      setQuery(undefined);
      location.hash = linkTo("run", entry.title);
    },
  });
  // What is typed next replaces the name.
  useLayoutEffect(() => {
    if (!isOpen && document.activeElement === field.current) field.current?.select();
  }, [isOpen]);
  const open = (): void => {
    if (isOpen) return;
    setQuery("");
    setActive(
      Math.max(
        0,
        [...pack.formulas, ...pack.tables].findIndex(({ name }) => name === chosen),
      ),
    );
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Escape" && isOpen) setQuery(undefined);
    else if (event.key === "ArrowDown" && !isOpen) open();
    else if (!isOpen || !handleKey(event.key)) return;
    event.preventDefault();
  };
  return (
    <div class="combo picker-box">
      <input
        {...fieldProps}
        role="combobox"
        ref={field}
        class="input mono"
        aria-label={LABEL}
        aria-keyshortcuts="/"
        aria-expanded={isOpen}
        value={query || (isOpen ? "" : chosen)}
        placeholder={chosen ?? "Choose a formula or table"}
        onClick={open}
        onInput={(event) => {
          setQuery(event.currentTarget.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
        onBlur={() => setQuery(undefined)}
      />
      <div class="choices" hidden={!isOpen}>
        <div id={listId} role="listbox" aria-label={LABEL}>
          {isOpen &&
            entries.map(({ title, kind }, index) => (
              <div key={title} {...optionProps(index)} class="option">
                <span class="mono">
                  <Name text={title} />
                </span>
                <span class="quiet small">{kind}</span>
              </div>
            ))}
        </div>
        {isOpen && entries.length === 0 && (
          <p class="quiet small" role="status">
            No name or description matches.
          </p>
        )}
      </div>
    </div>
  );
}

function formulaEntry({ name, description, isAction }: FormulaView): Entry {
  return { title: name, texts: [description], kind: isAction ? "action" : "formula" };
}

function tableEntry({ name, description }: TableView): Entry {
  return { title: name, texts: [description], kind: "table" };
}
