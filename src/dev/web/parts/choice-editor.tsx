import { useState } from "preact/hooks";
import { Button } from "./button.tsx";
import { chosenIn } from "./chosen-in.ts";
import { Dialog } from "./layout.tsx";
import { OptionFilter } from "./option-filter.tsx";
import { searchItems } from "./search.ts";
import { useOptions } from "./use-options.ts";

interface ChoiceEditorProps {
  label: string;
  choices: readonly string[];
  /** Several can be chosen. */
  isList: boolean;
  value: unknown;
  /**
   * Called with the choice, or the list of choices, if it has changed. An empty text clears the
   * cell.
   */
  onValue: (value: string | string[]) => void;
  onEnd: () => void;
}

/** Edits a cell of a select list: a list of its options with a filter. Escape cancels. */
export function ChoiceEditor({ label, choices, isList, value, onValue, onEnd }: ChoiceEditorProps) {
  const [query, setQuery] = useState("");
  const [chosen, setChosen] = useState(() => chosenIn(value, choices, isList));
  const options = searchItems(
    [...(isList ? [] : [""]), ...choices].map((title) => ({ title })),
    query,
  );
  const end = (next: readonly string[]): void => {
    const before = chosenIn(value, choices, isList);
    if (next.join("\n") !== before.join("\n"))
      onValue(next.length === 0 ? "" : isList ? [...next] : (next[0] ?? ""));
    onEnd();
  };
  const pick = (title: string | undefined): void => {
    if (title === undefined) return;
    if (!isList) end(title === "" ? [] : [title]);
    else
      setChosen(
        chosen.includes(title) ? chosen.filter((each) => each !== title) : [...chosen, title],
      );
  };
  const list = useOptions({
    count: options.length,
    start: Math.max(
      0,
      options.findIndex(({ title }) => chosen.includes(title)),
    ),
    onPick: (index) => pick(options[index]?.title),
  });
  return (
    <Dialog title={label} onClose={onEnd}>
      <div class="palette">
        <OptionFilter
          label={`Filter the options of ${label}`}
          placeholder="Filter"
          query={query}
          onQuery={setQuery}
          options={list}
        />
        <div id={list.listId} role="listbox" aria-label={label}>
          {options.map(({ title }, index) => {
            const isChosen = title === "" ? chosen.length === 0 : chosen.includes(title);
            return (
              <div
                key={title}
                {...list.optionProps(index)}
                role="option"
                class="option"
                aria-checked={isChosen}
              >
                <span class={title === "" ? "quiet" : undefined}>
                  {title === "" ? "empty" : title}
                </span>
                <span aria-hidden="true">{isChosen ? "✓" : ""}</span>
              </div>
            );
          })}
        </div>
        {options.length === 0 && <p class="quiet small">No option matches.</p>}
        {isList && (
          <div class="row">
            <Button
              kind="primary"
              onClick={() => end(choices.filter((choice) => chosen.includes(choice)))}
            >
              Done
            </Button>
            <Button onClick={onEnd}>Cancel</Button>
          </div>
        )}
      </div>
    </Dialog>
  );
}
