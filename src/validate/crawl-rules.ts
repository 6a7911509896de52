import { propertyAt } from "./property-paths.ts";
import type { Path, Report } from "./report.ts";
import { isMembers, listOf, type Members, short } from "./shape.ts";

/** A table, one of whose parameters is filled from a column of another table. */
interface Relation {
  table: string;
  parent: string;
  /** Of the relation in the definition. */
  path: Path;
}

/** Rules 142 to 146: where the values of parameters come from when tables are indexed. */
export function checkCrawling(tables: readonly unknown[], report: Report): void {
  const schemas = new Map<string, unknown>();
  for (const table of tables) if (isMembers(table) && typeof table["name"] === "string") schemas.set(table["name"], table["schema"]);
  const relations = tables.flatMap((table, index) => (isMembers(table) ? relationsOf(table, ["syncTables", index], schemas, report) : []));
  checkCycles(relations, report);
}

function relationsOf(table: Members, path: Path, schemas: ReadonlyMap<string, unknown>, report: Report): Relation[] {
  const { getter, name } = table;
  const relations: Relation[] = [];
  listOf(isMembers(getter) ? getter["parameters"] : undefined).forEach((parameter, index) => {
    const strategy = isMembers(parameter) ? parameter["crawlStrategy"] : undefined;
    const parent = isMembers(strategy) ? strategy["parentTable"] : undefined;
    if (!isMembers(parent) || typeof parent["tableName"] !== "string") return;
    const at = [...path, "getter", "parameters", index, "crawlStrategy", "parentTable"];
    const { tableName } = parent;
    if (!schemas.has(tableName)) {
      const message = `The Pack has no sync table ${short(tableName)}.`;
      report("SYNC_TABLE_CRAWL", [...at, "tableName"], message, "Write the name of one of the Pack's tables.");
      return;
    }
    checkProperty(parent, schemas.get(tableName), at, report);
    const [first] = relations;
    if (first !== undefined && first.parent !== tableName) {
      const message = `Another parameter is filled from ${short(first.parent)}; all of a table's come from one table.`;
      report("SYNC_TABLE_CRAWL_PARENTS", [...at, "tableName"], message, `Write ${short(first.parent)}, or remove crawlStrategy.`);
    }
    if (typeof name === "string") relations.push({ table: name, parent: tableName, path: at });
  });
  return relations;
}

/** Rules 143 and 144. */
function checkProperty(parent: Members, schema: unknown, path: Path, report: Report): void {
  const { tableName, propertyKey, inheritPermissions } = parent;
  if (!isMembers(schema) || !isMembers(schema["properties"]) || typeof propertyKey !== "string") return;
  if (propertyAt(schema["properties"], propertyKey) === undefined) {
    const message = `The table ${short(tableName)} has no property ${short(propertyKey)}.`;
    report("SYNC_TABLE_CRAWL", [...path, "propertyKey"], message, "Write the name of one of its properties.");
    return;
  }
  const id = schema["idProperty"] ?? schema["id"];
  if (inheritPermissions !== true || id === undefined || id === propertyKey) return;
  const message = `Permissions come with a row's id, and ${short(propertyKey)} is not the id of ${short(tableName)}.`;
  report("SYNC_TABLE_CRAWL_PERMISSIONS", [...path, "inheritPermissions"], message, `Write propertyKey: ${short(id)}, or remove it.`);
}

/** Rule 146: follows every relation of every table, without recursion, since a chain may be as long as the list of tables. */
function checkCycles(relations: readonly Relation[], report: Report): void {
  const byTable = new Map<string, Relation[]>();
  for (const relation of relations) {
    const own = byTable.get(relation.table);
    if (own === undefined) byTable.set(relation.table, [relation]);
    else own.push(relation);
  }
  const finished = new Set<string>();
  for (const start of byTable.keys()) {
    const trail: { table: string; next: number }[] = [{ table: start, next: 0 }];
    const onTrail = new Set([start]);
    for (let at = trail.at(-1); at !== undefined; at = trail.at(-1)) {
      const relation = finished.has(at.table) ? undefined : byTable.get(at.table)?.[at.next++];
      if (relation === undefined) {
        finished.add(at.table);
        onTrail.delete(at.table);
        trail.pop();
      } else if (onTrail.has(relation.parent)) reportCycle(relation, trail, report);
      else if (!finished.has(relation.parent)) {
        trail.push({ table: relation.parent, next: 0 });
        onTrail.add(relation.parent);
      }
    }
  }
}

function reportCycle({ parent, path }: Relation, trail: readonly { table: string }[], report: Report): void {
  const tables = trail.map(({ table }) => table);
  const circle = [...tables.slice(tables.indexOf(parent)), parent].map(short);
  const text = circle.length > 8 ? [...circle.slice(0, 4), "…", ...circle.slice(-3)] : circle;
  const message = `The tables are filled from each other: ${text.join(" from ")}.`;
  report("SYNC_TABLE_CRAWL_CYCLE", [...path, "tableName"], message, "Let one of them be filled without the others.");
}
