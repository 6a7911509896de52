import { chmodSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { HostilePlace } from "./project.ts";

/** One thing that a stranger can put into a folder. */
export interface Construct {
  name: string;
  put(place: HostilePlace): void;
}

export function makeExecutable(place: HostilePlace, path: string, text: string): void {
  place.write(path, text);
  chmodSync(join(place.folder, path), 0o755);
}

export function replace(place: HostilePlace, path: string, put: (path: string) => void): void {
  const full = join(place.folder, path);
  rmSync(full, { recursive: true, force: true });
  mkdirSync(dirname(full), { recursive: true });
  put(full);
}
