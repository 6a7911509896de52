import type { ViewProps } from "../view.ts";

export function Timeline(_props: ViewProps) {
  return <p class="quiet">Timeline</p>;
}
