import { useLayoutEffect, useRef } from "preact/hooks";

interface CellEditorProps {
  label: string;
  /** Type of the column. */
  type: string;
  value: unknown;
  /** Called with the new value if the text was changed. */
  onValue: (value: unknown) => void;
  /** Called at the end, also when the edit was cancelled. */
  onEnd: () => void;
}

/**
 * The field that edits a cell of a grid. Enter, Tab and leaving the field keep the text; Escape
 * cancels.
 */
export function CellEditor({ label, type, value, onValue, onEnd }: CellEditorProps) {
  const input = useRef<HTMLInputElement>(null);
  const initial =
    value === null || value === undefined
      ? ""
      : typeof value === "string"
        ? value
        : JSON.stringify(value);
  useLayoutEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, []);
  const isDone = useRef(false);
  const end = (isKept: boolean): void => {
    if (isDone.current) return;
    isDone.current = true;
    const text = input.current?.value ?? "";
    if (isKept && text !== initial) onValue(readCell(text, type));
    onEnd();
  };
  return (
    <input
      ref={input}
      aria-label={label}
      defaultValue={initial}
      spellcheck={false}
      type="text"
      onBlur={() => end(true)}
      onKeyDown={(event) => {
        if (event.key === "Enter" || event.key === "Tab") end(true);
        else if (event.key === "Escape") end(false);
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    />
  );
}

/**
 * The typed text as a value of the column. Text that does not fit the type stays text: the Pack
 * decides about it.
 */
function readCell(text: string, type: string): unknown {
  if (text === "" && type !== "string") return null;
  if (type === "number") return Number.isNaN(Number(text)) ? text : Number(text);
  if (type !== "object" && type !== "array" && type !== "") return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
