import type { ComponentChildren } from "preact";
import { useId, useRef, useState } from "preact/hooks";
import { isSecretParameter } from "../../../shared/secret-parameter.ts";
import type { ParameterView } from "../../wire/pack.ts";
import { findFailure, post } from "../api.ts";
import { Button } from "../parts/button.tsx";
import { type ControlProps, Field } from "../parts/field.tsx";
import { ChoiceField } from "./choice-field.tsx";
import { type FieldValue, isNeeded, parseKind, RELATIVE_DAYS, SPANS } from "./form-values.ts";

interface ParameterFieldProps {
  parameter: ParameterView;
  value: FieldValue;
  onValue: (value: FieldValue) => void;
  problem: string | undefined;
  /** What to find choices for. */
  choiceRequest: () => { of: string; values: Record<string, unknown>; account: string | undefined };
}

/** The field of one parameter, depending on its type. */
export function ParameterField(props: ParameterFieldProps) {
  const { parameter, value, onValue, problem } = props;
  const { name, type, description, isOptional } = parameter;
  const kind = parseKind(type);
  const note = `${type}${isOptional ? ", optional" : ""}`;
  if (kind.isList) return <ListField {...props} note={note} />;
  if (kind.word === "boolean" && !isOptional) return <CheckField {...props} note={note} />;
  return (
    <Field
      label={name}
      note={note}
      hint={description}
      problem={problem}
      required={isNeeded(parameter)}
    >
      {(control) => (
        <OneValue
          {...props}
          control={control}
          word={kind.word}
          value={typeof value === "string" ? value : ""}
          // An empty field leaves out an optional parameter.
          onValue={(text) => onValue(isOptional && text === "" ? undefined : text)}
        />
      )}
    </Field>
  );
}

function CheckField({
  parameter,
  value,
  onValue,
  problem,
  note,
}: ParameterFieldProps & { note: string }) {
  const id = useId();
  return (
    <div class="field">
      <label class="check" for={id}>
        <input
          id={id}
          type="checkbox"
          checked={value === "true"}
          aria-describedby={`${id}-hint`}
          onChange={(event) => onValue(String(event.currentTarget.checked))}
        />
        <span class="label">
          {parameter.name}
          <span class="type"> {note}</span>
        </span>
      </label>
      <p class="hint" id={`${id}-hint`}>
        {problem ?? parameter.description}
      </p>
    </div>
  );
}

/** A list: one field per element, and a button to add another. */
function ListField(props: ParameterFieldProps & { note: string }) {
  const { parameter, value, onValue, problem, note } = props;
  const items = Array.isArray(value) ? value : [];
  const { word, isSparse } = parseKind(parameter.type);
  const group = useRef<HTMLFieldSetElement>(null);
  const set = (next: string[]) =>
    onValue(next.length === 0 && parameter.isOptional ? undefined : next);
  const add = () => {
    set([...items, word === "boolean" ? "false" : ""]);
    // The new field exists after the next paint.
    requestAnimationFrame(() => {
      const fields = group.current?.querySelectorAll<HTMLElement>(".item .input");
      fields?.[fields.length - 1]?.focus();
    });
  };
  return (
    <fieldset class="field" ref={group}>
      <legend>
        {parameter.name}
        <span class="type"> {note}</span>
      </legend>
      {items.map((item, index) => (
        <div class="item" key={index}>
          <OneValue
            {...props}
            word={word}
            isInList
            control={{
              id: "",
              "aria-describedby": undefined,
              "aria-invalid": problem === undefined ? undefined : "true",
              "aria-required": undefined,
            }}
            label={`${parameter.name} ${index + 1}`}
            value={item}
            placeholder={isSparse ? "blank" : undefined}
            onValue={(text) => set(items.with(index, text))}
          />
          <Button
            isSmall
            kind="plain"
            label={`Remove ${parameter.name} ${index + 1}`}
            onClick={() => set(items.toSpliced(index, 1))}
          >
            ✕
          </Button>
        </div>
      ))}
      <div class="row">
        <Button isSmall onClick={add} label={`Add to ${parameter.name}`}>
          Add
        </Button>
        {word === "date" && (
          <select
            class="input span"
            aria-label={`Span of days for ${parameter.name}`}
            value={items.length === 1 && SPANS.includes(items[0] ?? "") ? items[0] : ""}
            onChange={(event) =>
              set(event.currentTarget.value === "" ? [] : [event.currentTarget.value])
            }
          >
            <option value="">or choose a span of days…</option>
            {SPANS.map((span) => (
              <option key={span} value={span}>
                {span.replaceAll("_", " ")}
              </option>
            ))}
          </select>
        )}
      </div>
      <p class="hint">{parameter.description}</p>
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </fieldset>
  );
}

interface OneValueProps extends Omit<ParameterFieldProps, "value" | "onValue"> {
  control: ControlProps;
  word: string;
  value: string;
  onValue: (value: string) => void;
  /** Name of a control that has no label of its own. */
  label?: string | undefined;
  placeholder?: string | undefined;
  isInList?: boolean | undefined;
}

