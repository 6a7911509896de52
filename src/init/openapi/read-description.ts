import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { PackError } from "../../errors.ts";
import { isRecord } from "../../shared/is-record.ts";
import { parseYaml } from "../../shared/parse-yaml.ts";
import type { Members } from "../../validate/shape.ts";

const MAX_DESCRIPTION_BYTES = 10_000_000;

/**
 * Reads an OpenAPI description, JSON or YAML. Nothing but the file itself is read.
 * @throws {PackError} DESCRIPTION_UNREADABLE, DESCRIPTION_UNSUPPORTED
 */
export async function readDescription(file: string, cwd: string): Promise<Members> {
  const path = resolve(cwd, file);
  const size = await stat(path).then(
    (found) => (found.isFile() ? found.size : undefined),
    () => undefined,
  );
  if (size === undefined) throw unreadable(file, "it is no file that can be read");
  if (size > MAX_DESCRIPTION_BYTES) throw unreadable(file, `it has ${size} bytes, and ${MAX_DESCRIPTION_BYTES} are read`);
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
      // A YAML flow mapping begins like JSON, and its errors have a line.
    }
  }
  if (value === undefined) {
    const parsed = parseYaml(text, MAX_DESCRIPTION_BYTES);
    if (!parsed.ok) throw unreadable(file, parsed.problems[0] ?? "it is neither JSON nor YAML");
    value = parsed.value;
  }
  if (!isRecord(value)) throw unreadable(file, "it holds no object");
  return value;
}

function checkVersion({ openapi, swagger }: Members, file: string): void {
  if (typeof openapi === "string" && /^3\.[01](\.|$)/.test(openapi)) return;
  const version = swagger !== undefined ? `Swagger ${String(swagger)}` : openapi !== undefined ? `OpenAPI ${String(openapi)}` : undefined;
  const found = version?.slice(0, 40) ?? "no OpenAPI description";
  throw new PackError("DESCRIPTION_UNSUPPORTED", `${file} is ${found}; OpenAPI 3.0 and 3.1 are read.`, {
    details: { file, version: found },
    hint:
      swagger === undefined
        ? 'A description begins with openapi: "3.1.0", or 3.0.'
        : "Convert it to OpenAPI 3 first; the editors and converters of the format do that without loss.",
  });
}

function unreadable(file: string, reason: string): PackError<"DESCRIPTION_UNREADABLE"> {
  return new PackError("DESCRIPTION_UNREADABLE", `The description ${file} cannot be used: ${reason}.`, {
    details: { file, reason },
    hint: "Give --from the path of an OpenAPI description, JSON or YAML.",
  });
}
