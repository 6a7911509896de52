import { dirname, resolve } from "node:path";
import type { Command } from "commander";
import { PackError, usageError } from "../../errors.ts";
import { notWritable } from "../../shared/failures.ts";
import { readRegularText } from "../../shared/files.ts";
import { makeFolder } from "../../shared/folders.ts";
import { readLiveService } from "../live-service.ts";
import { examples, type VerbContext, withCommonOptions } from "../verb.ts";

interface TypesFlags {
  from?: string;
  tokenEnv: string;
  doc: string;
  out?: string;
  check?: true;
}

export function addServiceTypes(service: Command, context: VerbContext): void {
  const { streams, output, signal } = context;
  withCommonOptions(
    service
      .command("types")
      .description("Write TypeScript types for a document's tables")
      .addHelpText(
        "after",
        examples(
          "packsmith service types --doc abc123 --out tables.ts",
          "packsmith service types --doc abc123 --out tables.ts --check",
          "packsmith service types --from https://docs.example/v1 \\\n    --token-env DOCS_TOKEN --doc abc123 --out tables.ts",
        ),
      )
      .option(
        "--from <url>",
        "API root of the service, including the version (default: PACKSMITH_SERVICE_URL)",
      )
      .option(
        "--token-env <name>",
        "environment variable that contains a token for the service",
        "PACKSMITH_SERVICE_TOKEN",
      )
      .requiredOption("--doc <id>", "ID of the document that contains the tables")
      .option("-o, --out <file>", "write the types to this file (default: stdout)")
      .option("--check", "do not write the file; fail if it is out of date"),
    async () => (await import("../outputs/server-outputs.ts")).typesOutput,
  ).action(async (flags: TypesFlags) => {
    if (flags.check && flags.out === undefined)
      throw usageError(
        "--check is set, but the file to check is missing.",
        "Pass the path of the file with --out.",
      );
    const from = flags.from ?? streams.env["PACKSMITH_SERVICE_URL"];
    if (from === undefined || from === "")
      throw usageError(
        "The URL of the service is missing.",
        "Pass --from, or set PACKSMITH_SERVICE_URL.",
      );
    const source = readLiveService({ ...flags, from }, context);
    const { describeTables, writeTableTypes } = await import("../../service/import/table-types.ts");
    const tables = await describeTables({ ...source, docId: flags.doc, signal });
    const text = writeTableTypes(flags.doc, tables);
    const path = flags.out === undefined ? undefined : resolve(streams.cwd, flags.out);
    if (path !== undefined) await (flags.check ? checkFile(path, text) : writeTypes(path, text));
    if (output.json)
      return output.document({
        ok: true,
        tables: tables.map(({ table }) => table.name),
        ...(path === undefined ? { types: text } : { path }),
      });
    if (path === undefined) return output.data(text.trimEnd());
    const done = flags.check ? "up to date" : "written";
    output.progress(`${output.style("good", done)}  ${flags.out}`);
  });
}

async function checkFile(path: string, text: string): Promise<void> {
  const before = await readRegularText(path).catch(() => undefined);
  // Git may have changed the line ends.
  if (before?.replaceAll("\r\n", "\n") === text) return;
  throw new PackError("TABLE_TYPES_STALE", `The types in ${path} are out of date.`, {
    details: { path },
    hint: "Run the same command without --check. Then fix the code that no longer compiles.",
  });
}

async function writeTypes(path: string, text: string): Promise<void> {
  try {
    makeFolder(dirname(path));
    const { writeAtomically } = await import("../../shared/atomic-write.ts");
    await writeAtomically(path, text);
  } catch (cause) {
    throw notWritable("The file", path, "Pass a file in a folder that you can write to.", cause);
  }
}