function OneValue({
  parameter,
  control,
  word,
  value,
  onValue,
  choiceRequest,
  label,
  placeholder,
  isInList,
}: OneValueProps): ComponentChildren {
  // Elements of a list have no label element, so they need no id.
  const { id, ...described } = control;
  const common = {
    ...described,
    ...(id === "" ? {} : { id }),
    "aria-label": label,
    class: "input",
  };
  if (parameter.hasAutocomplete) {
    return (
      <ChoiceField
        control={{ ...common, id: id === "" ? undefined : id } as ControlProps}
        label={label ?? parameter.name}
        value={value}
        onValue={onValue}
        choiceRequest={() => ({ ...choiceRequest(), parameter: parameter.name })}
      />
    );
  }
  const input = { common, value, onValue, placeholder };
  switch (word) {
    case "boolean":
      return <BooleanInput {...input} isInList={isInList === true} />;
    case "number":
      return <NumberInput {...input} />;
    case "date":
      return <DateInput {...input} />;
    case "image":
    case "file":
      return <FileInput {...input} accept={word === "image" ? "image/*" : undefined} />;
    default:
      if (isSecretParameter(parameter.name)) return <SecretInput {...input} />;
      return <TextInput {...input} rows={word === "html" || word === "markdown" ? 4 : 1} />;
  }
}

interface InputProps {
  common: Record<string, unknown>;
  value: string;
  onValue: (value: string) => void;
  placeholder?: string | undefined;
}

function BooleanInput({
  common,
  value,
  onValue,
  placeholder,
  isInList,
}: InputProps & { isInList: boolean }) {
  return (
    <select {...common} value={value} onChange={(event) => onValue(event.currentTarget.value)}>
      {!isInList && <option value="">not set</option>}
      {isInList && placeholder !== undefined && <option value="">blank</option>}
      <option value="true">true</option>
      <option value="false">false</option>
    </select>
  );
}

function NumberInput({ common, value, onValue, placeholder }: InputProps) {
  return (
    <input
      {...common}
      value={value}
      onInput={(event) => onValue(event.currentTarget.value)}
      type="text"
      inputMode="decimal"
      placeholder={placeholder}
      autocomplete="off"
    />
  );
}

function SecretInput({ common, value, onValue }: InputProps) {
  return (
    <input
      {...common}
      value={value}
      onInput={(event) => onValue(event.currentTarget.value)}
      type="password"
      autocomplete="new-password"
    />
  );
}

/** Grows with its lines. Enter runs the formula; Shift+Enter begins a line. */
export function TextInput({
  common,
  value,
  onValue,
  rows,
  placeholder,
}: InputProps & { rows: number }) {
  return (
    <textarea
      {...common}
      dir="auto"
      class={rows > 1 ? "input tall" : "input"}
      rows={rows}
      value={value}
      placeholder={placeholder}
      spellcheck={false}
      onInput={(event) => onValue(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || event.shiftKey || rows > 1) return;
        event.preventDefault();
        event.currentTarget.form?.requestSubmit();
      }}
    />
  );
}

/** A date, or a word for one, as text, with the browser's calendar next to it. */
function DateInput({ common, value, onValue, placeholder }: InputProps) {
  const listId = useId();
  const calendar = useRef<HTMLInputElement>(null);
  return (
    <span class="with-button">
      <input
        {...common}
        value={value}
        list={listId}
        placeholder={placeholder ?? "2026-01-31T12:00, or today"}
        autocomplete="off"
        onInput={(event) => onValue(event.currentTarget.value)}
      />
      <datalist id={listId}>
        {RELATIVE_DAYS.map((word) => (
          <option key={word} value={word} />
        ))}
      </datalist>
      <input
        ref={calendar}
        class="calendar"
        type="datetime-local"
        tabIndex={-1}
        aria-hidden="true"
        onChange={(event) => event.currentTarget.value !== "" && onValue(event.currentTarget.value)}
      />
      <Button isSmall label="Pick a date" onClick={() => calendar.current?.showPicker()}>
        Pick
      </Button>
    </span>
  );
}

/** A URL, or a file from this computer. The server stores the file for a day and gives it a URL. */
function FileInput({
  common,
  value,
  onValue,
  accept,
}: InputProps & { accept: string | undefined }) {
  const picker = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const upload = async (file: File | undefined) => {
    if (file === undefined) return;
    setProblem(undefined);
    try {
      const { url } = await post<{ url: string }>("/api/uploads", {
        type: file.type,
        base64: await base64Of(file),
      });
      onValue(url);
    } catch (error) {
      setProblem(findFailure(error).message);
    }
  };
  return (
    <>
      <span class="with-button">
        <input
          {...common}
          type="url"
          value={value}
          placeholder="https://…"
          autocomplete="off"
          onInput={(event) => onValue(event.currentTarget.value)}
        />
        <input
          ref={picker}
          type="file"
          hidden
          accept={accept}
          onChange={(event) => void upload(event.currentTarget.files?.[0])}
        />
        <Button isSmall onClick={() => picker.current?.click()}>
          Choose a file
        </Button>
      </span>
      {problem !== undefined && <p class="problem">{problem}</p>}
    </>
  );
}

async function base64Of(file: File): Promise<string> {
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error("Could not read the file."));
    reader.readAsDataURL(file);
  });
  return url.slice(url.indexOf(",") + 1);
}
