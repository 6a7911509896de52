import { isMet, type Measurement, type Target } from "./section.ts";

/** What one section of the page says. */
export interface PageSection {
  title: string;
  /** When, where and with what it was measured: one line. */
  circumstances: string;
  measurements: readonly Measurement[];
  /** What was left out, and why. */
  skipped: readonly string[];
}

const INTRODUCTION = `# Results of the bench

The numbers are medians. Most are compared with the same work done by another program, in the same run and in turns, so that a busy moment
of the machine affects both. Missed targets are shown as well. A Pack runs in a process of its own, so some rows also compare with a program
that does nothing but use another process.
`;

/** What stands in a section that nobody has measured since it is in the bench. */
export const NOT_MEASURED = "Not measured yet.";

const COLUMNS = ["", "Measured", "Compared with", "Ratio", "Target", ""] as const;

/** Writes a section as Markdown. */
export function renderSection({
  title,
  circumstances,
  measurements,
  skipped,
}: PageSection): string {
  const rows = measurements.map((measurement) => [
    measurement.name,
    quantity(measurement.value, measurement.unit),
    measurement.peer === undefined
      ? ""
      : `${measurement.peer.name}: ${quantity(measurement.peer.value, measurement.unit)}`,
    ratioText(measurement),
    targetText(measurement.target, measurement.unit),
    { true: "met", false: "**missed**", undefined: "" }[String(isMet(measurement)) as "true"],
  ]);
  const lines = [COLUMNS, COLUMNS.map(() => "---"), ...rows].map(
    (cells) => `| ${cells.join(" | ")} |`,
  );
  return `## ${title}\n\n${circumstances}\n\n${lines.join("\n")}\n${skipped.map((reason) => `\nLeft out: ${reason}\n`).join("")}`;
}

/**
 * Puts sections into the page: those that were measured are replaced, the others stay.
 * @param titles of all sections, in their order
 */
export function updatePage(
  page: string,
  titles: readonly string[],
  measured: readonly PageSection[],
): string {
  const known = new Map(
    page
      .split(/^(?=## )/m)
      .slice(1)
      .map((text) => [/^## (.*)$/m.exec(text)?.[1] ?? "", text.trimEnd()]),
  );
  for (const section of measured) known.set(section.title, renderSection(section).trimEnd());
  return `${[INTRODUCTION.trimEnd(), ...titles.map((title) => known.get(title) ?? `## ${title}\n\n${NOT_MEASURED}`)].join("\n\n")}\n`;
}

/** The same for a terminal. */
export function printSection({ title, circumstances, measurements, skipped }: PageSection): string {
  const lines = measurements.map((measurement) => {
    const { name, value, unit, peer, target } = measurement;
    const compared =
      peer === undefined
        ? ""
        : ` = ${ratioText(measurement)} × ${peer.name} (${quantity(peer.value, unit)})`;
    const demanded =
      target === undefined
        ? ""
        : `   (${targetText(target, unit)}${isMet(measurement) === true ? "" : ", MISSED"})`;
    return `  ${name.padEnd(44)} ${quantity(value, unit)}${compared}${demanded}`;
  });
  return [
    `\n${title}`,
    `  ${circumstances}`,
    ...lines,
    ...skipped.map((reason) => `  left out: ${reason}`),
  ].join("\n");
}

function ratioText({ value, peer, target }: Measurement): string {
  if (peer === undefined) return "";
  return target?.of === "speed-up"
    ? `1/${(peer.value / value).toFixed(1)}`
    : (value / peer.value).toFixed(2);
}

function targetText(target: Target | undefined, unit: string): string {
  if (target === undefined) return "";
  const { of, atMost, atLeast } = target;
  const limit = atMost === undefined ? `≥ ${number(atLeast ?? 0)}` : `≤ ${number(atMost)}`;
  return {
    value: `${limit} ${unit}`.trimEnd(),
    ratio: `${limit} ×`,
    "speed-up": `${number(atLeast ?? 0)} × faster`,
  }[of];
}

function quantity(value: number, unit: string): string {
  return `${number(value)} ${unit}`.trimEnd();
}

function number(value: number): string {
  const digits =
    Math.abs(value) >= 100 || Number.isInteger(value) ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString("en", { maximumFractionDigits: digits, minimumFractionDigits: 0 });
}
