import type { ExitClass } from "../errors.ts";

/** What a process ends with, by class of failure. Scripts rely on these numbers; they never change. */
export const EXIT_CODES: { readonly [Class in ExitClass]: number } = {
  problem: 1,
  usage: 2,
  breaking: 3,
  build: 10,
  network: 11,
  authentication: 12,
  interrupted: 130,
};
