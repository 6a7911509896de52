import { type Definition, pack } from "../definitions.ts";
import type { Row } from "./row.ts";

export const packRows: Row[] = [
  [
    "182",
    pack({ version: "1.2-prerelease.3" }),
    pack({ version: "1.2.3.4" }),
    "VERSION_INVALID version",
  ],
  [
    "183",
    pack({ version: "2147483647" }),
    pack({ version: "2147483648" }),
    "VERSION_INVALID version",
  ],
  ["A12 pack", pack({ formats: [] }), pack({ formulae: [] }), "KEY_UNKNOWN formulae"],
  ["A definition is an object", pack(), [] as unknown as Definition, "DEFINITION_INVALID "],
  [
    "A definition has only values that JSON knows",
    pack({ version: "1" }),
    pack({ version: 1n }),
    "DEFINITION_UNREADABLE version",
  ],
  [
    "The parts of a definition are lists of objects",
    pack({
      syncTables: [],
      formats: [],
      skills: [],
      mcpServers: [],
      suggestedPrompts: [],
      adminAuthentications: [],
    }),
    pack({
      syncTables: {},
      formats: [null],
      skills: ["Plan"],
      mcpServers: null,
      suggestedPrompts: [[]],
      adminAuthentications: [1],
    }),
    ...[
      "syncTables",
      "formats[0]",
      "skills[0]",
      "mcpServers",
      "suggestedPrompts[0]",
      "adminAuthentications[0]",
    ].map((path) => `MEMBER_TYPE ${path}`),
  ],
];
