import type { HistoryRow } from "../../wire/history.ts";

export interface HistoryFilter {
  text: string;
  failedOnly: boolean;
}

/** The runs that have every word of the text in their name, target, arguments or outcome. */
export function filterHistory(
  rows: readonly HistoryRow[],
  { text, failedOnly }: HistoryFilter,
): HistoryRow[] {
  const words = text.trim().toLowerCase().split(/\s+/);
  return rows.filter((row) => {
    if (failedOnly && row.failure === undefined) return false;
    const texts = [
      row.name,
      row.target,
      row.kind,
      row.account ?? "",
      ...row.args.flatMap((argument) => [argument.name, argument.text]),
      row.summary,
      row.failure?.code ?? "",
      row.failure?.message ?? "",
    ];
    const all = texts.join(" ").toLowerCase();
    return words.every((word) => all.includes(word));
  });
}

/** The run before this one of the same formula or table, or the newest other one. */
export function findEarlier(
  rows: readonly HistoryRow[],
  { id, target }: Pick<HistoryRow, "id" | "target">,
): HistoryRow | undefined {
  const at = rows.findIndex((row) => row.id === id);
  return (
    rows.find((row, index) => index > at && row.target === target) ??
    rows.find((row) => row.id !== id && row.target === target)
  );
}

/** What was entered, in one line: `docId: abc, limit: 10`. */
export function describeArguments({ args }: Pick<HistoryRow, "args">): string {
  return args.map(({ name, text }) => `${name}: ${text}`).join(", ");
}
