import { useMemo, useRef, useState } from "preact/hooks";
import type { RowEditOutcome, RunView } from "../../wire/run.ts";
import { findFailure, get, post } from "../api.ts";
import { Button } from "../parts/button.tsx";
import { DataGrid, type GridColumn } from "../parts/data-grid.tsx";
import { countText } from "../parts/format.ts";
import { RowsToolbar } from "./rows-toolbar.tsx";
import { type PlacedRow, useRowQuery } from "./use-row-query.ts";
import type { RunControl } from "./use-run.ts";

interface RowsResultProps {
  run: RunView;
  control: RunControl;
  /** Rows can be edited. */
  isTwoWay: boolean;
}

type Values = Record<string, unknown>;

/**
 * Rows in a grid: the pages of a sync, or a list that a formula returned. Cells of a two-way table
 * can be edited.
 */
export function RowsResult({ run, control, isTwoWay }: RowsResultProps) {
  const columns = useMemo(() => listColumns(run), [run.id, run.columns]);
  const query = useRowQuery(run, columns);
  const { source } = query;
  const edits = useEdits(run, control, query.reload);
  const readPlacedRow = (row: number) => source.row(row) as PlacedRow | undefined;
  const onEdit = (row: number, { key }: GridColumn, value: unknown): void => {
    const before = readPlacedRow(row);
    if (typeof before?.value !== "object" || before.value === null) return;
    edits.set(before.index, key, value);
  };
  // Rows may be loaded again while an edit waits.
  const shown = {
    ...source,
    row(index: number): unknown {
      const row = readPlacedRow(index);
      const edited = row === undefined ? undefined : edits.pending.get(row.index);
      return edited === undefined || typeof row?.value !== "object" || row.value === null
        ? row?.value
        : { ...row.value, ...edited };
    },
  };
  const onWritten = (outcome: RowEditOutcome): void => {
    if (query.isQuery) query.reload();
    else if (outcome.ok) source.replace(outcome.row, { index: outcome.row, value: outcome.value });
  };
  return (
    <div class="stack tight">
      <Progress run={run} control={control} />
      {run.rowCount > 0 && <RowsToolbar name={run.target} columns={columns} query={query} />}
      {run.rowCount === 0 ? (
        <p class="quiet">The table has no rows.</p>
      ) : (
        <DataGrid
          label={`Rows of ${run.target}`}
          columns={query.columns}
          rowCount={query.count}
          source={shown}
          {...(isTwoWay ? { onEdit } : {})}
          stateOf={(row, { key }) => edits.findState(readPlacedRow(row)?.index ?? -1, key)}
          sort={query.sort}
          onSort={query.sortBy}
        />
      )}
      {isTwoWay && <EditBar edits={edits} onWritten={onWritten} />}
      {run.deletedRowIds.length > 0 && (
        <p class="small wrap">Deleted: {run.deletedRowIds.join(", ")}</p>
      )}
    </div>
  );
}

/** The columns of the rows of a run, with the options of their value hints. */
export function listColumns({ columns, schema }: RunView): GridColumn[] {
  const properties = schema?.properties ?? schema?.items?.properties;
  return columns.map((column) => ({
    ...column,
    hint: column.hint,
    options: properties?.[column.key]?.options,
  }));
}

function Progress({ run, control }: { run: RunView; control: RunControl }) {
  const { state, rowCount, pages, continuation } = run;
  const [isStopping, setIsStopping] = useState(false);
  const count = `${new Intl.NumberFormat().format(rowCount)} row${rowCount === 1 ? "" : "s"}`;
  const isRunning = control.state.isBusy && pages > 0;
  const stop = () => {
    if (isStopping) control.cancel();
    else control.pause();
    setIsStopping(!isStopping);
  };
  return (
    <div class="row">
      <span role="status">
        {count}
        {pages > 0 && ` in ${countText(pages, "page")}`}
        {state === "ended" && pages > 0 && ", complete"}
      </span>
      {(state === "paused" || isRunning) && (
        <>
          <Button isSmall disabled={isRunning} onClick={() => control.next(false)}>
            Next page
          </Button>
          <Button
            isSmall
            disabled={isRunning}
            onClick={() => {
              setIsStopping(false);
              control.next(true);
            }}
          >
            Run to the end
          </Button>
          {isRunning && (
            <Button isSmall onClick={stop}>
              {isStopping ? "Stop now" : "Stop"}
            </Button>
          )}
        </>
      )}
      {isRunning && <span class="spinner" aria-hidden="true" />}
      {continuation !== undefined && (
        <span class="quiet small mono end continuation" title="Continuation of the next page">
          {continuation}
        </span>
      )}
    </div>
  );
}

