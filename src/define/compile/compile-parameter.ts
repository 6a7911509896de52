import { simpleAutocomplete } from "../autocomplete.ts";
import { normalizePropertyName } from "../property-name.ts";
import { isMembers, type Members } from "./members.ts";
import { compileMetadata, compileMetadataFunction } from "./metadata-formula.ts";
import { keepWritten } from "./written.ts";

const SCALARS = ["string", "number", "object", "boolean", "date", "html", "image", "file", "markdown", "email"];

/** `string` → 0, `stringArray` → `{ type: "array", items: 0 }`; `sparseStringArray` may have gaps. Other values stay. */
export function compileType(type: unknown): unknown {
  if (typeof type !== "string") return type;
  const [, sparse, word = "", list] = /^(sparse)?(.*?)(Array)?$/.exec(type) ?? [];
  const scalar = SCALARS.indexOf(word.slice(0, 1).toLowerCase() + word.slice(1));
  if (list === undefined) return scalar < 0 ? type : scalar;
  return { type: "array", items: scalar, ...(sparse === undefined ? {} : { allowEmpty: true }) };
}

/** The compiled form of a parameter. It is frozen. */
export function compileParameter(written: Members): Members {
  const { type, autocomplete, crawlStrategy, allowManualInput, ...rest } = written;
  return Object.freeze(
    keepWritten(
      {
        ...rest,
        allowManualInput: allowManualInput !== false,
        autocomplete: compileAutocomplete(autocomplete),
        type: compileType(type),
        crawlStrategy: compileCrawlStrategy(crawlStrategy),
      },
      written,
    ),
  );
}

function compileAutocomplete(autocomplete: unknown): unknown {
  if (!Array.isArray(autocomplete)) return compileMetadata(autocomplete);
  return keepWritten(
    compileMetadataFunction((_context, search) => simpleAutocomplete(search, autocomplete)),
    autocomplete,
  );
}

function compileCrawlStrategy(strategy: unknown): unknown {
  const table = isMembers(strategy) ? strategy["parentTable"] : undefined;
  if (!isMembers(table)) return strategy;
  const { tableName, propertyKey, inheritPermissions } = table;
  const key = typeof propertyKey === "string" ? normalizePropertyName(propertyKey) : propertyKey;
  return { parentTable: { tableName, propertyKey: key, inheritPermissions } };
}
