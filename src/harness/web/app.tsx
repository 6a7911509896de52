import type { ComponentType } from "preact";
import { linkTo, usePlace } from "./route.ts";
import { usePack } from "./use-pack.ts";
import type { ViewProps } from "./view.ts";
import { Accounts } from "./views/accounts.tsx";
import { Bundle } from "./views/bundle.tsx";
import { Overview } from "./views/overview.tsx";
import { Run } from "./views/run.tsx";
import { Service } from "./views/service.tsx";
import { Timeline } from "./views/timeline.tsx";

interface View {
  id: string;
  title: string;
  Component: ComponentType<ViewProps>;
}

const VIEWS: readonly View[] = [
  { id: "overview", title: "Overview", Component: Overview },
  { id: "accounts", title: "Accounts", Component: Accounts },
  { id: "run", title: "Run", Component: Run },
  { id: "timeline", title: "Timeline", Component: Timeline },
  { id: "service", title: "Service", Component: Service },
  { id: "bundle", title: "Bundle", Component: Bundle },
];

export function App() {
  const { view, parts } = usePlace();
  const { pack, failure } = usePack();
  const shown = VIEWS.find(({ id }) => id === view) ?? VIEWS[0];
  return (
    <>
      <header class="bar">
        <h1>{pack?.name ?? "packsmith"}</h1>
        <nav aria-label="Views">
          {VIEWS.map(({ id, title }) => (
            <a key={id} href={linkTo(id)} aria-current={id === shown?.id ? "page" : undefined}>
              {title}
            </a>
          ))}
        </nav>
      </header>
      <main>
        {failure !== undefined && <p role="alert">{failure.message}</p>}
        {pack !== undefined && shown !== undefined && <shown.Component pack={pack} parts={parts} />}
      </main>
    </>
  );
}