interface Edits {
  /** Edited rows that are not saved yet. */
  readonly pending: ReadonlyMap<number, Values>;
  readonly problems: ReadonlyMap<number, string>;
  readonly isWriting: boolean;
  readonly note: string;
  set(row: number, key: string, value: unknown): void;
  findState(row: number, key: string): "changed" | "failed" | undefined;
  write(onOutcome: (outcome: RowEditOutcome) => void): void;
  discard(): void;
}

function useEdits(run: RunView, control: RunControl, onDiscard: () => void): Edits {
  const [pending, setPending] = useState<ReadonlyMap<number, Values>>(new Map());
  const [problems, setProblems] = useState<ReadonlyMap<number, string>>(new Map());
  const [isWriting, setIsWriting] = useState(false);
  const [note, setNote] = useState("");
  const [ownRun, setOwnRun] = useState(run.id);
  const current = useRef(run.id);
  current.current = run.id;
  // Drop the edits of an earlier run.
  if (ownRun !== run.id) {
    setOwnRun(run.id);
    setPending(new Map());
    setProblems(new Map());
    setNote("");
  }
  const write = async (onOutcome: (outcome: RowEditOutcome) => void): Promise<void> => {
    setIsWriting(true);
    setNote("");
    try {
      const sent = [...pending].map(([row, values]) => ({ row, values }));
      const isWritten = (row: number, key: string, value: unknown) =>
        sent.some((edit) => edit.row === row && key in edit.values && edit.values[key] === value);
      const outcomes = await post<RowEditOutcome[]>(`/api/runs/${run.id}/edit`, { edits: sent });
      const written = outcomes.filter(({ ok }) => ok);
      // Another run has started, with rows of its own.
      if (current.current !== run.id) return;
      for (const outcome of outcomes) onOutcome(outcome);
      // What was edited in the meantime is not written yet.
      setPending(
        (before) =>
          new Map(
            [...before].flatMap(([row, values]): [number, Values][] => {
              if (!written.some((outcome) => outcome.row === row)) return [[row, values]];
              const left = Object.entries(values).filter(
                ([key, value]) => !isWritten(row, key, value),
              );
              return left.length === 0 ? [] : [[row, Object.fromEntries(left)]];
            }),
          ),
      );
      setProblems(
        new Map(
          outcomes.flatMap((outcome) =>
            outcome.ok ? [] : [[outcome.row, outcome.message] as const],
          ),
        ),
      );
      setNote(`${written.length} of ${countText(outcomes.length, "row")} written.`);
      control.note({ type: "edited", run: await get<RunView>(`/api/runs/${run.id}`) });
    } catch (error) {
      setNote(findFailure(error).message);
    } finally {
      setIsWriting(false);
    }
  };
  return {
    pending,
    problems,
    isWriting,
    note,
    set: (row, key, value) =>
      setPending((before) => new Map(before).set(row, { ...before.get(row), [key]: value })),
    findState: (row, key) =>
      pending.get(row) === undefined || !(key in (pending.get(row) ?? {}))
        ? undefined
        : problems.has(row)
          ? "failed"
          : "changed",
    write: (onOutcome) => void write(onOutcome),
    discard() {
      setPending(new Map());
      setProblems(new Map());
      setNote("");
      onDiscard();
    },
  };
}

function EditBar({
  edits,
  onWritten,
}: {
  edits: Edits;
  onWritten: (outcome: RowEditOutcome) => void;
}) {
  const { pending, problems, isWriting, note } = edits;
  return (
    <div class="stack tight">
      <div class="row">
        {pending.size === 0 ? (
          <span class="quiet small">To edit a cell, select it and press Enter.</span>
        ) : (
          <>
            <span>{countText(pending.size, "row")} edited</span>
            <Button
              isSmall
              kind="primary"
              isBusy={isWriting}
              onClick={() => edits.write(onWritten)}
            >
              Write changes
            </Button>
            <Button isSmall disabled={isWriting} onClick={edits.discard}>
              Discard
            </Button>
          </>
        )}
        <span class="small" role="status">
          {note}
        </span>
      </div>
      {problems.size > 0 && (
        <ul class="plain" role="alert">
          {[...problems].map(([row, message]) => (
            <li key={row} class="problem">
              Row {row + 1}: {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
