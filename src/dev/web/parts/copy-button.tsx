import { useEffect, useState } from "preact/hooks";
import { Button } from "./button.tsx";

const SHOWN_MS = 1_500;

/** Copies a text that is made when it is asked for. */
export function CopyButton({ text, children, isSmall = true }: { text: () => string; children: string; isSmall?: boolean }) {
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
