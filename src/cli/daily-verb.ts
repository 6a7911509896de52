/** What authors wait for many times a day, by all its names. */
const DAILY_VERBS = { build: "build", execute: "execute", run: "execute", validate: "validate", check: "validate" } as const;

export type DailyVerb = (typeof DAILY_VERBS)[keyof typeof DAILY_VERBS];

/** @returns which of them a command line runs, if any; one that asks for help runs nothing */
export function dailyVerbOf(args: readonly string[]): DailyVerb | undefined {
  const [verb = ""] = args;
  if (args.includes("--help") || args.includes("-h")) return undefined;
  return Object.hasOwn(DAILY_VERBS, verb) ? DAILY_VERBS[verb as keyof typeof DAILY_VERBS] : undefined;
}
