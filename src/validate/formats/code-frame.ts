/** One line of a frame: the column with the line number, and the source or the mark under it. */
export interface FrameLine {
  gutter: string;
  text: string;
  isMark: boolean;
}

const TAB = "  ";
const CONTEXT_LINES = 1;
const UNPRINTABLE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

let segmenter: Intl.Segmenter | undefined;

/**
 * Shows a place in a source text: its line, the lines next to it, and a mark under the place.
 * @param width columns of the terminal; a longer line is cut around the mark
 * @returns `undefined` when the text has no such line
 */
export function codeFrame(
  source: string,
  { line, column }: { line: number; column: number },
  width: number,
): FrameLine[] | undefined {
  const lines = source.split(/\r?\n/);
  const wanted = lines[line - 1];
  if (wanted === undefined) return undefined;
  const first = Math.max(1, line - CONTEXT_LINES);
  const last = Math.min(lines.length, line + CONTEXT_LINES);
  const digits = String(last).length;
  const room = Math.max(20, width - digits - 5);
  const frame: FrameLine[] = [];
  for (let number = first; number <= last; number++) {
    const text = lines[number - 1] ?? "";
    if (number !== line) {
      // Empty lines next to the place are left out.
      if (text.trim() !== "")
        frame.push({
          gutter: `  ${String(number).padStart(digits)} | `,
          text: cut(splitCells(text), 0, room),
          isMark: false,
        });
      continue;
    }
    const cells = splitCells(wanted);
    const from = Math.min(column - 1, wanted.length);
    const length = tokenLength(wanted.slice(from));
    const start = startOfCut(cells, from, room);
    const [before, marked] = [
      measureWidth(cells, start, from),
      measureWidth(cells, Math.max(start, from), from + length),
    ];
    const indent = before + (start > 0 ? 1 : 0);
    frame.push({
      gutter: `  ${String(number).padStart(digits)} | `,
      text: cut(cells, start, room),
      isMark: false,
    });
    const mark = "^".repeat(Math.max(1, Math.min(marked, room - indent)));
    frame.push({
      gutter: `  ${" ".repeat(digits)} | `,
      text: `${" ".repeat(indent)}${mark}`,
      isMark: true,
    });
  }
  return frame;
}

/** What a reader sees as one character: its text, its place, and its width in columns. */
interface Cell {
  text: string;
  offset: number;
  width: number;
}

function splitCells(line: string): Cell[] {
  segmenter ??= new Intl.Segmenter();
  return Array.from(segmenter.segment(line), ({ segment, index }) => {
    if (segment === "\t") return { text: TAB, offset: index, width: TAB.length };
    const text = segment.replace(UNPRINTABLE, "\ufffd");
    return { text, offset: index, width: /^\p{M}+$/u.test(text) ? 0 : isWide(text) ? 2 : 1 };
  });
}

/** The length of what to mark: a name, or a text with its quotation marks. */
function tokenLength(text: string): number {
  return (
    /^(?:[\p{ID_Continue}$]+|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`)/u.exec(text)?.[0]
      .length ?? 1
  );
}

/** Whether a character takes two columns. */
function isWide(character: string): boolean {
  return /[\u1100-\u115f\u2e80-\u303e\u3041-\u4dbf\u4e00-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u.test(
    character,
  );
}

function measureWidth(cells: readonly Cell[], from: number, to: number): number {
  return cells.reduce(
    (sum, { offset, width }) => (offset >= from && offset < to ? sum + width : sum),
    0,
  );
}

/** The offset at which a long line begins to be shown, so that the place is in its middle. */
function startOfCut(cells: readonly Cell[], from: number, room: number): number {
  if (
    measureWidth(cells, 0, Number.POSITIVE_INFINITY) <= room ||
    measureWidth(cells, 0, from) < room / 2
  )
    return 0;
  let width = 0;
  for (const { offset, width: own } of cells.filter(({ offset }) => offset < from).reverse()) {
    width += own;
    if (width > room / 2) return offset;
  }
  return 0;
}

function cut(cells: readonly Cell[], start: number, room: number): string {
  let text = start > 0 ? "…" : "";
  let width = text.length;
  for (const cell of cells) {
    if (cell.offset < start) continue;
    // The last column is kept for the sign that more follows.
    if (width + cell.width > room - 1 && cell !== cells.at(-1)) return `${text}…`;
    text += cell.text;
    width += cell.width;
  }
  return text.trimEnd();
}
