import { PackError } from "../../errors.ts";
import { authenticationOf, serverOf } from "./connection.ts";
import { own, readDescription, textOf } from "./description.ts";
import { sentence } from "./names.ts";
import { readOperations } from "./operations.ts";
import { writePack } from "./write-pack.ts";
import { testedOperation, writeTest } from "./write-test.ts";

/** A Pack that was generated from a description. */
export interface Scaffold {
  /** The name of the API. */
  title: string;
  /** The texts of the files by path. */
  files: Map<string, string>;
  /** The name of the formula that the test runs. */
  firstFormula: string;
  /** The number of formulas. */
  formulas: number;
  /** What was left out, and why. */
  left: string[];
}

/**
 * Generates a Pack from an OpenAPI description: a formula for each request that reads, and an action for each request that changes
 * something.
 *
 * @throws {PackError} DESCRIPTION_UNREADABLE, DESCRIPTION_UNSUPPORTED, DESCRIPTION_REFERENCE
 */
export async function scaffoldPack(file: string, cwd: string): Promise<Scaffold> {
  const description = await readDescription(file, cwd);
  const { operations, left } = readOperations(description);
  const first = testedOperation(operations);
  if (first === undefined) {
    throw new PackError("DESCRIPTION_UNREADABLE", `The description ${file} has no request that a formula can send.`, {
      details: { file, reason: left[0] ?? "it has no paths" },
      hint: left[0] === undefined ? "Add paths to the description." : `Change the description. The first problem: ${left[0]}.`,
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
      ...(server.isNamed ? [] : [`the server: the description names no public one, so pack.ts uses ${server.domain}`]),
      ...authentication.left,
      ...left,
    ],
  };
}
