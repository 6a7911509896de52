import { authenticationRules } from "./authentication.ts";
import { formatRules } from "./formats.ts";
import { formulaRules } from "./formulas.ts";
import { networkRules } from "./network.ts";
import { packRules } from "./pack.ts";
import { parameterRules } from "./parameters.ts";
import type { Row } from "./rows.ts";
import { schemaRules } from "./schemas.ts";
import { skillRules } from "./skills.ts";
import { syncTableRules } from "./sync-tables.ts";

/** Every rule with its examples. */
export const families: { family: string; rules: Row[] }[] = [
  { family: "of the Pack", rules: packRules },
  { family: "of authentication", rules: authenticationRules },
  { family: "of the network", rules: networkRules },
  { family: "of formulas", rules: formulaRules },
  { family: "of parameters", rules: parameterRules },
  { family: "of schemas", rules: schemaRules },
  { family: "of column formats", rules: formatRules },
  { family: "of sync tables", rules: syncTableRules },
  { family: "of skills, prompts and MCP servers", rules: skillRules },
];
