import { useEffect, useRef, useState } from "preact/hooks";
import type { ChoicesRequest, ChoiceView } from "../../wire/run.ts";
import { findFailure, isAborted, post } from "../api.ts";
import type { ControlProps } from "../parts/field.tsx";
import { useOptions } from "../parts/use-options.ts";

interface ChoiceFieldProps {
  control: ControlProps;
  label: string;
  value: string;
  onValue: (value: string) => void;
  /**
   * What to find choices for: the formula or table, the parameter, and the values of the other
   * parameters.
   */
  choiceRequest: () => Omit<ChoicesRequest, "search">;
}

const DEBOUNCE_MS = 150;
const MAX_SHOWN = 100;

/** A text field with the choices that the Pack offers for it. */
export function ChoiceField({ control, label, value, onValue, choiceRequest }: ChoiceFieldProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [choices, setChoices] = useState<readonly ChoiceView[]>([]);
  const [note, setNote] = useState("");
  const { listId, setActive, fieldProps, optionProps, handleKey } = useOptions({
    count: choices.length,
    start: -1,
    onPick: (index) => pick(choices[index]),
  });
  const asking = useRef<
    { timer: ReturnType<typeof setTimeout>; abort: AbortController } | undefined
  >(undefined);

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
      post<ChoiceView[]>(
        "/api/choices",
        { ...choiceRequest(), search },
        { signal: abort.signal },
      ).then(
        (found) => {
          setChoices(found.slice(0, MAX_SHOWN));
          setActive(-1);
          setNote(found.length === 0 ? "No choices found." : "");
        },
        (error: unknown) => {
          if (isAborted(error)) return;
          setChoices([]);
          setNote(findFailure(error).message);
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
    else if (!isOpen || !handleKey(event.key)) return;
    event.preventDefault();
  };
  return (
    <div class="combo">
      <input
        {...control}
        class="input"
        {...fieldProps}
        role="combobox"
        aria-expanded={isOpen}
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
            <div key={`${choice.value} ${choice.display}`} {...optionProps(index)}>
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
