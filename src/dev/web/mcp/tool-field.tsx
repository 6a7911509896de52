import { isSecretParameter } from "../../../shared/secret-parameter.ts";
import type { ToolFieldView } from "../../wire/mcp.ts";
import { Field } from "../parts/field.tsx";
import { TextInput } from "../run/parameter-field.tsx";

interface ToolFieldProps {
  field: ToolFieldView;
  value: string;
  onValue: (text: string) => void;
  problem: string | undefined;
}

/** The field of one argument, depending on its schema. An empty field leaves the argument out. */
export function ToolField({ field, value, onValue, problem }: ToolFieldProps) {
  const { name, description, kind, type, isRequired, options, fallback } = field;
  const hint = [description, fallback === undefined ? "" : `Default: ${fallback}`]
    .filter((text) => text !== "")
    .join(" · ");
  return (
    <Field
      label={name}
      note={`${type}${isRequired ? "" : ", optional"}`}
      hint={hint}
      problem={problem}
      required={isRequired}
    >
      {(control) => {
        const onInput = (event: { currentTarget: { value: string } }): void =>
          onValue(event.currentTarget.value);
        const common = { ...control, class: "input", value, onInput };
        if (kind === "choice") {
          return (
            <select {...common}>
              <option value="">{isRequired ? "choose…" : "not set"}</option>
              {options.map((option) => (
                <option key={option} value={option}>
                  {option.startsWith('"') ? JSON.parse(option) : option}
                </option>
              ))}
            </select>
          );
        }
        if (kind === "number")
          return <input {...common} type="text" inputMode="decimal" autocomplete="off" />;
        if (kind === "json")
          return (
            <textarea
              {...common}
              class="input mono"
              rows={1}
              spellcheck={false}
              placeholder={writeExample(type)}
            />
          );
        if (isSecretParameter(name))
          return <input {...common} type="password" autocomplete="new-password" />;
        return <TextInput common={common} value={value} onValue={onValue} rows={1} />;
      }}
    </Field>
  );
}

function writeExample(type: string): string {
  return type.endsWith(" list") ? "[ … ]" : type === "object" ? "{ … }" : "JSON";
}
