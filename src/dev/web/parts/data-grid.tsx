import type { ComponentChildren, RefObject, VNode } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { CellEditor } from "./cell-editor.tsx";
import { ChoiceEditor } from "./choice-editor.tsx";
import { formatValue, type ValueFormat } from "./format.ts";
import type { RowSource } from "./use-rows.ts";

export interface GridColumn {
  /** The member of a row that the column shows; empty for the row itself. */
  key: string;
  label: string;
  type: string;
  hint?: string | undefined;
  isMutable?: boolean | undefined;
  options?: ValueFormat["options"] | undefined;
  /** A cell is edited by choosing one of these. @default any text can be typed */
  choices?: readonly string[] | undefined;
  /** Several of the choices can be chosen. */
  isList?: boolean | undefined;
  /** In pixels. @default depends on the label and the first rows */
  width?: number | undefined;
  /** Called by a click, Enter or the space bar, instead of editing. */
  onActivate?: ((row: number) => void) | undefined;
}

interface DataGridProps {
  /** Name of the grid for screen readers. */
  label: string;
  columns: readonly GridColumn[];
  rowCount: number;
  source: RowSource;
  /**
   * What stays the same when a row moves. Undefined while it is being fetched. @default rows do not
   * move
   */
  idOf?: ((row: number) => string | undefined) | undefined;
  /**
   * Called with an edited value. Only columns with `isMutable` can be edited. @default nothing can
   * be edited
   */
  onEdit?: ((row: number, column: GridColumn, value: unknown) => void) | undefined;
  /** How to mark a cell that was edited. */
  stateOf?: ((row: number, column: GridColumn) => "changed" | "failed" | undefined) | undefined;
  /** Shows a value in its own way; `undefined` shows it as text. */
  renderCell?: ((value: unknown, column: GridColumn) => ComponentChildren | undefined) | undefined;
  /** The column that the rows are sorted by. */
  sort?: GridSort | undefined;
  /** Called with the column that the user wants to sort by. @default the order cannot be changed */
  onSort?: ((key: string) => void) | undefined;
  /** @default 480 */
  height?: number | undefined;
}

export interface GridSort {
  key: string;
  isDescending: boolean;
}

/** Index of the row of heads. */
const HEAD_ROW = -1;
const ROW_HEIGHT = 32;
const HEAD_HEIGHT = 36;
/** How many rows are drawn above and below the visible ones. */
const OVERSCAN = 8;
/** Columns become narrower up to this, before they are scrolled. */
const LEAST_SCALE = 0.65;
/** Browsers limit the height of an element; this is below every limit. */
const MAX_HEIGHT = 15_000_000;
const MAX_TEXT = 300;
/** Columns are as wide as the texts of so many first rows need. */
const MEASURED_ROWS = 30;
const LETTER_WIDTH = 7.6;
const MAX_TEXT_WIDTH = 320;
const LEAST_WIDTH = 64;
const MAX_CACHED_LINES = 500;

interface Spot {
  row: number;
  column: number;
  /** Of the row. */
  id?: string | undefined;
}

