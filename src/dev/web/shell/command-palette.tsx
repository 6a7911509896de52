import { useState } from "preact/hooks";
import type { PackView } from "../../wire/pack.ts";
import { Dialog } from "../parts/layout.tsx";
import { Name } from "../parts/name.tsx";
import { OptionFilter } from "../parts/option-filter.tsx";
import { type Searchable, searchItems } from "../parts/search.ts";
import { useOptions } from "../parts/use-options.ts";
import { linkTo } from "../route.ts";
import { viewsFor } from "./views.ts";

interface Command extends Searchable {
  kind: "view" | "formula" | "action" | "table" | "help";
  run: () => void;
}

interface CommandPaletteProps {
  pack: PackView | undefined;
  onClose: () => void;
  onHelp: () => void;
}

/** Finds views, formulas and tables by name or description, and opens the chosen one. */
export function CommandPalette({ pack, onClose, onHelp }: CommandPaletteProps) {
  const [query, setQuery] = useState("");
  const commands = searchItems(listCommands(pack, onHelp), query);
  const list = useOptions({
    count: commands.length,
    start: 0,
    onPick: (index) => {
      onClose();
      commands[index]?.run();
    },
  });
  return (
    <Dialog title="Go to" onClose={onClose}>
      <div class="palette">
        <OptionFilter
          label="Search views, formulas and tables"
          placeholder="Search views, formulas and tables"
          query={query}
          onQuery={setQuery}
          options={list}
        />
        <div id={list.listId} role="listbox" aria-label="Views, formulas and tables">
          {commands.map(({ title, texts = [], kind }, index) => (
            <div key={`${kind} ${title}`} {...list.optionProps(index)} class="option">
              <span>
                <span class={kind === "view" || kind === "help" ? undefined : "mono"}>
                  <Name text={title} />
                </span>
                {texts[0] !== undefined && <span class="about quiet small">{texts[0]}</span>}
              </span>
              <span class="quiet small">{kind}</span>
            </div>
          ))}
        </div>
        <p class="quiet small" role="status">
          {commands.length === 0 && "No view, formula or table matches."}
        </p>
      </div>
    </Dialog>
  );
}

function listCommands(pack: PackView | undefined, onHelp: () => void): Command[] {
  const goTo =
    (...place: readonly [view: string, ...parts: string[]]) =>
    () => {
      location.hash = linkTo(...place);
    };
  return [
    ...viewsFor(pack).map(({ id, title }): Command => ({ title, kind: "view", run: goTo(id) })),
    ...(pack?.formulas ?? []).map(
      ({ name, description, isAction }): Command => ({
        title: name,
        texts: [description],
        kind: isAction ? "action" : "formula",
        run: goTo("run", name),
      }),
    ),
    ...(pack?.tables ?? []).map(
      ({ name, description }): Command => ({
        title: name,
        texts: [description],
        kind: "table",
        run: goTo("run", name),
      }),
    ),
    { title: "Keyboard shortcuts", kind: "help", run: onHelp },
  ];
}
