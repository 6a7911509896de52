import type { Pack } from "../execute/open-pack.ts";
import { getFolder, placeIssues } from "../execute/pack-issues.ts";
import type { Issue } from "../validate/issue.ts";
import { parseScheduleRule } from "../validate/schedule-rule.ts";
import { nextTimes } from "../validate/schedule-times.ts";
import { type CacheOptions, openChosenHazardCache, openChosenTypeCache } from "./cache-options.ts";
import { eachPack, type PacksReport } from "./each-pack.ts";
import type { PackSchedule } from "./pack-schedule.ts";

export interface ValidatePacksOptions extends CacheOptions {
  /** Also checks the types, when TypeScript is installed. @default true */
  types?: boolean | undefined;
  /**
   * The current time in milliseconds since 1970, for the next times of schedules. @default Date.now
   */
  now?: (() => number) | undefined;
  /**
   * Finds issues that do not follow from the Pack, with files relative to its folder. @default none
   */
  findIssues?: ((pack: Pick<Pack, "bundle" | "definition">) => Promise<Issue[]>) | undefined;
  /** Stops the work with the reason of the signal. */
  signal?: AbortSignal | undefined;
}

export interface ValidateResult extends PacksReport {
  /** No issue is an error. Warnings do not count. */
  ok: boolean;
  /** When agents with a schedule will run. */
  schedules: PackSchedule[];
}

const SHOWN_TIMES = 5;

/** Checks Packs. A Pack that cannot be loaded does not stop the others. */
export async function validatePacks(
  files: readonly string[],
  options: ValidatePacksOptions,
): Promise<ValidateResult> {
  const schedules: PackSchedule[] = [];
  const further: Issue[] = [];
  const nowMs = (options.now ?? Date.now)();
  const { cwd, types, signal, findIssues } = options;
  const typeCache = openChosenTypeCache(options);
  const hazardStore = openChosenHazardCache(options);
  const keepSources = findIssues !== undefined;
  const loading = { cwd, types, signal, typeCache, hazardStore, keepSources };
  const result = await eachPack(files, loading, async ({ definition, bundle }, { file }) => {
    const own = (await findIssues?.({ definition, bundle })) ?? [];
    further.push(...placeIssues(own, getFolder(file, cwd), cwd));
    for (const trigger of definition.defaultTriggers ?? []) {
      // The Pack may have errors.
      const rule =
        trigger.kind === "schedule" && typeof trigger.rruleString === "string"
          ? parseScheduleRule(trigger.rruleString)
          : undefined;
      if (typeof rule === "object")
        schedules.push({
          file,
          timeZone: rule.timeZone,
          next: nextTimes(rule, nowMs, SHOWN_TIMES),
        });
    }
  });
  const issues = [...result.issues, ...further];
  return { ok: result.failure === undefined, ...result, issues, schedules };
}
