import type { ComponentChildren } from "preact";

interface ButtonProps {
  children: ComponentChildren;
  onClick?: (() => void) | undefined;
  kind?: "normal" | "primary" | "danger" | "plain" | undefined;
  isSmall?: boolean | undefined;
  disabled?: boolean | undefined;
  /** It works: the button waits, and says so. */
  isBusy?: boolean | undefined;
  type?: "button" | "submit" | undefined;
  /** Said instead of the text by screen readers. */
  label?: string | undefined;
  isPressed?: boolean | undefined;
  title?: string | undefined;
}

export function Button({
  children,
  onClick,
  kind = "normal",
  isSmall,
  disabled,
  isBusy,
  type = "button",
  label,
  isPressed,
  title,
}: ButtonProps) {
  const classes = ["button", ...(kind === "normal" ? [] : [kind]), ...(isSmall === true ? ["small"] : [])];
  return (
    <button
      type={type}
      class={classes.join(" ")}
      disabled={disabled === true || isBusy === true}
      aria-busy={isBusy === true ? "true" : undefined}
      aria-label={label}
      aria-pressed={isPressed}
      title={title}
      onClick={onClick}
    >
      {isBusy === true && <span class="spinner" aria-hidden="true" />}
      {children}
    </button>
  );
}
