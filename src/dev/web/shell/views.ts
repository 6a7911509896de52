import type { ComponentType } from "preact";
import type { PackView } from "../../wire/pack.ts";
import { Accounts } from "../accounts/accounts.tsx";
import { Bundle } from "../bundle/bundle.tsx";
import { Mcp } from "../mcp/mcp.tsx";
import { Overview } from "../overview/overview.tsx";
import { Publish } from "../publish/publish.tsx";
import type { ViewProps } from "../route.ts";
import { Run } from "../run/run.tsx";
import { Service } from "../service/service.tsx";
import { Timeline } from "../timeline/timeline.tsx";
import type { IconName } from "./icons.tsx";

interface View {
  id: IconName;
  title: string;
  Component: ComponentType<ViewProps>;
  /** How many parts may follow it in the address: `#/run/ListTasks` has one. */
  maxParts: number;
  /** Whether the navigation has it. @default it does, for every Pack */
  isFor?: (pack: PackView) => boolean;
}

/** In the order of the navigation. */
export const VIEWS: readonly View[] = [
  { id: "overview", title: "Overview", Component: Overview, maxParts: 0 },
  { id: "accounts", title: "Accounts", Component: Accounts, maxParts: 0 },
  { id: "run", title: "Run", Component: Run, maxParts: 1 },
  {
    id: "mcp",
    title: "MCP",
    Component: Mcp,
    maxParts: 1,
    isFor: ({ mcpServer }) => mcpServer !== undefined,
  },
  { id: "timeline", title: "Timeline", Component: Timeline, maxParts: 1 },
  { id: "service", title: "Service", Component: Service, maxParts: 2 },
  { id: "bundle", title: "Bundle", Component: Bundle, maxParts: 0 },
  { id: "publish", title: "Publish", Component: Publish, maxParts: 0 },
];

/** The views to offer for a Pack. */
export function viewsFor(pack: PackView | undefined): readonly View[] {
  return VIEWS.filter(({ isFor }) => isFor === undefined || (pack !== undefined && isFor(pack)));
}
