import { useState } from "preact/hooks";
import { findFailure } from "../api.ts";
import { Button } from "../parts/button.tsx";
import type { GridColumn } from "../parts/data-grid.tsx";
import { countText } from "../parts/format.ts";
import { type RowsFormat, writeRows } from "./rows-text.ts";
import type { RowQueryControl } from "./use-row-query.ts";

interface RowsToolbarProps {
  /** What the rows are of: the name of an exported file. */
  name: string;
  columns: readonly GridColumn[];
  query: RowQueryControl;
}

/** Filters rows, chooses columns, and takes the rows elsewhere. */
export function RowsToolbar({ name, columns, query }: RowsToolbarProps) {
  const [note, setNote] = useState("");
  const [isBusy, setIsBusy] = useState(false);
  const take = async (format: RowsFormat): Promise<void> => {
    setIsBusy(true);
    setNote("");
    try {
      const rows = await query.loadAll();
      const text = writeRows(rows, query.columns, format);
      if (format === "tsv") await navigator.clipboard.writeText(text);
      else saveFile(`${name}.${format}`, text, MEDIA_TYPES[format]);
      setNote(`${countText(rows.length, "row")} ${format === "tsv" ? "copied" : "exported"}.`);
    } catch (error) {
      setNote(findFailure(error).message);
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <div class="row rows-toolbar" role="toolbar" aria-label="Rows">
      <input
        class="input"
        type="search"
        aria-label="Filter rows"
        placeholder="Filter rows"
        autocomplete="off"
        spellcheck={false}
        dir="auto"
        value={query.filter}
        onInput={(event) => query.setFilter(event.currentTarget.value)}
      />
      <span class="quiet small" role="status">
        {note !== "" ? note : query.isQuery ? `${query.count.toLocaleString("en")} shown` : ""}
      </span>
      <span class="row end">
        <ColumnMenu columns={columns} query={query} />
        <Button isSmall disabled={isBusy} label="Copy rows" onClick={() => void take("tsv")}>
          Copy
        </Button>
        <Button isSmall disabled={isBusy} label="Export CSV" onClick={() => void take("csv")}>
          CSV
        </Button>
        <Button isSmall disabled={isBusy} label="Export JSON" onClick={() => void take("json")}>
          JSON
        </Button>
      </span>
    </div>
  );
}

function ColumnMenu({ columns, query }: Pick<RowsToolbarProps, "columns" | "query">) {
  const shown = query.columns.length;
  return (
    <details class="menu">
      <summary class="button small">
        Columns
        {shown < columns.length && <span class="quiet">{` ${shown} of ${columns.length}`}</span>}
      </summary>
      <fieldset class="choices">
        <legend class="visually-hidden">Columns to show</legend>
        {columns.map(({ key, label }) => (
          <label key={key} class="check">
            <input
              type="checkbox"
              checked={!query.isHidden(key)}
              disabled={shown === 1 && !query.isHidden(key)}
              onChange={(event) => query.setHidden(key, !event.currentTarget.checked)}
            />
            <span dir="auto">{label}</span>
          </label>
        ))}
      </fieldset>
    </details>
  );
}

const MEDIA_TYPES = { csv: "text/csv", json: "application/json" } as const;

function saveFile(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
