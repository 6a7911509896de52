import {
  Activity,
  Boxes,
  CirclePlay,
  History,
  type IconNode,
  KeyRound,
  LayoutDashboard,
  Plug,
  Send,
  Server,
} from "lucide";
import { h } from "preact";

/** The icon of each view. */
const ICONS = {
  overview: LayoutDashboard,
  accounts: KeyRound,
  run: CirclePlay,
  mcp: Plug,
  timeline: Activity,
  history: History,
  service: Server,
  bundle: Boxes,
  publish: Send,
} as const;

export type IconName = keyof typeof ICONS;

/** An icon next to a text that says the same. Screen readers skip it. */
export function Icon({ name }: { name: IconName }) {
  const node: IconNode = ICONS[name];
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      {node.map(([tag, attributes], index) => h(tag, { key: index, ...attributes }))}
    </svg>
  );
}
