import type { ViewProps } from "../view.ts";

export function Bundle(_props: ViewProps) {
  return <p class="quiet">Bundle</p>;
}
