import { extname, join } from "node:path";
import type { HazardStore } from "../bundle/bundle-hazards.ts";
import { sha256 } from "../shared/crypto.ts";
import { parseJson } from "../shared/json.ts";
import type { Hazard } from "../validate/hazards.ts";
import { readRecordText, recordMaker, saveRecord } from "./cache-records.ts";

/**
 * Keeps what was found in the files of packages, so that other processes do not parse them again.
 * Each file has a record under the hash of its content. The records are in 256 folders, and each
 * folder keeps its last ones.
 * @param folder where the records are. Many projects can share it
 */
export function openHazardCache(folder: string): HazardStore {
  const locateRecord = (file: { path: string; sha256: string }): string => {
    // The extension says how the file is parsed.
    const name = sha256(JSON.stringify([...recordMaker(), extname(file.path), file.sha256]), "hex");
    return join(folder, `hazards-${name.slice(0, 2)}`, `${name}.json`);
  };
  return {
    read(file) {
      const hazards = parseJson(readRecordText(locateRecord(file)) ?? "");
      return Array.isArray(hazards) ? (hazards as Hazard[]) : undefined;
    },
    keep: (file, hazards) => saveRecord(locateRecord(file), JSON.stringify(hazards)),
  };
}
