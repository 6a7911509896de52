import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { useChosen } from "./use-chosen.ts";

interface FieldProps {
  label: string;
  /** Shown next to the label, such as the type of a parameter. */
  note?: string | undefined;
  hint?: ComponentChildren;
  problem?: string | undefined;
  /** It must not be empty. The label is marked. */
  required?: boolean | undefined;
  /** Gets the attributes that connect the control with its label and texts. */
  children: (control: ControlProps) => ComponentChildren;
}

export interface ControlProps {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": "true" | undefined;
  "aria-required": "true" | undefined;
}

/** A control with its label, what to enter, and what is wrong with it. */
export function Field({ label, note, hint, problem, required, children }: FieldProps) {
  const id = useId();
  const described = [
    ...(hint === undefined || hint === "" ? [] : [`${id}-hint`]),
    ...(problem === undefined ? [] : [`${id}-problem`]),
  ];
  return (
    <div class="field">
      <label for={id}>
        <span class={required === true ? "required" : undefined}>{label}</span>
        {note !== undefined && <span class="type"> {note}</span>}
      </label>
      {children({
        id,
        "aria-describedby": described.length === 0 ? undefined : described.join(" "),
        "aria-invalid": problem === undefined ? undefined : "true",
        "aria-required": required === true ? "true" : undefined,
      })}
      {hint !== undefined && hint !== "" && (
        <p class="hint" dir="auto" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {problem !== undefined && (
        <p class="problem" id={`${id}-problem`} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

interface TextFieldProps {
  label: string;
  value: string;
  onValue: (value: string) => void;
  note?: string | undefined;
  hint?: string | undefined;
  problem?: string | undefined;
  type?: "text" | "password" | "url" | "number" | undefined;
  placeholder?: string | undefined;
  required?: boolean | undefined;
}

/** A line of text. The page and the browser never store one of type `password`. */
export function TextField({
  label,
  value,
  onValue,
  note,
  hint,
  problem,
  type = "text",
  placeholder,
  required,
}: TextFieldProps) {
  return (
    <Field label={label} note={note} hint={hint} problem={problem} required={required}>
      {(control) => (
        <input
          {...control}
          class="input"
          // The type checker wants a literal, from which it derives the allowed roles.
          type={type as "text"}
          value={value}
          placeholder={placeholder}
          required={required}
          autocomplete={type === "password" ? "new-password" : "off"}
          spellcheck={false}
          onInput={(event) => onValue(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

interface SelectFieldProps {
  label: string;
  value: string;
  onValue: (value: string) => void;
  options: readonly (readonly [value: string, text: string])[];
  hint?: string | undefined;
}

export function SelectField({ label, value, onValue, options, hint }: SelectFieldProps) {
  return (
    <Field label={label} hint={hint}>
      {(control) => (
        <select
          {...control}
          class="input"
          value={value}
          onChange={(event) => onValue(event.currentTarget.value)}
        >
          {options.map(([option, text]) => (
            <option key={option} value={option}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface ToggleProps {
  isOn: boolean;
  /** When `isOn` was asked, in milliseconds of this browser. */
  askedAtMs: number;
  /** @returns false when nothing changed */
  onToggle: (isOn: boolean) => Promise<boolean>;
  disabled?: boolean | undefined;
  children: ComponentChildren;
}

/** A check box that changes at once, and then follows what the server reports. */
export function Toggle({ isOn, askedAtMs, onToggle, disabled, children }: ToggleProps) {
  const { value, choose } = useChosen(isOn, askedAtMs);
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={value}
        disabled={disabled}
        onChange={({ currentTarget: { checked } }) => choose(checked, () => onToggle(checked))}
      />
      <span>{children}</span>
    </label>
  );
}
