import { buildParts } from "./build-parts.ts";
import { reportMissing } from "./oracles.ts";

/** The integration suite: the parts of the build that a Pack needs at run time. */
export default async function prepare(): Promise<void> {
  reportMissing("integration");
  await buildParts();
}
