import type { FormulaView, PackView, TableView } from "../../wire/pack.ts";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { Empty } from "../parts/layout.tsx";
import { Picker, type PickerEntry } from "../parts/picker.tsx";
import { Split } from "../parts/split.tsx";
import { linkTo, type ViewProps } from "../route.ts";
import { RunPanel } from "./run-panel.tsx";

/** Runs formulas and tables. */
export function Run({ pack, parts }: ViewProps) {
  const runnables = [...pack.formulas, ...pack.tables];
  const [wanted] = parts;
  const chosen =
    runnables.find(({ name }) => name === wanted) ??
    (wanted === undefined ? runnables[0] : undefined);
  return (
    <div class="view stack">
      <header>
        <h2>Run</h2>
      </header>
      {runnables.length === 0 ? (
        <>
          <BrokenNotice pack={pack} />
          <Empty title="Nothing to run yet">
            Add a formula with pack.addFormula or a table with pack.addSyncTable.
          </Empty>
        </>
      ) : (
        <Split
          name="run-list"
          label="Width of the list"
          limits={LIST_WIDTHS}
          first={
            <Picker
              label="Formulas and tables"
              placeholder="Choose a formula or table"
              view="run"
              groups={[
                { title: "Formulas", entries: pack.formulas.map(formulaEntry) },
                { title: "Sync tables", entries: pack.tables.map(tableEntry) },
              ]}
              chosen={chosen?.name}
            />
          }
          second={
            <div class="stack chosen">
              <BrokenNotice pack={pack} />
              {pack.inspect !== undefined && <DebuggerNotice {...pack.inspect} />}
              {chosen === undefined ? (
                <Empty title={`There is no formula or table named ${wanted}`}>
                  Choose a formula or table from the list.
                </Empty>
              ) : (
                <RunPanel key={chosen.name} pack={pack} runnable={chosen} />
              )}
            </div>
          }
        />
      )}
    </div>
  );
}

function formulaEntry({ name, description, isAction }: FormulaView): PickerEntry {
  return {
    title: name,
    texts: [description],
    ...(isAction ? { kind: "action", tone: "accent" } : { kind: "formula" }),
  };
}

function tableEntry({ name, description }: TableView): PickerEntry {
  return { title: name, texts: [description], kind: "table" };
}

const LIST_WIDTHS = { initial: 272, least: 160, most: 560 };

function DebuggerNotice({ port, warning }: NonNullable<PackView["inspect"]>) {
  return (
    <p class="notice warn small">
      Each run waits for a debugger
      {port === undefined ? "; the terminal shows its address" : ` on 127.0.0.1:${port}`}.{" "}
      {warning.charAt(0).toUpperCase() + warning.slice(1)}. Debug only code that you trust. A new
      run ends the previous run.
    </p>
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
        <a href={linkTo("overview")}>
          See {errors.length > 1 ? `all ${errors.length} errors` : "where it is"}
        </a>
        {pack.canRun && ". Until you fix it, the last version without errors runs."}
      </p>
    </FailureNotice>
  );
}
