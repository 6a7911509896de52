/** Code to format: on one line if it fits, otherwise on several. */
export type Code =
  | string
  | readonly Code[]
  | { readonly indent: Code }
  /** Always on one line. */
  | { readonly flat: Code }
  /** On one line if all of it fits. */
  | { readonly group: Code; readonly isBroken?: boolean; readonly isOperation?: boolean }
  /** The first that fits, otherwise the last. */
  | { readonly choice: readonly [Code, ...Code[]] }
  /** A list with as many items on each line as fit. */
  | { readonly fill: readonly string[] }
  | { readonly line: "" | " " | "\n" }
  /** Written only if the group around it is on several lines. */
  | { readonly ifBroken: string };

export const WIDTH = 100;
const SPACE: Code = { line: " " };
const SOFT: Code = { line: "" };
export const NEW_LINE: Code = { line: "\n" };

export function join(items: readonly Code[], separator: Code): Code {
  return items.flatMap((item, index) => (index === 0 ? [item] : [separator, item]));
}

/** `[a, b]` */
export function writeArray(items: readonly Code[], { isBroken = false } = {}): Code {
  if (items.length === 0) return "[]";
  if (items.length > 1 && items.every(isNumber))
    return { group: ["[", { indent: [SOFT, { fill: items }] }, SOFT, "]"], isBroken };
  return list("[", items, "]", SOFT, isBroken);
}

function isNumber(item: Code): item is string {
  return typeof item === "string" && /^-?\d[\d.]*(e[+-]?\d+)?$/i.test(item);
}

/** `{ a, b }`; `isBroken` puts every entry on its own line. */
export function writeObject(entries: readonly Code[], { isBroken = false } = {}): Code {
  return entries.length === 0 ? "{}" : list("{", entries, "}", SPACE, isBroken);
}

/** `a && b` */
export function writeBoth(conditions: readonly Code[]): Code {
  return { group: join(conditions, [" &&", SPACE]), isOperation: true };
}

/** `const name = a && b;` */
export function writeConstant(name: string, operation: Code): Code {
  return [`const ${name} =`, { group: { indent: [SPACE, operation] } }, ";"];
}

/** `condition ? a : b` */
export function writeEither(condition: Code, first: Code, second: Code): Code {
  return {
    group: [condition, { indent: [SPACE, "? ", first, SPACE, ": ", second] }],
    isOperation: true,
  };
}

/**
 * `key: value`; an operation, a value that cannot be broken and one whose first line does not fit
 * move to the next line.
 */
export function writeEntry(key: string, value: Code): Code {
  const isUnbreakable = typeof value === "string" && !value.startsWith("`") && key.length > 2;
  const isOperation = typeof value === "object" && "isOperation" in value;
  if (isUnbreakable || isOperation)
    return { group: [key, ":", { group: { indent: [SPACE, value] } }] };
  const start = [key, ": ", value];
  return { choice: [start, [...start], [key, ":", { indent: [NEW_LINE, value] }]] };
}

/** `name(a, { b })`; only the last argument may be on several lines. */
export function writeCall(
  name: string,
  args: readonly Code[],
  last?: { entries: readonly Code[]; isBroken?: boolean },
): Code {
  if (last === undefined) return { group: list(`${name}(`, args, ")", SOFT, false) };
  const hugged = writeObject(last.entries, { isBroken: true });
  if (args.length === 0)
    return [`${name}(`, writeObject(last.entries, { isBroken: last.isBroken ?? false }), ")"];
  const front: Code = { flat: [join(args, ", "), ", "] };
  const flat: Code = [`${name}(`, front, writeObject(last.entries), ")"];
  return {
    choice: [
      flat,
      [`${name}(`, front, hugged, ")"],
      list(`${name}(`, [...args, hugged], ")", SOFT, true),
    ],
  };
}

function list(
  open: string,
  items: readonly Code[],
  close: string,
  edge: Code,
  isBroken: boolean,
): Code {
  return {
    group: [open, { indent: [edge, join(items, [",", SPACE])] }, { ifBroken: "," }, edge, close],
    isBroken,
  };
}

