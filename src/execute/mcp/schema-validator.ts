import { runInNewContext } from "node:vm";
import type {
  JsonSchemaType,
  JsonSchemaValidator,
  jsonSchemaValidator,
} from "@modelcontextprotocol/client";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";

/** A schema comes from the server: its patterns can take years. */
const LIMIT_MS = 1_000;

/** Checks what a tool returns against its output schema, for a limited time. */
export function createSchemaValidator(): jsonSchemaValidator {
  const validator = new AjvJsonSchemaValidator();
  return {
    getValidator<Value>(schema: JsonSchemaType): JsonSchemaValidator<Value> {
      const check = limitTime(() => validator.getValidator<Value>(schema));
      return (value) => limitTime(() => check(value));
    },
  };
}

/** Only the virtual machine can end synchronous code, and the regular expressions in it. */
function limitTime<Result>(act: () => Result): Result {
  try {
    return runInNewContext("act()", { act }, { timeout: LIMIT_MS }) as Result;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    throw new Error(`the output schema takes more than ${LIMIT_MS} ms to check`);
  }
}
