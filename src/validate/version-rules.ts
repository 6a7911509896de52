import type { Report } from "./report.ts";
import { short } from "./shape.ts";

const MAX_PART = 2_147_483_647;

/** Rules 182 and 183. */
export function checkVersion(version: unknown, report: Report): void {
  if (typeof version !== "string") return;
  const parts = /^(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:-prerelease\.(\d+))?$/.exec(version)?.slice(1);
  if (parts === undefined) {
    report("VERSION_INVALID", ["version"], `The version ${short(version)} is not one to three numbers.`, 'Write it as "1.2.3".');
  } else if (parts.some((part) => part !== undefined && Number(part) > MAX_PART)) {
    report("VERSION_INVALID", ["version"], `A number of the version is above ${MAX_PART}.`, "Write a smaller number.");
  }
}
