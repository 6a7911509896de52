/**
 * The metadata of a Pack: its compiled form as JSON, without its functions, with members in the
 * order of the source. This is what
 * `manifest.json` contains and what an upload carries next to the bundle.
 */
export type PackMetadata = Record<string, unknown>;

/** @param compiled the Pack in the form that the service loads */
export function metadataOf(compiled: object): PackMetadata {
  const { formulas, syncTables, formats } = compiled as Readonly<Record<string, unknown>>;
  const formatList = Array.isArray(formats) ? formats.map(formatMetadata) : [];
  // An agent has no such parts, and its metadata says so.
  const metadata = {
    ...compiled,
    formulas: formulas ?? [],
    syncTables: syncTables ?? [],
    formats: formatList,
  };
  return JSON.parse(
    JSON.stringify(metadata, (_, value: unknown) =>
      typeof value === "bigint" ? String(value) : value,
    ),
  ) as PackMetadata;
}

/** The service reads the matchers as text: `/^x$/i`. */
function formatMetadata(format: unknown): unknown {
  if (typeof format !== "object" || format === null) return format;
  const { matchers } = format as { matchers?: unknown };
  return { ...format, matchers: Array.isArray(matchers) ? matchers.map(String) : (matchers ?? []) };
}
