import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";

interface ToggleProps {
  isOn: boolean;
  /** @returns false when it stays as it is */
  onToggle: (isOn: boolean) => Promise<boolean>;
  disabled?: boolean | undefined;
  children: ComponentChildren;
}

/** A box that is ticked at once, and shows what the server says as soon as it has said so. */
export function Toggle({ isOn, onToggle, disabled, children }: ToggleProps) {
  const [wanted, setWanted] = useState<boolean | undefined>(undefined);
  useEffect(() => setWanted(undefined), [isOn]);
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={wanted ?? isOn}
        disabled={disabled}
        onChange={({ currentTarget }) => {
          setWanted(currentTarget.checked);
          void onToggle(currentTarget.checked).then((isDone) => !isDone && setWanted(undefined));
        }}
      />
      <span>{children}</span>
    </label>
  );
}
