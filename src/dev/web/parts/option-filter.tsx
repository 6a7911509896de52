import type { useOptions } from "./use-options.ts";

interface OptionFilterProps {
  label: string;
  placeholder: string;
  query: string;
  onQuery: (query: string) => void;
  options: Pick<ReturnType<typeof useOptions>, "fieldProps" | "setActive" | "handleKey">;
}

/**
 * The field above a list of options that is always open. What is typed makes the first option the
 * active one.
 */
export function OptionFilter({
  label,
  placeholder,
  query,
  onQuery,
  options: { fieldProps, setActive, handleKey },
}: OptionFilterProps) {
  return (
    <input
      {...fieldProps}
      role="combobox"
      class="input"
      aria-label={label}
      aria-expanded="true"
      placeholder={placeholder}
      value={query}
      onInput={(event) => {
        onQuery(event.currentTarget.value);
        setActive(0);
      }}
      onKeyDown={(event) => {
        if (handleKey(event.key)) event.preventDefault();
      }}
    />
  );
}
