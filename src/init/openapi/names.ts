import { normalizePropertyName } from "../../define/property-name.ts";
import type { ObjectShape } from "./shapes.ts";

/** The maximum length of a name. */
const MAX_NAME_LENGTH = 50;
const MAX_DESCRIPTION_LENGTH = 500;

/** `list-open tasks` → `ListOpenTasks` */
export function pascalCase(text: string): string {
  return listWords(text)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("");
}

/** `due-date` → `dueDate`, `URL` → `url` */
export function camelCase(text: string): string {
  const name = pascalCase(text);
  return name.replace(/^[A-Z]+(?![a-z])|^[A-Z]/, (start) => start.toLowerCase());
}

/** The parts of a text that are ASCII letters and digits. */
function listWords(text: string): string[] {
  return text
    .normalize("NFKD")
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== "");
}

/** Makes names unique, ignoring case. */
export function createNames(
  taken: readonly string[] = [],
): (wanted: string, fallback: string) => string {
  const used = new Set(taken.map((name) => name.toLowerCase()));
  return (wanted, fallback) => {
    const base = (/^[A-Za-z]/.test(wanted) ? wanted : `${fallback}${wanted}`).slice(
      0,
      MAX_NAME_LENGTH,
    );
    let name = base;
    for (let number = 2; used.has(name.toLowerCase()); number++) {
      name = `${base.slice(0, MAX_NAME_LENGTH - String(number).length)}${number}`;
    }
    used.add(name.toLowerCase());
    return name;
  };
}

/** Keywords, globals, and names that the generated code uses, in lowercase. */
const RESERVED = new Set(
  `abstract any api as async await body boolean break case catch class const context continue debugger default delete do else enum
  export extends false finally for from function get if implements import in instanceof interface let module never new null number object
  of package private protected public return set static string super switch symbol this throw true try type typeof undefined unknown url
  var void while with yield pack rows next current first hasnext headers absoluteurl nextlink dayof textsof parsejson withrepeated withqueryparams arguments eval constructor
  tostring valueof hasownproperty isprototypeof propertyisenumerable tolocalestring globalthis nan infinity isnan isfinite parseint
  parsefloat escape unescape decodeuri decodeuricomponent encodeuri encodeuricomponent`.split(
    /\s+/,
  ),
);

/** A valid name for a variable. */
export function variableName(name: string): string {
  return RESERVED.has(name.toLowerCase()) ? `${name}Value` : name;
}

/** Shortens a text to one line without control characters. */
export function sentence(text: string, maxLength = MAX_DESCRIPTION_LENGTH): string {
  const line = text
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]+/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
  if (line.length <= maxLength) return line;
  const cut = line.slice(0, maxLength - 1);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), maxLength / 2)).trim()}…`;
}

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
const ROW_NAMES = ["id", "value", "synced", "connection"];

/**
 * Chooses what a row of a table is called: `Task` for the table `Tasks`. No other table and no
 * property of the row has this name.
 */
export function createIdentityNames(): (row: ObjectShape, table: string) => string {
  const used = new Set(ROW_NAMES);
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
