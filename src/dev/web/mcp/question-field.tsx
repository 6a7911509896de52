import type { ElicitationField, ElicitedValue } from "../../wire/mcp.ts";
import { type ControlProps, Field } from "../parts/field.tsx";

interface QuestionFieldProps {
  field: ElicitationField;
  value: ElicitedValue | undefined;
  onValue: (value: ElicitedValue | undefined) => void;
  problem: string | undefined;
}

/** The field of one question of a server. */
export function QuestionField(props: QuestionFieldProps) {
  const { field, problem } = props;
  const { title, type, format, description, isRequired } = field;
  if (type === "choices") return <Choices {...props} />;
  return (
    <Field
      label={title}
      note={`${format ?? type}${isRequired ? "" : ", optional"}`}
      hint={description}
      problem={problem}
      required={isRequired}
    >
      {(control) => <Control {...props} control={control} />}
    </Field>
  );
}

function Control({
  field: { type, options, isRequired },
  value,
  onValue,
  control,
}: QuestionFieldProps & { control: ControlProps }) {
  const none = <option value="">{isRequired ? "choose…" : "no answer"}</option>;
  switch (type) {
    case "boolean":
      return (
        <select
          {...control}
          class="input"
          value={value === undefined ? "" : String(value)}
          onChange={({ currentTarget: { value: chosen } }) =>
            onValue(chosen === "" ? undefined : chosen === "true")
          }
        >
          {none}
          <option value="true">yes</option>
          <option value="false">no</option>
        </select>
      );
    case "choice":
      return (
        <select
          {...control}
          class="input"
          value={String(value ?? "")}
          onChange={(event) => onValue(event.currentTarget.value || undefined)}
        >
          {none}
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.title}
            </option>
          ))}
        </select>
      );
    default:
      return (
        <input
          {...control}
          class="input"
          type="text"
          inputMode={type === "text" ? "text" : "decimal"}
          autocomplete="off"
          value={String(value ?? "")}
          onInput={(event) => onValue(event.currentTarget.value)}
        />
      );
  }
}

function Choices({ field, value, onValue, problem }: QuestionFieldProps) {
  const chosen = Array.isArray(value) ? value : [];
  const toggle = (option: string, isOn: boolean): void => {
    const next = field.options
      .map((each) => each.value)
      .filter((each) => (each === option ? isOn : chosen.includes(each)));
    onValue(next.length === 0 ? undefined : next);
  };
  return (
    <fieldset class="field stack tight" aria-invalid={problem === undefined ? undefined : "true"}>
      <legend>
        {field.title}
        {!field.isRequired && <span class="type"> optional</span>}
      </legend>
      {field.options.map((option) => (
        <label key={option.value} class="check">
          <input
            type="checkbox"
            checked={chosen.includes(option.value)}
            onChange={(event) => toggle(option.value, event.currentTarget.checked)}
          />
          <span>{option.title}</span>
        </label>
      ))}
      {field.description !== undefined && <p class="hint">{field.description}</p>}
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </fieldset>
  );
}
