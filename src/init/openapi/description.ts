import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { PackError } from "../../errors.ts";
import { systemReason } from "../../shared/failures.ts";
import { parseYaml } from "../../shared/parse-yaml.ts";
import { requireInProject } from "../../shared/project-boundary.ts";
import { isRecord, type Members } from "../../shared/values.ts";

const MAX_DESCRIPTION_BYTES = 10_000_000;

/**
 * Reads an OpenAPI or Swagger 2.0 description, JSON or YAML. Reads no other file.
 *
 * @throws {PackError} OUTSIDE_PROJECT, DESCRIPTION_UNREADABLE, DESCRIPTION_UNSUPPORTED
 */
export async function readDescription(file: string, cwd: string): Promise<Members> {
  const path = resolve(cwd, file);
  requireInProject(path);
  const found = await stat(path).catch((error: unknown) => {
    throw unreadable(file, systemReason(error) ?? "it cannot be read");
  });
  if (!found.isFile())
    throw unreadable(
      file,
      found.isDirectory() ? "it is a folder" : "it is a pipe or a device, not a file",
    );
  const { size } = found;
  if (size > MAX_DESCRIPTION_BYTES)
    throw unreadable(file, `it has ${size} bytes; the limit is ${MAX_DESCRIPTION_BYTES}`);
  const text = await readFile(path, "utf8").catch(() => {
    throw unreadable(file, "it cannot be read");
  });
  const description = parse(text.replace(/^\uFEFF/, ""), file);
  checkVersion(description, file);
  return description;
}

function parse(text: string, file: string): Members {
  let value: unknown;
  if (/^\s*\{/.test(text)) {
    try {
      value = JSON.parse(text);
    } catch {
      // A YAML flow mapping also begins with a brace, and YAML errors have a line.
    }
  }
  if (value === undefined) {
    const parsed = parseYaml(text, MAX_DESCRIPTION_BYTES);
    if (!parsed.ok) throw unreadable(file, parsed.problems[0] ?? "it is neither JSON nor YAML");
    value = parsed.value;
  }
  if (!isRecord(value)) throw unreadable(file, "it does not contain an object");
  return value;
}

function checkVersion({ openapi, swagger }: Members, file: string): void {
  if (typeof openapi === "string" && /^3\.[01](\.|$)/.test(openapi)) return;
  // YAML reads 2.0 without quotation marks as a number.
  if (openapi === undefined && (swagger === "2.0" || swagger === 2)) return;
  const version =
    swagger !== undefined
      ? `Swagger ${String(swagger)}`
      : openapi !== undefined
        ? `OpenAPI ${String(openapi)}`
        : undefined;
  const found = version?.slice(0, 40) ?? "not an OpenAPI description";
  throw new PackError(
    "DESCRIPTION_UNSUPPORTED",
    `${file} is ${found}. packsmith reads OpenAPI 3.0, 3.1 and Swagger 2.0.`,
    {
      details: { file, version: found },
      hint:
        openapi !== undefined
          ? "Convert the description to OpenAPI 3.1."
          : swagger === undefined
            ? 'Add the OpenAPI version at the top level of the file: openapi: "3.1.0".'
            : 'For version 2.0, write swagger: "2.0". Convert an older description first.',
    },
  );
}

function unreadable(file: string, reason: string): PackError<"DESCRIPTION_UNREADABLE"> {
  return new PackError(
    "DESCRIPTION_UNREADABLE",
    `packsmith cannot use the description ${file}: ${reason}.`,
    {
      details: { file, reason },
      hint: "Pass the path of an OpenAPI description (JSON or YAML) with --from.",
    },
  );
}

/** A part of a description. */
export interface Resolved {
  value: unknown;
  /**
   * The reference to the part, such as `#/components/schemas/Task`. Undefined if there was none.
   */
  pointer: string | undefined;
}

/** The limit for references to references. More of them form a circle. */
const MAX_HOPS = 20;

/**
 * Resolves `$ref` within the description.
 *
 * @throws {PackError} DESCRIPTION_REFERENCE if it points to another file, to nothing, or to itself
 */
export function follow(description: Members, from: unknown): Resolved {
  let resolved: Resolved = { value: from, pointer: undefined };
  for (let hop = 0; hop < MAX_HOPS; hop++) {
    const reference = readOwn(resolved.value, "$ref");
    if (typeof reference !== "string") return resolved;
    resolved = { value: find(description, reference), pointer: reference };
  }
  throw createRefusal(resolved.pointer ?? "", "refers to itself");
}

function find(description: Members, reference: string): unknown {
  if (!reference.startsWith("#")) {
    throw createRefusal(
      reference,
      "points to another file",
      "Put all parts of the description into one file. packsmith does not read other files or download anything.",
    );
  }
  let at: unknown = description;
  for (const part of reference.slice(1).split("/").slice(1)) {
    const name = decode(part);
    at = Array.isArray(at) && /^\d+$/.test(name) ? at[Number(name)] : readOwn(at, name);
  }
  if (isRecord(at) || typeof at === "boolean") return at;
  throw createRefusal(reference, "points to a part that does not exist");
}

/** RFC 6901 §3 and §6. */
function decode(part: string): string {
  let text = part;
  try {
    text = decodeURIComponent(part);
  } catch {
    // It is not an escape sequence.
  }
  return text.replaceAll("~1", "/").replaceAll("~0", "~");
}

function createRefusal(
  reference: string,
  reason: string,
  hint = "Correct the reference in the description.",
): PackError<"DESCRIPTION_REFERENCE"> {
  const shown = reference.slice(0, 200);
  return new PackError("DESCRIPTION_REFERENCE", `The reference "${shown}" ${reason}.`, {
    details: { reference: shown, reason },
    hint,
  });
}

/** An own member of an object. A description may name something `constructor`. */
export function readOwn(object: unknown, name: string): unknown {
  return isRecord(object) && Object.hasOwn(object, name) ? object[name] : undefined;
}

export function findText(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

/** The texts in a list. */
export function listTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

export function listEntries(value: unknown): [string, unknown][] {
  return isRecord(value) ? Object.entries(value) : [];
}
