import { FailureNotice } from "../parts/failure-notice.tsx";
import { Empty, Pill } from "../parts/layout.tsx";
import { linkTo, type ViewProps } from "../route.ts";
import { RunPanel } from "./run-panel.tsx";

/** Runs formulas and tables. */
export function Run({ pack, parts }: ViewProps) {
  const runnables = [...pack.formulas, ...pack.tables];
  const [wanted] = parts;
  const chosen = runnables.find(({ name }) => name === wanted) ?? (wanted === undefined ? runnables[0] : undefined);
  return (
    <div class="view stack">
      <header>
        <h2>Run</h2>
      </header>
      <BrokenNotice pack={pack} />
      {runnables.length === 0 ? (
        <Empty title="Nothing to run yet">Add a formula with pack.addFormula or a table with pack.addSyncTable.</Empty>
      ) : (
        <div class="run">
          <nav class="picker" aria-label="Formulas and tables">
            <Group title="Formulas" items={pack.formulas} chosen={chosen?.name} />
            <Group title="Sync tables" items={pack.tables} chosen={chosen?.name} />
          </nav>
          {chosen === undefined ? (
            <Empty title={`${wanted} no longer exists`}>Choose another formula or table.</Empty>
          ) : (
            <RunPanel key={chosen.name} pack={pack} runnable={chosen} />
          )}
        </div>
      )}
    </div>
  );
}

function Group({
  title,
  items,
  chosen,
}: {
  title: string;
  items: readonly { name: string; isAction?: boolean }[];
  chosen: string | undefined;
}) {
  if (items.length === 0) return null;
  return (
    <div>
      <h3 class="quiet small">{title}</h3>
      <ul class="plain">
        {items.map(({ name, isAction }) => (
          <li key={name}>
            <a class="mono" href={linkTo("run", name)} aria-current={name === chosen ? "true" : undefined}>
              {name}
              {isAction === true && <Pill tone="accent">action</Pill>}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The first error of the Pack. Inputs and results stay below it. */
function BrokenNotice({ pack }: Pick<ViewProps, "pack">) {
  if (pack.status === "ready") return null;
  const errors = pack.issues.filter(({ severity }) => severity === "error");
  const [first] = errors;
  const failure = {
    code: first?.code ?? pack.failure?.code ?? "",
    message: first?.message ?? pack.failure?.message ?? "",
    hint: first?.hint,
  };
  return (
    <FailureNotice failure={failure}>
      {first?.file !== undefined && (
        <p class="hint small mono">
          {first.file}:{first.line}:{first.column}
        </p>
      )}
      <p class="hint">
        <a href={linkTo("overview")}>See {errors.length > 1 ? `all ${errors.length} errors` : "where it is"}</a>
        {pack.canRun && ". Until you fix it, the last version without errors runs."}
      </p>
    </FailureNotice>
  );
}
