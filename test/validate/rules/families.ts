import { authenticationRows } from "./authentication-rows.ts";
import { formatRows } from "./format-rows.ts";
import { formulaRows } from "./formula-rows.ts";
import { networkRows } from "./network-rows.ts";
import { packRows } from "./pack-rows.ts";
import { parameterRows } from "./parameter-rows.ts";
import type { Row } from "./row.ts";
import { scalarSchemaRows } from "./scalar-schema-rows.ts";
import { schemaRows } from "./schema-rows.ts";
import { skillRows } from "./skill-rows.ts";
import { tableRows } from "./table-rows.ts";

/** Rules of one kind of block, with their examples. */
interface Family {
  family: string;
  rows: Row[];
}

/** Families whose definitions break one rule each, and nothing else. */
export const familiesOfPairs: Family[] = [
  { family: "of the Pack", rows: packRows },
  { family: "of authentication", rows: authenticationRows },
  { family: "of the network", rows: networkRows },
  { family: "of formulas", rows: formulaRows },
  { family: "of parameters", rows: parameterRows },
  { family: "of scalars and lists", rows: scalarSchemaRows },
  {
    family: "of column formats, skills, prompts and MCP servers",
    rows: [...formatRows, ...skillRows],
  },
];

/** Every rule with its examples; rules.test.ts runs those of object schemas and tables. */
export const families: Family[] = [
  ...familiesOfPairs,
  { family: "of object schemas", rows: schemaRows },
  { family: "of sync tables", rows: tableRows },
];
