import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";

interface ButtonProps {
  children: ComponentChildren;
  onClick?: (() => void) | undefined;
  kind?: "normal" | "primary" | "danger" | "plain" | undefined;
  isSmall?: boolean | undefined;
  disabled?: boolean | undefined;
  /** Work is running: the button is disabled and shows a spinner. */
  isBusy?: boolean | undefined;
  type?: "button" | "submit" | undefined;
  /** What screen readers say instead of the text. */
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
  const classes = [
    "button",
    ...(kind === "normal" ? [] : [kind]),
    ...(isSmall === true ? ["small"] : []),
  ];
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

const SHOWN_MS = 1_500;

/** Copies a text, which is made on the click. */
export function CopyButton({
  text,
  children,
  isSmall = true,
}: {
  text: () => string;
  children: string;
  isSmall?: boolean;
}) {
  const [state, setState] = useState<"idle" | "copied" | "failed">("idle");
  useEffect(() => {
    if (state === "idle") return;
    const timer = setTimeout(() => setState("idle"), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = () =>
    void navigator.clipboard.writeText(text()).then(
      () => setState("copied"),
      () => setState("failed"),
    );
  return (
    <>
      <Button isSmall={isSmall} onClick={copy}>
        {state === "copied" ? "Copied" : state === "failed" ? "Could not copy" : children}
      </Button>
      <span class="visually-hidden" role="status">
        {state === "copied" ? "Copied to the clipboard" : ""}
      </span>
    </>
  );
}
