import { isRecord } from "../../shared/values.ts";

/** What commands cannot do without in an answer. */
const REQUIRED: Partial<Record<string, { name: string; type: "string" | "number" | "array" }>> = {
  whoami: { name: "loginId", type: "string" },
  listPacks: { name: "items", type: "array" },
  createPack: { name: "packId", type: "number" },
  getPack: { name: "name", type: "string" },
  listPackVersions: { name: "items", type: "array" },
  getNextPackVersion: { name: "nextVersion", type: "string" },
  registerPackVersion: { name: "uploadUrl", type: "string" },
  listPackReleases: { name: "items", type: "array" },
  createPackRelease: { name: "releaseId", type: "number" },
};

/** Whether an answer has what the commands need of it. */
export function isAnswerOf(operation: string, body: unknown): boolean {
  const required = REQUIRED[operation];
  if (!isRecord(body)) return false;
  const value = required === undefined ? undefined : body[required.name];
  return (
    required === undefined ||
    (required.type === "array" ? Array.isArray(value) : typeof value === required.type)
  );
}

/** Some lists end with a page token of null. */
export function withoutNullToken(body: unknown): unknown {
  if (!isRecord(body) || body["nextPageToken"] !== null) return body;
  const { nextPageToken: _, ...others } = body;
  return others;
}
