import type { ColumnFormat } from "../../contract/models/responses.ts";

/** The members that a format always has, with what a new column of that type has. */
const DEFAULTS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  checkbox: { displayType: "check" },
  scale: { maximum: 5, icon: "star" },
  select: { options: [] },
  image: { width: 200, height: 200, style: "auto" },
  imageReference: { width: 200, height: 200, style: "auto" },
};

/** A format of a seed with every member that callers can rely on. */
export function completeFormat(format: ColumnFormat): ColumnFormat {
  return { ...DEFAULTS[format.type], ...format };
}
