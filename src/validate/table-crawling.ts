import { isRecord, type Members, toList, toMembers } from "../shared/values.ts";
import { findProperty } from "./property-rules.ts";
import type { Path, Report } from "./report.ts";
import { shortenValue } from "./shape.ts";

/** The tables that parameters take their values from when a table is indexed. */
export function checkCrawling(tables: readonly unknown[], report: Report): void {
  const byName = new Map(
    tables.flatMap((table) =>
      isRecord(table) && typeof table["name"] === "string" ? [[table["name"], table] as const] : [],
    ),
  );
  const parents = new Map<string, { name: string; path: Path }>();
  tables.forEach((table, index) => {
    if (!isRecord(table) || !isRecord(table["getter"])) return;
    toList(table["getter"]["parameters"]).forEach((parameter, position) => {
      const strategy = isRecord(parameter) ? parameter["crawlStrategy"] : undefined;
      const relation = isRecord(strategy) ? strategy["parentTable"] : undefined;
      if (!isRecord(relation) || typeof relation["tableName"] !== "string") return;
      const path = [
        "syncTables",
        index,
        "getter",
        "parameters",
        position,
        "crawlStrategy",
        "parentTable",
      ];
      const known = parents.get(String(table["name"]));
      if (known !== undefined && known.name !== relation["tableName"]) {
        const message = `The table already uses values from ${shortenValue(known.name)}.`;
        report(
          "TABLE_CRAWL",
          [...path, "tableName"],
          message,
          "Take all values from one parent table.",
        );
        return;
      }
      if (checkRelation(relation, byName, path, report))
        parents.set(String(table["name"]), { name: relation["tableName"], path });
    });
  });
  checkCycles(parents, report);
}

/** @returns whether the relation names an existing table */
function checkRelation(
  relation: Members,
  tables: ReadonlyMap<string, Members>,
  path: Path,
  report: Report,
): boolean {
  const { tableName, propertyKey, inheritPermissions } = relation;
  const parent = tables.get(String(tableName));
  if (parent === undefined) {
    report(
      "TABLE_CRAWL",
      [...path, "tableName"],
      `The Pack has no sync table ${shortenValue(tableName)}.`,
      `Use one of ${[...tables.keys()].slice(0, 10).join(", ")}.`,
    );
    return false;
  }
  const schema = toMembers(parent["schema"]);
  const properties = toMembers(schema["properties"]);
  if (typeof propertyKey === "string" && findProperty(properties, propertyKey) === undefined) {
    const message = `The table ${shortenValue(tableName)} has no property ${shortenValue(propertyKey)}.`;
    report(
      "TABLE_CRAWL",
      [...path, "propertyKey"],
      message,
      `Use one of ${Object.keys(properties).slice(0, 10).join(", ")}.`,
    );
  } else if (
    inheritPermissions === true &&
    propertyKey !== (schema["idProperty"] ?? schema["id"])
  ) {
    const message = "inheritPermissions needs the idProperty of the parent table.";
    report(
      "TABLE_CRAWL",
      [...path, "inheritPermissions"],
      message,
      "Use the idProperty of the parent table, or remove inheritPermissions.",
    );
  }
  return true;
}

/** Every table has one parent at most, so a cycle is a walk that comes back. */
function checkCycles(
  parents: ReadonlyMap<string, { name: string; path: Path }>,
  report: Report,
): void {
  const done = new Set<string>();
  for (const start of parents.keys()) {
    const walk = new Set<string>();
    for (
      let at: string | undefined = start;
      at !== undefined && !done.has(at);
      at = parents.get(at)?.name
    ) {
      if (walk.has(at)) {
        const cycle = [...[...walk].slice([...walk].indexOf(at)), at].join(" → ");
        report(
          "TABLE_CRAWL",
          parents.get(at)?.path ?? [],
          `The tables take their values from each other: ${cycle}.`,
          "Remove crawlStrategy from one of these tables.",
        );
        break;
      }
      walk.add(at);
    }
    for (const name of walk) done.add(name);
  }
}
