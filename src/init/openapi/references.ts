import { PackError } from "../../errors.ts";
import { isRecord } from "../../shared/is-record.ts";
import { listOf, type Members } from "../../validate/shape.ts";
import { own } from "./members.ts";

/** A part of a description, and where it was found when a reference led there. */
export interface Resolved {
  value: unknown;
  /** Such as `#/components/schemas/Task`. */
  pointer: string | undefined;
}

/** References that lead to references; more than that lead in circles. */
const MAX_HOPS = 20;

/**
 * Follows `$ref`, which leads to another part of the same description.
 * @throws {PackError} DESCRIPTION_REFERENCE for one that leads out of it, to nothing, or in circles
 */
export function follow(description: Members, from: unknown): Resolved {
  let resolved: Resolved = { value: from, pointer: undefined };
  for (let hop = 0; hop < MAX_HOPS; hop++) {
    const reference = own(resolved.value, "$ref");
    if (typeof reference !== "string") return resolved;
    resolved = { value: find(description, reference), pointer: reference };
  }
  throw refused(resolved.pointer ?? "", "leads in circles");
}

function find(description: Members, reference: string): unknown {
  if (!reference.startsWith("#")) {
    throw refused(reference, "leads out of the file", "Join the files into one first; nothing else is read, and nothing is fetched.");
  }
  let at: unknown = description;
  for (const part of reference.slice(1).split("/").slice(1)) {
    const name = decode(part);
    at = Array.isArray(at) && /^\d+$/.test(name) ? listOf(at)[Number(name)] : own(at, name);
  }
  if (isRecord(at) || typeof at === "boolean") return at;
  throw refused(reference, "leads to nothing");
}

/** RFC 6901 §3 and §6. */
function decode(part: string): string {
  let text = part;
  try {
    text = decodeURIComponent(part);
  } catch {
    // Then it is no escape.
  }
  return text.replaceAll("~1", "/").replaceAll("~0", "~");
}

function refused(reference: string, reason: string, hint = "Correct it in the description."): PackError<"DESCRIPTION_REFERENCE"> {
  const shown = reference.slice(0, 200);
  return new PackError("DESCRIPTION_REFERENCE", `The reference "${shown}" ${reason}.`, { details: { reference: shown, reason }, hint });
}
