import type { ComponentType } from "preact";
import type { PackView } from "../../wire/pack.ts";
import { Accounts } from "../accounts/accounts.tsx";
import { Overview } from "../overview/overview.tsx";
import type { ViewProps } from "../route.ts";
import { Run } from "../run/run.tsx";
import { Timeline } from "../timeline/timeline.tsx";
import type { IconName } from "./icons.tsx";
import { loadLater } from "./load-later.tsx";

interface View {
  id: IconName;
  title: string;
  Component: ComponentType<ViewProps>;
  /** How many parts may follow it in the address: `#/run/ListTasks` has one. */
  maxParts: number;
  /** Whether the navigation has it. @default it does, for every Pack */
  isFor?: (pack: PackView) => boolean;
}

/** The views that most visits do without. */
const Mcp = loadLater(async () => (await import("../mcp/mcp.tsx")).Mcp);
const History = loadLater(async () => (await import("../history/history.tsx")).History);
const Service = loadLater(async () => (await import("../service/service.tsx")).Service);
const Bundle = loadLater(async () => (await import("../bundle/bundle.tsx")).Bundle);
const Publish = loadLater(async () => (await import("../publish/publish.tsx")).Publish);

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
  { id: "history", title: "History", Component: History, maxParts: 2 },
  { id: "service", title: "Service", Component: Service, maxParts: 2 },
  { id: "bundle", title: "Bundle", Component: Bundle, maxParts: 0 },
  { id: "publish", title: "Publish", Component: Publish, maxParts: 0 },
];

/** The views to offer for a Pack. */
export function viewsFor(pack: PackView | undefined): readonly View[] {
  return VIEWS.filter(({ isFor }) => isFor === undefined || (pack !== undefined && isFor(pack)));
}
