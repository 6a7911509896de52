import { useEffect, useState } from "preact/hooks";
import type {
  RunningServiceView,
  ServiceCell,
  ServiceColumnView,
  ServiceTableView,
} from "../../wire/service.ts";
import { post } from "../api.ts";
import { Button } from "../parts/button.tsx";
import { DataGrid, type GridColumn } from "../parts/data-grid.tsx";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { useAction } from "../use-server.ts";
import { useDocuments } from "./use-service.ts";
import { useTableRows } from "./use-table-rows.ts";

interface TablePanelProps {
  docId: string;
  tableId: string;
  running: RunningServiceView;
  /** When `running` was asked. */
  askedAtMs: number;
}

export function TablePanel({ docId, tableId, running, askedAtMs }: TablePanelProps) {
  const path = `/api/service/docs/${encodeURIComponent(docId)}/tables/${encodeURIComponent(tableId)}`;
  const { value: table, failure } = useDocuments<ServiceTableView>(path, running.fingerprint);
  if (failure !== undefined) return <FailureNotice failure={failure} />;
  if (table === undefined) return <p class="quiet">Loading the table…</p>;
  return <TableRows key={path} path={path} table={table} running={running} askedAtMs={askedAtMs} />;
}

/** A cell that was edited on this page, until the service has applied the edit. */
interface EditedCell {
  value: ServiceCell;
  /** Undefined while the edit is being sent. */
  accepted: { requestId: string; atMs: number } | undefined;
  isRefused: boolean;
}

const ACTIONS = "$actions";
const NUMBERS: ReadonlySet<string> = new Set(["number", "currency", "percent", "slider", "scale"]);

interface TableRowsProps {
  path: string;
  table: ServiceTableView;
  running: RunningServiceView;
  askedAtMs: number;
}

function TableRows({ path, table, running, askedAtMs }: TableRowsProps) {
  const rows = useTableRows(path, table, running.fingerprint);
  const [edited, setEdited] = useState<ReadonlyMap<string, EditedCell>>(new Map());
  const action = useAction();
  const isView = table.tableType === "view";
  const formatKey = (row: number, column: string) => `${rows.row(row)?.id} ${column}`;

  // Applied edits are read from the service again. What was asked before an edit was accepted does
  // not know the edit.
  useEffect(() => {
    const waiting = new Set(running.pending.map(({ requestId }) => requestId));
    setEdited((cells) => {
      const left = [...cells].filter(
        ([, { accepted, isRefused }]) =>
          !isRefused &&
          (accepted === undefined ||
            askedAtMs <= accepted.atMs ||
            waiting.has(accepted.requestId) ||
            rows.version !== running.fingerprint),
      );
      return left.length === cells.size ? cells : new Map(left);
    });
  }, [rows.version, running, askedAtMs]);

  const setCell = (key: string, cell: EditedCell | undefined): void =>
    setEdited((cells) => {
      const next = new Map(cells);
      if (cell === undefined) next.delete(key);
      else next.set(key, cell);
      return next;
    });
  const edit = (index: number, { key: column }: GridColumn, given: unknown): void => {
    const row = rows.row(index);
    if (row === undefined) return;
    const key = formatKey(index, column);
    const sent = given === null ? "" : (given as ServiceCell | string[]);
    const value = Array.isArray(sent) ? sent.join(",") : sent;
    setCell(key, { value, accepted: undefined, isRefused: false });
    action.run(() =>
      post<{ requestId: string }>(`${path}/rows/edit`, { row: row.id, column, value: sent }).then(
        ({ requestId }) =>
          setCell(key, { value, accepted: { requestId, atMs: Date.now() }, isRefused: false }),
        (error: unknown) => {
          setCell(key, { value, accepted: undefined, isRefused: true });
          throw error;
        },
      ),
    );
  };
  const push = (index: number, column: string): void => {
    const row = rows.row(index);
    if (row !== undefined) action.run(() => post(`${path}/rows/push`, { row: row.id, column }));
  };
  const remove = (index: number): void => {
    const row = rows.row(index);
    if (row !== undefined) action.run(() => post(`${path}/rows/delete`, { rows: [row.id] }));
  };
  const columns: GridColumn[] = [
    ...table.columns.map((column) => gridColumn(column, (row) => push(row, column.id))),
    { key: ACTIONS, label: "Delete", type: "boolean", width: 76, onActivate: remove },
  ];
  const shown = {
    ...rows,
    row: (index: number) => {
      const row = rows.row(index);
      if (row === undefined) return undefined;
      const changes = table.columns.flatMap(({ id }) => {
        const cell = edited.get(formatKey(index, id));
        return cell === undefined ? [] : [[id, cell.value] as const];
      });
      return changes.length === 0 ? row.cells : { ...row.cells, ...Object.fromEntries(changes) };
    },
  };
  const findState = (row: number, { key }: GridColumn) => {
    const cell = edited.get(formatKey(row, key));
    return cell === undefined ? undefined : cell.isRefused ? "failed" : "changed";
  };
  return (
    <div class="stack tight service-table">
      <div class="row">
        <h3>{table.name}</h3>
        <span class="quiet small">
          {rows.count.toLocaleString()} {rows.count === 1 ? "row" : "rows"}
          {isView ? ", a view" : ""}
        </span>
        <span class="end" />
        {!isView && (
          <Button isSmall onClick={() => action.run(() => post(`${path}/rows/add`))}>
            Add row
          </Button>
        )}
      </div>
      <FailureNotice failure={action.failure ?? rows.failure} />
      <DataGrid
        label={table.name}
        columns={columns}
        rowCount={rows.count}
        source={shown}
        idOf={(row) => rows.row(row)?.id}
        onEdit={edit}
        stateOf={findState}
        renderCell={renderCell}
        height={420}
      />
    </div>
  );
}

function gridColumn(
  { id, name, type, isArray, isDisplay, isEditable, options, label }: ServiceColumnView,
  onPush: (row: number) => void,
): GridColumn {
  if (type === "button")
    return {
      key: id,
      label: name,
      type: "boolean",
      hint: `button:${label ?? name}`,
      width: 110,
      onActivate: onPush,
    };
  return {
    key: id,
    label: name,
    type: type === "checkbox" ? "boolean" : NUMBERS.has(type) ? "number" : "string",
    hint: type === "checkbox" ? "checkbox" : undefined,
    isMutable: isEditable,
    choices: options,
    isList: isArray,
    ...(type === "currency" ? { options: { precision: 2 } } : {}),
    ...(type === "date" ? { width: 120 } : isDisplay ? { width: 230 } : {}),
  };
}

function renderCell(value: unknown, { key, hint }: GridColumn) {
  if (key === ACTIONS) {
    return (
      <span class="cell-button bad" title="Delete this row">
        <span aria-hidden="true">✕</span>
        <span class="visually-hidden">Delete this row</span>
      </span>
    );
  }
  if (hint?.startsWith("button:") === true)
    return <span class="cell-button">{hint.slice("button:".length)}</span>;
  if (hint !== "checkbox" || typeof value !== "boolean") return undefined;
  return (
    <span class={value ? "tick on" : "tick"}>
      <span aria-hidden="true">{value ? "✓" : ""}</span>
      <span class="visually-hidden">{value ? "yes" : "no"}</span>
    </span>
  );
}
