import { createRequire } from "node:module";
import { readMetadata } from "../../src/bundle/build-record.ts";
import { definitionForm } from "../../src/define/definition-form.ts";
import { decodeSnapshot, encodeSnapshot } from "../../src/define/snapshot.ts";
import * as library from "../../src/legacy.ts";
import { validateDefinition } from "../../src/validate/validate-definition.ts";

const { definePack } = createRequire(import.meta.url)("./fixtures/define.cjs") as {
  definePack(from: typeof library, recipe: Recipe): object;
};

/**
 * A Pack as JSON: calls of its builder, in which `{ "$run": value }` is a function that gives the
 * value.
 */
export interface Recipe {
  domains?: string[] | undefined;
  authentication?: object | undefined;
  agent?: boolean | undefined;
  parts: { add: string; part: object }[];
}

export interface Own {
  metadata?: Record<string, unknown>;
  errors: string[];
}

/**
 * What packsmith makes of a recipe: metadata, and the errors that validation of a Pack for the
 * published package finds.
 */
export function describeOwn(each: Recipe): Own {
  try {
    const pack = definePack(library, each);
    const metadata = readMetadata(decodeSnapshot(encodeSnapshot(pack, "compiled")) as object);
    const issues = validateDefinition(definitionForm(decodeSnapshot(encodeSnapshot(pack))), {
      plain: true,
      compatibility: true,
    });
    return {
      metadata,
      errors: issues
        .filter(({ severity }) => severity === "error")
        .map(({ code, path, message }) => `${code} ${path} ${message}`),
    };
  } catch (error) {
    return { errors: [String(error)] };
  }
}
