import type { Token } from "./highlight.ts";

/** Source text in colours. */
export function Tokens({ tokens }: { tokens: readonly Token[] }) {
  return (
    <>
      {tokens.map(({ kind, text }, index) =>
        kind === "plain" ? (
          text
        ) : (
          <span key={index} class={`token-${kind}`}>
            {text}
          </span>
        ),
      )}
    </>
  );
}
