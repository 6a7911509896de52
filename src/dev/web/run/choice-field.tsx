import { useEffect, useId, useRef, useState } from "preact/hooks";
import type { ChoiceView } from "../../wire/run.ts";
import { failureOf, isAborted, post } from "../api.ts";
import type { ControlProps } from "../parts/field.tsx";

interface ChoiceFieldProps {
  control: ControlProps;
  label: string;
  value: string;
  onValue: (value: string) => void;
  /** What to find choices for: the formula or table, the parameter, and the values of the other parameters. */
  choiceRequest: () => { of: string; parameter: string; values: Record<string, unknown>; account: string | undefined };
}

const DEBOUNCE_MS = 150;
const MAX_SHOWN = 100;

/** A text field with the choices that the Pack offers for it. */
export function ChoiceField({ control, label, value, onValue, choiceRequest }: ChoiceFieldProps) {
  const listId = useId();
  const [isOpen, setIsOpen] = useState(false);
  const [choices, setChoices] = useState<readonly ChoiceView[]>([]);
  const [active, setActive] = useState(-1);
  const [note, setNote] = useState("");
  const asking = useRef<{ timer: ReturnType<typeof setTimeout>; abort: AbortController } | undefined>(undefined);

  const stop = () => {
    clearTimeout(asking.current?.timer);
    asking.current?.abort.abort();
    asking.current = undefined;
  };
  useEffect(() => stop, []);
  const ask = (search: string, delayMs: number) => {
    stop();
    const abort = new AbortController();
    const timer = setTimeout(() => {
      setNote("Looking for choices…");
      post<ChoiceView[]>("/api/choices", { ...choiceRequest(), search }, { signal: abort.signal }).then(
        (found) => {
          setChoices(found.slice(0, MAX_SHOWN));
          setActive(-1);
          setNote(found.length === 0 ? "No choices found." : "");
        },
        (error: unknown) => {
          if (isAborted(error)) return;
          setChoices([]);
          setNote(failureOf(error).message);
        },
      );
    }, delayMs);
    asking.current = { timer, abort };
    setIsOpen(true);
  };
  const close = () => {
    stop();
    setIsOpen(false);
    setActive(-1);
  };
  const pick = (choice: ChoiceView | undefined) => {
    if (choice !== undefined) onValue(choice.value);
    close();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape" && isOpen) close();
    else if (event.key === "ArrowDown" && !isOpen) ask(value, 0);
    else if (event.key === "ArrowDown") setActive((at) => Math.min(choices.length - 1, at + 1));
    else if (event.key === "ArrowUp" && isOpen) setActive((at) => Math.max(-1, at - 1));
    else if (event.key === "Enter" && isOpen && active >= 0) pick(choices[active]);
    else return;
    event.preventDefault();
  };
  return (
    <div class="combo">
      <input
        {...control}
        class="input"
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={active < 0 ? undefined : `${listId}-${active}`}
        autocomplete="off"
        spellcheck={false}
        value={value}
        onFocus={() => ask(value, DEBOUNCE_MS)}
        onInput={(event) => {
          onValue(event.currentTarget.value);
          ask(event.currentTarget.value, DEBOUNCE_MS);
        }}
        onKeyDown={onKeyDown}
        onBlur={close}
      />
      <div class="choices" hidden={!isOpen}>
        <div id={listId} role="listbox" aria-label={`Choices for ${label}`}>
          {choices.map((choice, index) => (
            // The field keeps the focus, and its keys choose too.
            // biome-ignore lint/a11y/useKeyWithClickEvents: see above
            <div
              key={`${choice.value} ${choice.display}`}
              id={`${listId}-${index}`}
              role="option"
              aria-selected={index === active}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => pick(choice)}
            >
              {choice.display}
              {choice.display !== choice.value && <span class="quiet mono"> {choice.value}</span>}
            </div>
          ))}
        </div>
        {note !== "" && (
          <p class="quiet small" role="status">
            {note}
          </p>
        )}
      </div>
    </div>
  );
}
