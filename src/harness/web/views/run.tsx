import type { ViewProps } from "../view.ts";

export function Run(_props: ViewProps) {
  return <p class="quiet">Run</p>;
}
