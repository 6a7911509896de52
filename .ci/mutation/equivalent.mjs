// Mutants that no test can notice, because the changed code does the same. `code` is the line.

export const EQUIVALENT = [
  {
    file: "src/service/local/store/find-rows.ts",
    operator: "add one",
    code: "const PIECE_PLACES = [26, 101] as const;",
    reason: "How many entries are read at once changes the time of a query, not its rows.",
  },
  {
    file: "src/service/local/store/sort-key.ts",
    operator: "add one",
    code: 'return value.toString(16).padStart(14, "0");',
    reason: "Keys of any one width have the same order. 14 digits hold every safe integer.",
  },
];
