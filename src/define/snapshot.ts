/** Which form of a Pack a snapshot holds: what its author wrote, or what the service loads. */
export type SnapshotForm = "written" | "compiled";

/**
 * Encodes an untrusted object with everything in it as JSON text: functions, dates, patterns,
 * `undefined`, bigints,
 * symbols, cycles and getters that throw become markers. It runs inside the sandbox. Never throws.
 * What is deeper than 100 levels
 * or beyond 20 MB becomes a marker.
 */
export function encodeSnapshot(value: unknown, form: SnapshotForm = "written"): string {
  // The same symbol as in written.ts.
  const written = Symbol.for("packsmith.written");
  const maxDepth = 100;
  let budget = 20_000_000;
  const ancestors: object[] = [];
  const marker = (kind: string, text: string) => ["$", kind, text];
  const encode = (item: unknown, depth: number): unknown => {
    budget -= 8;
    if (budget <= 0) return marker("cut", "size");
    if (item === null || typeof item === "boolean") return item;
    if (typeof item === "string") {
      if (item.length > budget) return marker("cut", "size");
      budget -= item.length;
      return item;
    }
    if (typeof item === "number")
      return Number.isFinite(item) && !Object.is(item, -0)
        ? item
        : marker("number", item === 0 ? "-0" : `${item}`);
    if (typeof item === "undefined") return marker("undefined", "");
    if (typeof item === "function") return marker("function", "");
    if (typeof item !== "object") return marker("unreadable", typeof item);
    if (depth > maxDepth) return marker("cut", "depth");
    if (form === "written") {
      const own = Object.getOwnPropertyDescriptor(item, written)?.value as unknown;
      if (own !== undefined) return encode(own, depth + 1);
    }
    if (ancestors.indexOf(item) !== -1) return marker("cut", "cycle");
    ancestors.push(item);
    try {
      if (item instanceof Date) return marker("date", `${item.getTime()}`);
      if (item instanceof RegExp) return ["$", "regexp", `${item.source}`, `${item.flags}`];
      if (Array.isArray(item)) {
        const list: unknown[] = [];
        for (let index = 0; index < item.length && budget > 0; index++)
          list.push(encode(item[index], depth + 1));
        return ["a", list];
      }
      // Names and values in turn: an array for each pair would be larger than the definition.
      const members: unknown[] = [];
      for (const key of Object.keys(item)) {
        if (budget <= 0) break;
        budget -= key.length;
        let member: unknown;
        try {
          member = encode((item as Record<string, unknown>)[key], depth + 1);
        } catch {
          member = marker("unreadable", "getter");
        }
        members.push(key, member);
      }
      return ["o", members];
    } catch {
      return marker("unreadable", "object");
    } finally {
      ancestors.pop();
    }
  };
  try {
    return JSON.stringify(encode(value, 0));
  } catch {
    return '["$","unreadable","object"]';
  }
}

/**
 * Why a part is missing: it is too large, too deep, contains itself, throws when it is read, or has
 * no JSON form.
 */
export type LostReason = "size" | "depth" | "cycle" | "getter" | "object" | "symbol" | "bigint";

/** A part of a definition that a snapshot does not contain. */
export interface LostPart {
  path: readonly (string | number)[];
  reason: LostReason;
}

/**
 * Reads what `encodeSnapshot` wrote. Functions become stubs that do nothing, cut and unreadable
 * parts become `undefined`.
 * @param lost receives each part that was cut or unreadable
 * @throws {TypeError} when the text is not a snapshot
 */
export function decodeSnapshot(text: string, lost: LostPart[] = []): unknown {
  try {
    return decode(JSON.parse(text), [], lost);
  } catch (cause) {
    throw new TypeError("The text is not a snapshot of a definition.", { cause });
  }
}

/**
 * @param path is one list that the recursion shares: a copy for each part would cost more than the
 * definition
 */
function decode(node: unknown, path: (string | number)[], lost: LostPart[]): unknown {
  if (!Array.isArray(node)) return node;
  const [kind, content] = node;
  const decodePart = (key: string | number, part: unknown): unknown => {
    path.push(key);
    const value = decode(part, path, lost);
    path.pop();
    return value;
  };
  if (kind === "a") return (content as unknown[]).map((item, index) => decodePart(index, item));
  if (kind === "o") {
    const members = content as unknown[];
    const result: Record<string, unknown> = {};
    for (let index = 0; index < members.length; index += 2) {
      const key = members[index] as string;
      const value = decodePart(key, members[index + 1]);
      if (key !== "__proto__") result[key] = value;
      // An assignment would replace the prototype.
      else
        Object.defineProperty(result, key, {
          value,
          enumerable: true,
          writable: true,
          configurable: true,
        });
    }
    return result;
  }
  if (content === "function") return () => undefined;
  if (content === "number") return Number(node[2]);
  if (content === "date") return new Date(Number(node[2]));
  if (content === "regexp") return parsePattern(String(node[2]), String(node[3]));
  if (content === "cut" || content === "unreadable")
    lost.push({ path: [...path], reason: node[2] as LostReason });
  return undefined;
}

/** A Pack may change the source and flags that its patterns report. */
function parsePattern(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, flags);
  } catch {
    return undefined;
  }
}
