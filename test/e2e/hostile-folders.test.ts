import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ServiceUnderTest, startTestService } from "../service/support.ts";
import { COMMANDS, type FolderCommand } from "../support/hostile-folders/commands.ts";
import { CONFIGURATIONS } from "../support/hostile-folders/configurations.ts";
import type { Construct } from "../support/hostile-folders/construct.ts";
import { type MatrixOptions, runMatrix } from "../support/hostile-folders/matrix.ts";
import { PROGRAMS } from "../support/hostile-folders/programs.ts";
import { REPLACEMENTS } from "../support/hostile-folders/replacements.ts";
import { REPOSITORIES } from "../support/hostile-folders/repositories.ts";
import { SHAPES } from "../support/hostile-folders/shapes.ts";

// The folders are not trusted. No command may start a program of one, write outside of it, wait for
// it, swell, or print what a stranger should not see.

/** Each command meets one construct in so many. All of them (1) take more than an hour. */
const SHARE = Number(process.env["PACKSMITH_HOSTILE_SHARE"] ?? 12);
/** The larger groups run when the variable is set: even a twelfth of them takes many minutes. */
const isLong = process.env["PACKSMITH_HOSTILE_SHARE"] !== undefined;

/** Only ends a command that waits. */
const MAX_MS = 110_000;
/**
 * The process of the test runs command after command, and starts compilers and sandboxes. esbuild
 * ends when its stack has 1 GB.
 */
const MAX_BYTES = 1_600_000_000;

const builtFile = (path: string): string =>
  fileURLToPath(new URL(`../../dist/${path}`, import.meta.url));

let test: ServiceUnderTest;
let options: MatrixOptions;

beforeAll(async () => {
  test = await startTestService();
  const { body } = await test.write("POST", "/packs", { name: "Greet" });
  const doc = await test.write("POST", "/docs", { title: "Tasks" });
  options = {
    cli: builtFile("cli/run.js"),
    main: builtFile("bin/packsmith.cjs"),
    worker: fileURLToPath(new URL("../support/hostile-folders/worker.mjs", import.meta.url)),
    registry: {
      origin: new URL(test.service.url).origin,
      token: test.service.token,
      packId: body["packId"] as number,
      docId: doc.body["id"] as string,
    },
    maxMs: MAX_MS,
    maxBytes: MAX_BYTES,
  };
});

afterAll(() => test[Symbol.asyncDispose]());

function* pickCells(
  constructs: readonly Construct[],
  share: number,
): Generator<readonly [Construct, FolderCommand]> {
  for (const [row, construct] of constructs.entries())
    for (const [column, command] of COMMANDS.entries())
      if ((row + column) % share === 0) yield [construct, command];
}

/** Both in one folder. A construct may have removed what the other one needs. */
function combine(first: Construct, second: Construct): Construct {
  return {
    name: `${first.name}, and ${second.name}`,
    put(place) {
      first.put(place);
      try {
        second.put(place);
      } catch {
        // The first one alone is a construct as well.
      }
    },
  };
}

const alone = [...REPOSITORIES, ...PROGRAMS, ...CONFIGURATIONS, ...SHAPES];
const pairs = alone.map((construct, index) =>
  combine(construct, alone[(index * 7 + 3) % alone.length] as Construct),
);

type Group = [name: string, constructs: readonly Construct[], share: number];
const run = async (_: string, constructs: readonly Construct[], share: number) =>
  expect(await runMatrix(pickCells(constructs, share), options)).toEqual([]);
const TIMEOUT_MS = 2 * 60 * 60_000;

it.each<Group>([
  ["repositories", REPOSITORIES, SHARE],
  ["programs of other tools", PROGRAMS, SHARE],
])("no command does what a folder wants: %s", run, TIMEOUT_MS);

it.runIf(isLong).each<Group>([
  ["configurations", CONFIGURATIONS, SHARE],
  ["files in unusual numbers, names and depths", SHAPES, SHARE],
  ["something else in the place of a file", REPLACEMENTS, SHARE * 5],
  ["two of these", pairs, SHARE * 5],
])("no command does what a folder wants: %s", run, TIMEOUT_MS);
