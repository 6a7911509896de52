import {
  type LocalService,
  type ServiceOptions,
  startService as startLocalService,
} from "../local/service.ts";
import { createPackChecks } from "./pack-checks.ts";

/**
 * Starts a document service that speaks the documented interface, with a registry of Packs that
 * validates and compares what is
 * uploaded.
 * @throws {PackError} PORT_IN_USE, SEED_INVALID, DATABASE_UNREADABLE, DATABASE_UNSUPPORTED,
 *   DATABASE_NEWER, DATABASE_BUSY
 */
export async function startService(options: ServiceOptions = {}): Promise<LocalService> {
  return await startLocalService({ packChecks: createPackChecks(), ...options });
}
