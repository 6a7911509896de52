import type { ComponentChildren } from "preact";

export type Tone = "good" | "bad" | "warn" | "accent" | "neutral";

/** A word or two about a state. */
export function Pill({ tone = "neutral", children }: { tone?: Tone; children: ComponentChildren }) {
  return <span class={tone === "neutral" ? "pill" : `pill ${tone}`}>{children}</span>;
}