/** A grid that draws only the visible rows: a hundred thousand rows scroll like a hundred. */
export function DataGrid(props: DataGridProps) {
  const { label, columns, rowCount, source, idOf, onEdit, onSort, height = 480 } = props;
  /** The head is a row that can be reached if it does something. */
  const topRow = onSort === undefined ? 0 : HEAD_ROW;
  const box = useRef<HTMLDivElement>(null);
  const [first, setFirst] = useState(0);
  const { shownRows, inSight, from, to } = findWindow(first, rowCount, height);
  const columnSizes = useColumnSizes(box, props);

  const { active, editing, activate, edit } = useSpots({
    idOf,
    from,
    to,
    topRow,
    lastRow: shownRows - 1,
    lastColumn: columns.length - 1,
  });

  useEffect(() => source.show(from, to - from), [source, from, to, rowCount]);
  useScrollToActive(box, active);

  const onScroll = (): void => {
    const next = Math.floor((box.current?.scrollTop ?? 0) / ROW_HEIGHT);
    if (next !== first) setFirst(next);
  };
  const move = (row: number, column: number): void => {
    const spot = {
      row: Math.max(topRow, Math.min(shownRows - 1, row)),
      column: clamp(column, columns.length - 1),
    };
    const top = spot.row * ROW_HEIGHT;
    const element = box.current;
    // A row that is not drawn yet has no element to scroll to.
    if (
      element !== null &&
      spot.row !== HEAD_ROW &&
      (top < element.scrollTop || top > element.scrollTop + height - HEAD_HEIGHT - 2 * ROW_HEIGHT)
    ) {
      element.scrollTop =
        top < element.scrollTop ? top : top - height + HEAD_HEIGHT + 2 * ROW_HEIGHT;
    }
    activate(spot);
  };
  const canEdit = (column: GridColumn | undefined): boolean =>
    onEdit !== undefined && column?.isMutable === true;
  const toggleOrEdit = (spot: Spot): void => {
    const column = columns[spot.column];
    if (column !== undefined && spot.row === HEAD_ROW) onSort?.(column.key);
    if (column === undefined || source.row(spot.row) === undefined) return;
    if (column.onActivate !== undefined) column.onActivate(spot.row);
    else if (!canEdit(column)) return;
    else if (column.type === "boolean")
      onEdit?.(spot.row, column, readCell(source.row(spot.row), column) !== true);
    else edit(spot);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (editing !== undefined || event.target !== box.current) return;
    const { row, column } = active;
    if (event.key === "c" && (event.ctrlKey || event.metaKey)) {
      const field = columns[column];
      const value = field === undefined ? undefined : readCell(source.row(row), field);
      if (field !== undefined) void navigator.clipboard.writeText(formatCell(value, field));
      return;
    }
    const page = Math.max(1, inSight - 2);
    const moves: Record<string, () => void> = {
      ArrowDown: () => move(row + 1, column),
      ArrowUp: () => move(row - 1, column),
      ArrowRight: () => move(row, column + 1),
      ArrowLeft: () => move(row, column - 1),
      PageDown: () => move(row + page, column),
      PageUp: () => move(row - page, column),
      Home: () => move(event.ctrlKey || event.metaKey ? 0 : row, 0),
      End: () => move(event.ctrlKey || event.metaKey ? shownRows - 1 : row, columns.length - 1),
      Enter: () => toggleOrEdit(active),
      F2: () => toggleOrEdit(active),
      " ": () => toggleOrEdit(active),
    };
    const action = moves[event.key];
    if (action === undefined) return;
    event.preventDefault();
    action();
  };
  const endEdit = (): void => {
    edit(undefined);
    box.current?.focus();
  };

  const pick = (row: number, column: number): void => {
    if (editing?.row === row && editing.column === column) return;
    box.current?.focus();
    if (
      (active.row === row && active.column === column) ||
      columns[column]?.onActivate !== undefined
    )
      toggleOrEdit({ row, column });
    activate({ row, column });
  };
  const actions = useRef({ pick, endEdit, canEdit });
  actions.current = { pick, endEdit, canEdit };
  const lineOf = useLineCache(props, actions);
  const lines = Array.from({ length: Math.max(0, to - from) }, (_, index) => {
    const row = from + index;
    return lineOf(
      row,
      active.row === row ? active.column : -1,
      editing?.row === row ? editing.column : -1,
    );
  });
  const bodyHeight = shownRows * ROW_HEIGHT;
  return (
    <div
      class="grid"
      role="grid"
      tabIndex={0}
      ref={box}
      aria-label={label}
      aria-rowcount={rowCount + 1}
      aria-colcount={columns.length + 1}
      aria-readonly={onEdit === undefined ? "true" : undefined}
      aria-activedescendant={
        rowCount === 0 && active.row !== HEAD_ROW
          ? undefined
          : cellId(label, active.row, active.column)
      }
      style={{ maxHeight: `${height}px`, ...columnSizes }}
      onScroll={onScroll}
      onKeyDown={onKeyDown}
    >
      <GridHead {...props} active={active} canEdit={canEdit} />
      <div class="body" role="rowgroup" style={{ height: `${bodyHeight}px` }}>
        <div
          class="window"
          role="presentation"
          style={{ transform: `translateY(${from * ROW_HEIGHT}px)` }}
        >
          {lines}
        </div>
      </div>
    </div>
  );
}

/** The rows that are drawn: the visible ones, and a few above and below them. */
function findWindow(first: number, rowCount: number, height: number) {
  const shownRows = Math.min(rowCount, Math.floor(MAX_HEIGHT / ROW_HEIGHT));
  const inSight = Math.ceil(height / ROW_HEIGHT);
  const from = Math.max(0, Math.min(first - OVERSCAN, shownRows - inSight));
  const to = Math.min(shownRows, first + inSight + OVERSCAN);
  return { shownRows, inSight, from, to };
}

/** The sizes that the styles read. */
function useColumnSizes(
  box: RefObject<HTMLElement | null>,
  { columns, rowCount, source }: Pick<DataGridProps, "columns" | "rowCount" | "source">,
) {
  const wanted = useMemo(() => measureColumns(columns, source), [columns, source.row(0)]);
  const indexWidth = Math.max(40, String(rowCount).length * LETTER_WIDTH + 24);
  const widths = fitWidths(wanted, useWidth(box) - indexWidth);
  const width = `max(100%, ${widths.reduce((sum, each) => sum + each, indexWidth)}px)`;
  const template = `${indexWidth}px ${widths.map((width) => `minmax(${width}px, 1fr)`).join(" ")}`;
  return { "--columns": template, "--width": width };
}

