import type { ViewProps } from "../view.ts";

export function Service(_props: ViewProps) {
  return <p class="quiet">Service</p>;
}
