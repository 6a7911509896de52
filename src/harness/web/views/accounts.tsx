import type { ViewProps } from "../view.ts";

export function Accounts(_props: ViewProps) {
  return <p class="quiet">Accounts</p>;
}
