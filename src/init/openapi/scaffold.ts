import { PackError } from "../../errors.ts";
import { own, textOf } from "./members.ts";
import { sentence } from "./names.ts";
import { readOperations } from "./operations.ts";
import { readDescription } from "./read-description.ts";
import { authenticationOf } from "./security.ts";
import { serverOf } from "./servers.ts";
import { writePack } from "./write-pack.ts";
import { testedOperation, writeTest } from "./write-test.ts";

/** A Pack that was written from a description. */
export interface Scaffold {
  /** What the API is called. */
  title: string;
  /** Texts by path. */
  files: Map<string, string>;
  /** Name of the formula that is tested. */
  firstFormula: string;
  /** How many formulas there are. */
  formulas: number;
  /** What the Pack does not have, and why. */
  left: string[];
}

/**
 * Writes a Pack for an API from its OpenAPI description: a formula for each request that reads, an action for each that
 * changes something.
 * @throws {PackError} DESCRIPTION_UNREADABLE, DESCRIPTION_UNSUPPORTED, DESCRIPTION_REFERENCE
 */
export async function scaffoldPack(file: string, cwd: string): Promise<Scaffold> {
  const description = await readDescription(file, cwd);
  const { operations, left } = readOperations(description);
  const first = testedOperation(operations);
  if (first === undefined) {
    throw new PackError("DESCRIPTION_UNREADABLE", `The description ${file} has no request that a formula can send.`, {
      details: { file, reason: left[0] ?? "it describes no paths" },
      hint: left[0] === undefined ? "Add paths to it." : `The first one: ${left[0]}.`,
    });
  }
  const server = serverOf(description);
  const authentication = authenticationOf(description);
  return {
    title: sentence(textOf(own(description["info"], "title")) ?? "API", 80),
    files: new Map([
      ["pack.ts", writePack({ server, authentication: authentication.definition, operations })],
      ["pack.test.ts", writeTest(first, server)],
    ]),
    firstFormula: first.name,
    formulas: operations.length,
    left: [
      ...(server.isNamed ? [] : [`the server: the description names no public one, so pack.ts says ${server.domain}`]),
      ...authentication.left,
      ...left,
    ],
  };
}
