import { normalizePropertyName } from "../../define/property-name.ts";
import { createNames, pascalCase } from "./names.ts";
import type { ObjectShape } from "./shapes.ts";

/**
 * The name of a table: that of its request without the verb, or the last fixed part of its path.
 */
export function tableName(operationId: string | undefined, path: string): string {
  if (operationId !== undefined) {
    const name = pascalCase(operationId);
    const noun = name.replace(
      /^(?:GetAll|FindAll|ListAll|List|Get|Find|Fetch|Search|Query|Read|Retrieve|Index)(?=[A-Z])/,
      "",
    );
    return noun.replace(/(?<=[a-z])(?:GetAll|FindAll|List|Index)$/, "");
  }
  return pascalCase(
    path
      .split("/")
      .filter((part) => part !== "" && !part.includes("{"))
      .at(-1) ?? "Rows",
  );
}

/** Names that the service uses for rows. */
const RESERVED = ["id", "value", "synced", "connection"];

/**
 * Chooses what a row of a table is called: `Task` for the table `Tasks`. No other table and no
 * property of the row has this name.
 */
export function createIdentityNames(): (row: ObjectShape, table: string) => string {
  const used = new Set(RESERVED);
  return (row, table) => {
    const taken = new Set([
      ...used,
      ...row.members.map(({ name }) => normalizePropertyName(name).toLowerCase()),
    ]);
    const singular = table.replace(/ies$/, "y").replace(/(?<=[^s])s$/, "");
    const wanted = [row.name ?? singular, singular, `${singular}Row`].find(
      (name) => name !== "" && !taken.has(name.toLowerCase()),
    );
    const name = createNames([...taken])(wanted ?? `${singular}Row`, "Row");
    used.add(name.toLowerCase());
    return name;
  };
}
