import { PackError } from "../../errors.ts";
import type { OperationChoice } from "./choose-operations.ts";
import { chooseServer, isSameServer, otherServers, scaffoldAuthentication } from "./connection.ts";
import { findText, readDescription, readOwn } from "./description.ts";
import { sentence } from "./names.ts";
import { readOperations } from "./operations.ts";
import { upgradeSwagger } from "./upgrade-swagger.ts";
import { writePack } from "./write-pack.ts";
import { testedOperation, writeTest } from "./write-test.ts";

/** A Pack that was generated from a description. */
export interface Scaffold {
  /** The name of the API. */
  title: string;
  /** The texts of the files by path. */
  files: Map<string, string>;
  /** The name of the formula or table that the test runs. */
  firstFormula: string;
  /** The number of formulas. */
  formulas: number;
  /** The number of sync tables. */
  tables: number;
  /** The number of operations that `include` and `tags` did not choose. */
  notChosen: number;
  /** What was left out, and why. */
  left: string[];
}

/**
 * Generates a Pack from an OpenAPI description: a formula for each request that reads, a sync table
 * for each one that reads page by page,
 * and an action for each request that changes something.
 *
 * @throws {PackError} DESCRIPTION_UNREADABLE, DESCRIPTION_UNSUPPORTED, DESCRIPTION_REFERENCE
 * @throws {PackError} USAGE_INVALID if a pattern or a tag matches no operation
 */
export async function scaffoldPack(
  file: string,
  cwd: string,
  choice: OperationChoice = {},
): Promise<Scaffold> {
  const given = await readDescription(file, cwd);
  const description = given["swagger"] === undefined ? given : upgradeSwagger(given);
  const server = chooseServer(description);
  const authentication = scaffoldAuthentication(description);
  const { operations, left, notChosen } = readOperations(description, choice, {
    isServer: (other) => isSameServer(other, server),
    authentication: authentication.names,
  });
  const first = testedOperation(operations);
  if (first === undefined) {
    throw new PackError(
      "DESCRIPTION_UNREADABLE",
      `The description ${file} has no request that a formula can send.`,
      {
        details: { file, reason: left[0] ?? "it has no paths" },
        hint:
          left[0] === undefined
            ? "Add paths to the description."
            : `Change the description. The first problem: ${left[0]}.`,
      },
    );
  }
  const pack = writePack({ server, authentication: authentication.definition, operations });
  const tables = operations.filter(({ table }) => table !== undefined).length;
  return {
    title: sentence(findText(readOwn(description["info"], "title")) ?? "API", 80),
    files: new Map([
      ["pack.ts", pack.text],
      ["pack.test.ts", writeTest(first, server)],
    ]),
    firstFormula: first.name,
    formulas: operations.length - tables,
    tables,
    notChosen,
    left: [
      ...(server.isNamed
        ? []
        : [`the server: the description names no public one, so pack.ts uses ${server.domain}`]),
      ...otherServers(description).map(
        (url) => `the server ${sentence(url, 100)}: the Pack uses ${server.url}`,
      ),
      ...authentication.left,
      ...left,
      ...pack.left,
    ],
  };
}