/** A string literal, with double quotes unless single quotes need fewer escapes. */
export function literal(text: string): string {
  const quoted = JSON.stringify(text);
  const [doubles, singles] = [text.split('"').length, text.split("'").length];
  if (doubles <= singles) return quoted;
  return `'${quoted.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

/** A key of an object literal. */
export function writeKey(name: string): string {
  // A plain key would set the prototype.
  if (name === "__proto__") return '["__proto__"]';
  return /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(name) ? name : literal(name);
}

interface Task {
  indent: number;
  isFlat: boolean;
  code: Code;
}

/** Formats code in lines of at most `WIDTH` columns, if it can be broken. */
export function layOut(code: Code): string {
  const output: string[] = [];
  const tasks: Task[] = [{ indent: 0, isFlat: false, code }];
  let column = 0;
  for (let task = tasks.pop(); task !== undefined; task = tasks.pop()) {
    const { indent, isFlat, code: part } = task;
    const push = (next: Code, more: Partial<Task> = {}): void =>
      void tasks.push({ indent, isFlat, code: next, ...more });
    if (typeof part === "string") {
      output.push(part);
      column += getWidth(part);
    } else if (isList(part)) {
      for (const item of [...part].reverse()) push(item);
    } else if ("indent" in part) push(part.indent, { indent: indent + 2 });
    else if ("flat" in part) push(part.flat, { isFlat: true });
    else if ("ifBroken" in part) {
      if (!isFlat) push(part.ifBroken);
    } else if ("line" in part) {
      if (isFlat && part.line !== "\n") {
        output.push(part.line);
        column += part.line.length;
      } else {
        output.push(`\n${" ".repeat(indent)}`);
        column = indent;
      }
    } else if ("fill" in part) {
      for (const [index, item] of part.fill.entries()) {
        const isLast = index === part.fill.length - 1;
        const text = isLast && isFlat ? item : `${item},`;
        const isSameLine = isFlat || column + 1 + text.length <= WIDTH;
        if (index > 0) output.push(isSameLine ? " " : `\n${" ".repeat(indent)}`);
        column = (index === 0 ? column : isSameLine ? column + 1 : indent) + text.length;
        output.push(text);
      }
    } else if ("group" in part) {
      const flat = { indent, isFlat: true, code: part.group };
      push(part.group, {
        isFlat: isFlat || (!hasBreak(part) && fits(flat, tasks, WIDTH - column)),
      });
    } else {
      const states = part.choice;
      const chosen = isFlat
        ? states[0]
        : states.find((state, index) =>
            index === 0
              ? !hasBreak(state) &&
                fits({ indent, isFlat: true, code: state }, tasks, WIDTH - column)
              : fits({ indent, isFlat: false, code: state }, tasks, WIDTH - column),
          );
      const state = chosen ?? states.at(-1) ?? "";
      push(state, { isFlat: isFlat || state === states[0] });
    }
  }
  // Empty lines have no indentation.
  return output.join("").replace(/[ ]+$/gm, "");
}

/** Whether a task and its successors up to the next line break fit into the rest of the line. */
function fits(first: Task, rest: readonly Task[], room: number): boolean {
  const tasks = [first];
  let left = room;
  let next = rest.length;
  while (left >= 0) {
    const task = tasks.pop() ?? rest[--next];
    if (task === undefined) return true;
    const { isFlat, code: part, indent } = task;
    if (typeof part === "string") left -= getWidth(part);
    else if (isList(part))
      for (const item of [...part].reverse()) tasks.push({ indent, isFlat, code: item });
    else if ("indent" in part) tasks.push({ indent, isFlat, code: part.indent });
    else if ("flat" in part) tasks.push({ indent, isFlat: true, code: part.flat });
    else if ("ifBroken" in part) left -= isFlat ? 0 : part.ifBroken.length;
    else if ("line" in part) {
      if (!isFlat || part.line === "\n") return true;
      left -= part.line.length;
    } else if ("fill" in part) left -= part.fill.join(", ").length;
    else if ("group" in part)
      tasks.push({ indent, isFlat: isFlat && !hasBreak(part), code: part.group });
    else
      tasks.push({ indent, isFlat, code: part.choice[isFlat ? 0 : part.choice.length - 1] ?? "" });
  }
  return false;
}

const breaks = new WeakMap<object, boolean>();

/** Whether code cannot be on one line. */
function hasBreak(code: Code): boolean {
  if (typeof code === "string") return false;
  const known = breaks.get(code);
  if (known !== undefined) return known;
  const found = isList(code)
    ? code.some(hasBreak)
    : "indent" in code
      ? hasBreak(code.indent)
      : "flat" in code
        ? hasBreak(code.flat)
        : "group" in code
          ? code.isBroken === true || hasBreak(code.group)
          : "choice" in code
            ? hasBreak(code.choice[0])
            : "line" in code && code.line === "\n";
  breaks.set(code, found);
  return found;
}

function isList(code: Code): code is readonly Code[] {
  return Array.isArray(code);
}

/** The width of a text. East Asian characters and emoji take two columns. */
function getWidth(text: string): number {
  let width = 0;
  for (const char of text)
    width +=
      /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u.test(
        char,
      )
        ? 2
        : /\p{M}/u.test(char)
          ? 0
          : 1;
  return width;
}
