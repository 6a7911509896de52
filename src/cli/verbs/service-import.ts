import { dirname, resolve } from "node:path";
import type { Command } from "commander";
import { usageError } from "../../errors.ts";
import type { Seed } from "../../service/local/store/seed.ts";
import { notWritable } from "../../shared/failures.ts";
import { makeFolder } from "../../shared/folders.ts";
import { readLiveService } from "../live-service.ts";
import { collect, examples, numberOption, type VerbContext, withCommonOptions } from "../verb.ts";

interface ImportFlags {
  from: string;
  tokenEnv: string;
  doc?: string[];
  out?: string;
  database?: string;
  maxRows: string;
}

export function addServiceImport(
  service: Command,
  { streams, output, redactor, signal }: VerbContext,
): void {
  withCommonOptions(
    service
      .command("import")
      .description("Copy documents from a live service into a seed file or a local database")
      .addHelpText(
        "after",
        examples(
          "packsmith service import --from https://docs.example/v1 \\\n    --token-env DOCS_TOKEN --out seed.json",
          "packsmith service import --from https://docs.example/v1 \\\n    --token-env DOCS_TOKEN --doc abc123 --database docs.db",
        ),
      )
      .requiredOption("--from <url>", "API root of the service to copy from, including the version")
      .requiredOption(
        "--token-env <name>",
        "environment variable that contains a token for the live service",
      )
      .option(
        "--doc <id>",
        "ID of a document to copy; can be repeated (default: all documents)",
        collect,
      )
      .option(
        "--out <file>",
        "write the seed to this file (default: stdout, unless you pass --database)",
      )
      .option(
        "--database <file>",
        "write the documents to this empty database: a SQLite file or a postgres:// URL",
      )
      .addOption(
        numberOption(
          "--max-rows <number>",
          "maximum number of rows to copy from each table",
          "10000",
        ),
      ),
    async () => (await import("../outputs/server-outputs.ts")).importOutput,
  ).action(async (flags: ImportFlags) => {
    const source = readLiveService(flags, { streams, redactor });
    const { importDocs } = await import("../../service/import/import-docs.ts");
    const { seed, notes } = await importDocs({
      ...source,
      docIds: flags.doc,
      maxRows: parseRows(flags.maxRows),
      signal,
      onProgress: (message) => output.progress(message),
    });
    const text = `${JSON.stringify(seed, undefined, 2)}\n`;
    if (flags.out !== undefined) await writeSeed(resolve(streams.cwd, flags.out), text);
    if (flags.database !== undefined)
      await fill(
        /^[a-z][a-z0-9+.-]+:\/\//i.test(flags.database)
          ? flags.database
          : resolve(streams.cwd, flags.database),
        seed,
      );
    const tables = seed.docs.flatMap((doc) => doc.tables ?? []);
    const rows = tables.reduce((sum, table) => sum + (table.rows?.length ?? 0), 0);
    for (const note of notes) output.progress(note);
    const counts = { docs: seed.docs.length, tables: tables.length, rows };
    if (output.json)
      output.document({
        ok: true,
        ...counts,
        out: flags.out,
        notes,
        ...(flags.out || flags.database ? {} : { seed }),
      });
    else if (flags.out === undefined && flags.database === undefined) output.data(text.trimEnd());
    else
      output.data(
        `copied ${counts.docs} documents, ${counts.tables} tables and ${counts.rows} rows`,
      );
  });
}

function parseRows(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw usageError("--max-rows must be a number of at least 1.", "Pass a number such as 10000.");
}

async function writeSeed(path: string, text: string): Promise<void> {
  try {
    makeFolder(dirname(path));
    const { writeAtomically } = await import("../../shared/atomic-write.ts");
    await writeAtomically(path, text, { mode: 0o600 });
  } catch (cause) {
    throw notWritable("The seed", path, "Pass a file in a folder that you can write to.", cause);
  }
}

/** Loads the seed into a database that holds nothing yet. */
async function fill(database: string, seed: Seed): Promise<void> {
  const { startService } = await import("../../service/local/service.ts");
  const { createServiceClient } = await import("../../service/client/client.ts");
  await using service = await startService({ database, seed });
  const client = createServiceClient({ baseUrl: service.url, token: service.token });
  const stored = new Set(
    (await client.docs.list({ limit: 100 }).all({ max: 10_000 })).map(({ id }) => id),
  );
  if (seed.docs.every(({ id = "" }) => stored.has(id)) && stored.size === seed.docs.length) return;
  throw usageError(
    "The database already contains other documents.",
    "Pass a database that does not exist yet.",
  );
}
