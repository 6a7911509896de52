// Mutants that no test can notice, because the changed code does the same. `code` is the line.

export const EQUIVALENT = [
  {
    file: "src/service/local/store/find-rows.ts",
    operator: "add one",
    code: "const PIECE_PLACES = [26, 101] as const;",
    reason: "How many entries are read at once changes the time of a query, not its rows.",
  },
  {
    file: "src/service/local/store/find-keys.ts",
    operator: "change an operator",
    code: "if (from + size < nextPosition) await giveWay();",
    reason: "After the last piece, others get one more turn of the event loop.",
  },
  {
    file: "src/service/local/edits/accept-edit.ts",
    operator: "drop a statement",
    code: "if (text.length > MAX_BATCH_CHARACTERS) await new Promise(setImmediate);",
    reason: "It gives others a turn of the event loop before a long edit. The edit is the same.",
  },
  {
    file: "src/service/local/edits/plan-rows.ts",
    operator: "drop a statement",
    code: "if (table.pause !== undefined) await table.pause();",
    reason: "It gives others a turn of the event loop between rows. The rows are the same.",
  },
  {
    file: "src/service/local/store/sort-key.ts",
    operator: "add one",
    code: 'return value.toString(16).padStart(14, "0");',
    reason: "Keys of any one width have the same order. 14 digits hold every safe integer.",
  },
  {
    file: "src/bundle/file-boundary.ts",
    operator: "empty a text",
    code: 'const folder = options.absWorkingDir ?? ".";',
    reason: 'Paths are resolved in it, and an empty path resolves like ".".',
  },
  {
    file: "src/validate/source-module.ts",
    operator: "and or or",
    code: "if (local !== undefined && exported !== undefined)",
    reason: "An export specifier of a program that was parsed always has both names.",
  },
];
