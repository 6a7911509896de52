import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { linkTo } from "../route.ts";
import { Pill, type Tone } from "./layout.tsx";
import { Name } from "./name.tsx";
import { searchItems } from "./search.ts";
import { ONE_COLUMN, useMedia } from "./use-media.ts";
import { useOptions } from "./use-options.ts";

interface PickerProps {
  /** What the entries are, such as `Formulas and tables`. */
  label: string;
  /** Shown while none is chosen. */
  placeholder: string;
  /** The view that shows an entry. */
  view: string;
  groups: readonly PickerGroup[];
  /** Title of the entry that is shown. */
  chosen: string | undefined;
}

export interface PickerGroup {
  title: string;
  entries: readonly PickerEntry[];
}

export interface PickerEntry {
  title: string;
  /** Other texts that the filter searches. */
  texts: readonly string[];
  /** What it is, in a word. */
  kind: string;
  /** Marks the kind in the list. */
  tone?: Tone | undefined;
}

/**
 * Chooses an entry: from a list next to its form, or from a combobox where there is no room for it.
 */
export function Picker(props: PickerProps) {
  const hasRoom = !useMedia(ONE_COLUMN);
  return hasRoom ? <PickerList {...props} /> : <PickerBox {...props} />;
}

/** A list with a filter, which scrolls separately from the page. */
function PickerList({ label, view, groups, chosen }: PickerProps) {
  const [query, setQuery] = useState("");
  const [focused, setFocused] = useState<string | undefined>(undefined);
  const nav = useRef<HTMLElement>(null);
  const matching = groups.map(({ title, entries }) => ({
    title,
    entries: searchItems(entries, query),
  }));
  const found = getCount(matching);
  const shown = matching.flatMap(({ entries }) => entries.map(({ title }) => title));
  // The list is one stop of the Tab key; the arrow keys move in it.
  const stop =
    shown.find((title) => title === focused) ?? shown.find((title) => title === chosen) ?? shown[0];
  useEffect(
    () => nav.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" }),
    [chosen],
  );

  /**
   * The arrow keys move between the filter and the links. Enter in the filter opens the first link.
   */
  const onKeyDown = (event: KeyboardEvent): void => {
    const stops = [...(nav.current?.querySelectorAll<HTMLElement>("input, a") ?? [])];
    const at = stops.indexOf(event.target as HTMLElement);
    if (event.key === "Enter" && at === 0) stops[1]?.click();
    else if (event.key === "ArrowDown") stops[at + 1]?.focus();
    else if (event.key === "ArrowUp") stops[at - 1]?.focus();
    else if (event.key === "Home" && at > 0) stops[1]?.focus();
    else if (event.key === "End" && at > 0) stops.at(-1)?.focus();
    else return;
    event.preventDefault();
  };
  return (
    <nav
      class="picker"
      aria-label={label}
      ref={nav}
      onKeyDown={onKeyDown}
      onFocusIn={({ target }) => setFocused((target as HTMLElement).dataset["title"])}
      onFocusOut={() => setFocused(undefined)}
    >
      <input
        class="input"
        type="search"
        aria-label={`Filter ${label.toLowerCase()}`}
        aria-keyshortcuts="/"
        placeholder="Filter"
        autocomplete="off"
        spellcheck={false}
        value={query}
        onInput={(event) => setQuery(event.currentTarget.value)}
      />
      <div class="entries">
        {matching.map((group) => (
          <Group key={group.title} {...group} view={view} chosen={chosen} stop={stop} />
        ))}
        <p class="quiet small" role="status">
          {query !== "" &&
            (found === 0 ? "No name or description matches." : `${found} of ${getCount(groups)}`)}
        </p>
      </div>
    </nav>
  );
}

function getCount(groups: readonly PickerGroup[]): number {
  return groups.reduce((count, { entries }) => count + entries.length, 0);
}

function Group({
  title,
  entries,
  view,
  chosen,
  stop,
}: PickerGroup & Pick<PickerProps, "view" | "chosen"> & { stop: string | undefined }) {
  if (entries.length === 0) return null;
  return (
    <div>
      <h3 class="quiet small">{title}</h3>
      <ul class="plain">
        {entries.map(({ title: name, kind, tone }) => (
          <li key={name}>
            <a
              class="mono"
              href={linkTo(view, name)}
              data-title={name}
              tabIndex={name === stop ? 0 : -1}
              aria-current={name === chosen ? "true" : undefined}
            >
              <span>
                <Name text={name} />
              </span>
              {tone !== undefined && <Pill tone={tone}>{kind}</Pill>}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

/**
 * A combobox: the name that is shown, and after a click or a letter the list of all names that
 * match.
 */
function PickerBox({ label, placeholder, view, groups, chosen }: PickerProps) {
  // Undefined while the list is closed.
  const [query, setQuery] = useState<string | undefined>(undefined);
  const field = useRef<HTMLInputElement>(null);
  const all = groups.flatMap(({ entries }) => entries);
  const entries = searchItems(all, query ?? "");
  const isOpen = query !== undefined;
  const { listId, setActive, fieldProps, optionProps, handleKey } = useOptions({
    count: isOpen ? entries.length : 0,
    start: 0,
    onPick: (index) => {
      const entry = entries[index];
      if (entry === undefined) return;
      setQuery(undefined);
      location.hash = linkTo(view, entry.title);
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
        all.findIndex(({ title }) => title === chosen),
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
        aria-label={label}
        aria-keyshortcuts="/"
        aria-expanded={isOpen}
        value={query || (isOpen ? "" : chosen)}
        placeholder={chosen ?? placeholder}
        onClick={open}
        onInput={(event) => {
          setQuery(event.currentTarget.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
        onBlur={() => setQuery(undefined)}
      />
      <div class="choices" hidden={!isOpen}>
        <div id={listId} role="listbox" aria-label={label}>
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