function useScrollToActive(box: RefObject<HTMLElement | null>, { row, column }: Spot): void {
  useLayoutEffect(() => {
    const cell = box.current?.querySelector<HTMLElement>(".cell.active");
    if (document.activeElement === box.current)
      cell?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [row, column]);
}

interface SpotBounds extends Pick<DataGridProps, "idOf"> {
  /** The drawn rows. */
  from: number;
  to: number;
  topRow: number;
  lastRow: number;
  lastColumn: number;
}

/** The active cell and the edited cell. They follow their rows. */
function useSpots({ idOf, from, to, topRow, lastRow, lastColumn }: SpotBounds) {
  const [activeAt, setActive] = useState<Spot>({ row: 0, column: 0 });
  const [editingAt, setEditing] = useState<Spot | undefined>(undefined);
  const identifySpot = (spot: Spot): Spot => ({ ...spot, id: idOf?.(spot.row) });
  /** Where a row is now. Rows above it may have been added or deleted. */
  const placeSpot = (spot: Spot): Spot | undefined => {
    if (spot.id === undefined || idOf?.(spot.row) === spot.id) return spot;
    for (let row = from; row < to; row++) if (idOf?.(row) === spot.id) return { ...spot, row };
    return undefined;
  };
  const moved = placeSpot(activeAt) ?? activeAt;
  return {
    // A filter or a hidden column may have taken its place.
    active: {
      ...moved,
      row: Math.min(moved.row, Math.max(topRow, lastRow)),
      column: Math.min(moved.column, lastColumn),
    },
    editing: editingAt === undefined ? undefined : placeSpot(editingAt),
    activate: (spot: Spot) => setActive(identifySpot(spot)),
    edit: (spot: Spot | undefined) => setEditing(spot && identifySpot(spot)),
  };
}

interface GridHeadProps extends Pick<DataGridProps, "label" | "columns" | "sort" | "onSort"> {
  active: Spot;
  canEdit: GridActions["canEdit"];
}

function GridHead({ label, columns, sort, onSort, active, canEdit }: GridHeadProps) {
  return (
    <div class="head" role="row" aria-rowindex={1}>
      <div class="cell index" role="columnheader" aria-colindex={1}>
        <span class="visually-hidden">Row</span>
      </div>
      {columns.map((column, index) => (
        // The keyboard reaches it as a row of the grid.
        // biome-ignore lint/a11y/useKeyWithClickEvents: see above
        <div
          key={column.key}
          id={cellId(label, HEAD_ROW, index)}
          class={readHeadClass(column, active, index, onSort !== undefined)}
          role="columnheader"
          aria-colindex={index + 2}
          aria-sort={readSort(column, sort)}
          onClick={() => onSort?.(column.key)}
        >
          <span title={column.label} dir="auto">
            {column.label}
          </span>
          {sort?.key === column.key && (
            <span aria-hidden="true">{sort.isDescending ? " ↓" : " ↑"}</span>
          )}
          {canEdit(column) && (
            <span class="pencil" title="Can be edited">
              ✎<span class="visually-hidden">can be edited</span>
            </span>
          )}
        </div>
      ))}
    </div>
  );
}

interface GridActions {
  pick: (row: number, column: number) => void;
  endEdit: () => void;
  canEdit: (column: GridColumn | undefined) => boolean;
}

interface LineProps {
  row: number;
  value: unknown;
  /** Index of the active cell in this row, or -1. */
  active: number;
  editing: number;
  grid: DataGridProps;
  actions: { readonly current: GridActions };
}

/**
 * Reuses the element of a line while its row, focus and grid are the same, so that Preact skips it.
 */
function useLineCache(
  grid: DataGridProps,
  actions: { readonly current: GridActions },
): (row: number, active: number, editing: number) => VNode {
  const cache = useRef({ grid, lines: new Map<number, { props: LineProps; line: VNode }>() });
  if (cache.current.grid !== grid) cache.current = { grid, lines: new Map() };
  const { lines } = cache.current;
  return (row, active, editing) => {
    const value = grid.source.row(row);
    const known = lines.get(row);
    if (
      known !== undefined &&
      known.props.value === value &&
      known.props.active === active &&
      known.props.editing === editing
    )
      return known.line;
    const props = { row, value, active, editing, grid, actions };
    const line = <Line key={grid.idOf?.(row) ?? row} {...props} />;
    if (lines.size > MAX_CACHED_LINES) lines.clear();
    lines.set(row, { props, line });
    return line;
  };
}

function Line({ row, value, active, editing, grid, actions }: LineProps) {
  const { label, columns, onEdit, stateOf, renderCell } = grid;
  return (
    <div class="line" role="row" aria-rowindex={row + 2}>
      <div class="cell index" role="rowheader" aria-colindex={1}>
        {row + 1}
      </div>
      {columns.map((column, index) => {
        const cell = value === undefined ? undefined : readCell(value, column);
        const isActive = active === index;
        const isEditing = editing === index;
        const state = stateOf?.(row, column);
        const classes = [
          "cell",
          ...(column.type === "number" ? ["number"] : []),
          ...(isActive ? ["active"] : []),
          ...(state === undefined ? [] : [state]),
        ];
        return (
          // The grid has the focus and handles keys; a click only selects a cell.
          // biome-ignore lint/a11y/useKeyWithClickEvents: see above
          <div
            key={column.key}
            id={cellId(label, row, index)}
            class={classes.join(" ")}
            dir={column.type === "number" ? undefined : "auto"}
            role="gridcell"
            aria-colindex={index + 2}
            aria-selected={isActive}
            aria-readonly={actions.current.canEdit(column) ? undefined : "true"}
            onClick={() => actions.current.pick(row, index)}
          >
            {value === undefined ? (
              <span class="waiting" />
            ) : isEditing && !hasChoices(column) ? (
              <CellEditor
                label={column.label}
                type={column.type}
                value={cell}
                onEnd={() => actions.current.endEdit()}
                onValue={(next) => onEdit?.(row, column, next)}
              />
            ) : (
              (renderCell?.(cell, column) ?? formatCell(cell, column))
            )}
            {isEditing && hasChoices(column) && (
              <ChoiceEditor
                label={column.label}
                choices={column.choices}
                isList={column.isList === true}
                value={cell}
                onEnd={() => actions.current.endEdit()}
                onValue={(next) => onEdit?.(row, column, next)}
              />
            )}
          </div>
        );
      })}
    </div>
  );
}

function readHeadClass(
  { type }: GridColumn,
  active: Spot,
  index: number,
  isSortable: boolean,
): string {
  return [
    "cell",
    ...(type === "number" ? ["number"] : []),
    ...(isSortable ? ["sortable"] : []),
    ...(active.row === HEAD_ROW && active.column === index ? ["active"] : []),
  ].join(" ");
}

function readSort(
  { key }: GridColumn,
  sort: GridSort | undefined,
): "ascending" | "descending" | undefined {
  if (sort?.key !== key) return undefined;
  return sort.isDescending ? "descending" : "ascending";
}

function hasChoices(column: GridColumn): column is GridColumn & { choices: readonly string[] } {
  return column.choices !== undefined && column.choices.length > 0;
}

function readCell(row: unknown, { key }: GridColumn): unknown {
  if (key === "") return row;
  return typeof row === "object" && row !== null
    ? (row as Record<string, unknown>)[key]
    : undefined;
}

/** A cell as one line of text. */
export function formatCell(value: unknown, { type, hint, options = {} }: GridColumn): string {
  return formatValue(value, { type, hint, options }).slice(0, MAX_TEXT);
}

/** How wide each column should be for its label and the first rows that were loaded. */
function measureColumns(columns: readonly GridColumn[], source: RowSource): number[] {
  const rows = Array.from({ length: MEASURED_ROWS }, (_, row) => source.row(row));
  const loaded = rows.filter((row) => row !== undefined);
  return columns.map((column) => {
    if (column.width !== undefined) return column.width;
    const lengths = loaded.map((row) => formatCell(readCell(row, column), column).length);
    const texts = Math.min(MAX_TEXT_WIDTH, Math.max(0, ...lengths) * LETTER_WIDTH + 20);
    // With room for the arrow of the order, or for the pencil.
    const head = column.label.length * LETTER_WIDTH + (column.isMutable === true ? 52 : 32);
    return Math.max(LEAST_WIDTH, head, texts);
  });
}

/**
 * Columns that nearly fit become narrower, so that none is cut by the edge: each gives a part of
 * what it is wider than the narrowest.
 */
function fitWidths(widths: readonly number[], available: number): number[] {
  const total = widths.reduce((sum, each) => sum + each, 0);
  const spare = total - widths.length * LEAST_WIDTH;
  if (total <= available || available < total * LEAST_SCALE) return [...widths];
  const kept = Math.max(0, 1 - (total - available) / spare);
  return widths.map((width) => Math.floor(LEAST_WIDTH + (width - LEAST_WIDTH) * kept));
}

/** How wide the inside of an element is; 0 before it is drawn. */
function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const box = element.current;
    if (box === null) return;
    const observer = new ResizeObserver(() => setWidth(box.clientWidth));
    observer.observe(box);
    setWidth(box.clientWidth);
    return () => observer.disconnect();
  }, []);
  return width;
}

function cellId(label: string, row: number, column: number): string {
  return `${label.replace(/\W+/g, "-")}-${row}-${column}`;
}

function clamp(value: number, most: number): number {
  return Math.max(0, Math.min(most, value));
}
