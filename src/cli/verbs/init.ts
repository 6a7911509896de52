import { realpathSync } from "node:fs";
import { relative } from "node:path";
import type { Command } from "commander";
import { usageError } from "../../errors.ts";
import type { InitResult } from "../../init/init-result.ts";
import { countText } from "../../shared/count-text.ts";
import { isInteractive } from "../client-credentials.ts";

import { collect, examples, type VerbContext, withCommonOptions } from "../verb.ts";

interface InitFlags {
  from?: string;
  include?: string[];
  snippets?: boolean;
  tag?: string[];
  template?: string;
  yes?: boolean;
}

const DEFAULT_DIRECTORY = "my-pack";
const DEFAULT_TEMPLATE = "blank";

export function addInitVerb(program: Command, context: VerbContext): void {
  withCommonOptions(
    program
      .command("init")
      .description("Create a project for a new Pack")
      .addHelpText(
        "after",
        examples(
          "packsmith init my-pack",
          "packsmith init my-pack --template oauth2",
          'packsmith init my-pack --from openapi.yaml --include "/tasks/**" --tag lists',
          "packsmith init . --snippets",
        ),
      )
      .argument("[directory]", "folder for the new project, or an existing project to adopt")
      .option(
        "-t, --template <name>",
        `blank, api-key, oauth2, client-credentials, sync-table, two-way, service or monorepo (default: in a terminal, packsmith asks; otherwise ${DEFAULT_TEMPLATE})`,
      )
      .option(
        "--from <file>",
        "create the Pack from an OpenAPI description (JSON or YAML) instead of a template",
      )
      .option(
        "--include <pattern>",
        "with --from: include only operations that match this path, method and path, or operation ID; * and ** are wildcards; can be repeated",
        collect,
      )
      .option(
        "--tag <tag>",
        "with --from: use only operations with this tag; can be repeated",
        collect,
      )
      .option("--snippets", "only write code snippets for VS Code and JetBrains editors")
      .option(
        "-y, --yes",
        `do not ask questions; the default is a ${DEFAULT_TEMPLATE} Pack in ${DEFAULT_DIRECTORY}`,
      ),
    async () => (await import("../outputs/pack-outputs.ts")).initOutput,
    "initProject",
  ).action(async (directory: string | undefined, flags: InitFlags) => {
    const { streams, output } = context;
    const [{ initProject }, { TEMPLATES }, { commandFor, findPackageManager }] = await Promise.all([
      import("../../init/init-project.ts"),
      import("../../init/templates.ts"),
      import("../../init/package-manager.ts"),
    ]);
    if (flags.from !== undefined && flags.template !== undefined) {
      throw usageError(
        "--template and --from cannot be used together.",
        "Remove --template or --from.",
      );
    }
    if (flags.from === undefined && (flags.include ?? flags.tag) !== undefined) {
      throw usageError(
        "--include and --tag can be used only with --from.",
        "Add --from with the path of the OpenAPI description.",
      );
    }
    if (flags.snippets === true) return await writeEditorSnippets(directory, flags, context);
    const wanted = await decide(directory, flags, context);
    const packageManager = findPackageManager(streams.env);
    const choice = { from: flags.from, include: flags.include, tags: flags.tag };
    const result = await initProject({ ...wanted, ...choice, packageManager, cwd: streams.cwd });
    // Its files are from this package, not from someone else.
    if (result.template !== undefined || result.scaffold !== undefined)
      await trustNewFolder(result.directory, streams.env);
    if (output.json) return output.document({ ok: true, ...result });
    const folder = relative(streams.cwd, result.directory) || ".";
    const { template, scaffold, files } = result;
    if (template === undefined && scaffold === undefined) {
      const changed = files.map(
        (file) => `  ${file}  resolves @codahq/packs-sdk to packsmith for the type checker`,
      );
      const left = result.left?.map((what) => `  ${what}`) ?? [];
      output.progress(
        [
          `${output.style("good", "ready")} ${folder}`,
          ...changed,
          ...(left.length > 0 ? ["\nleft to do:", ...left] : []),
        ].join("\n"),
      );
      return;
    }
    const origin =
      scaffold === undefined ? `from template ${template}` : describeScaffold(scaffold);
    output.progress(`${output.style("good", "created")} ${folder}  ${origin}`);
    for (const file of files) output.progress(`  ${file}`);
    for (const what of scaffold?.left ?? [])
      output.progress(`${output.style("warning", "left out")}  ${what}`);
    output.progress("\nnext:");
    const command = (text: string): string =>
      template === "monorepo" ? text : commandFor(packageManager, text);
    output.data(
      folder === "."
        ? command("npm install")
        : `cd ${quoteWord(folder)} && ${command("npm install")}`,
    );
    output.data(command(TEMPLATES[template ?? ""]?.firstRun ?? "npm test"));
  });
}

async function writeEditorSnippets(
  directory: string | undefined,
  { from, template }: InitFlags,
  { streams, output }: VerbContext,
): Promise<void> {
  if ((from ?? template) !== undefined)
    throw usageError(
      "--snippets cannot be used with --template or --from.",
      "Remove --snippets, or remove --template and --from.",
    );
  const { writeSnippets } = await import("../../init/snippets.ts");
  const result = await writeSnippets(directory ?? ".", streams.cwd);
  if (output.json) return output.document({ ok: true, ...result });
  const folder = relative(streams.cwd, result.directory) || ".";
  output.progress(`${output.style("good", "wrote")} snippets  ${folder}`);
  for (const file of result.files) output.progress(`  ${file}`);
  output.progress(
    "\nVS Code finds its snippets automatically. For JetBrains editors, copy the other file into the templates folder of your IDE settings.",
  );
}

async function trustNewFolder(directory: string, env: NodeJS.ProcessEnv): Promise<void> {
  const { storeAnswer, trustRoot } = await import("../../shared/trusted-folders.ts");
  const folder = trustRoot(directory);
  // A project in another one is a part of it, and that one may be from someone else.
  if (folder !== realpathSync(directory)) return;
  try {
    storeAnswer({ folder, isTrusted: true }, env);
  } catch {
    // Without a place to keep it, the user is asked later.
  }
}

/** A folder as one word for a shell. */
function quoteWord(text: string): string {
  if (/^[\w./@%+=:,-]+$/.test(text)) return text;
  return process.platform === "win32" ? `"${text}"` : `'${text.replaceAll("'", "'\\''")}'`;
}

function describeScaffold({
  title,
  formulas,
  tables,
  notChosen,
}: NonNullable<InitResult["scaffold"]>): string {
  const parts = [
    countText(formulas, "formula"),
    ...(tables === 0 ? [] : [countText(tables, "sync table")]),
  ];
  return `for ${title}: ${parts.join(", ")}${notChosen === 0 ? "" : `; ${countText(notChosen, "operation")} not chosen`}`;
}

/** What was said on the command line; a person is asked for the rest. */
async function decide(
  directory: string | undefined,
  { template, from, yes }: InitFlags,
  { streams, output }: VerbContext,
) {
  const isAsked = yes !== true && !output.json && isInteractive(streams);
  if (directory === undefined && !isAsked && yes !== true) {
    throw usageError(
      "The folder of the new project is missing.",
      `Pass the folder, as in packsmith init ${DEFAULT_DIRECTORY}, or pass --yes.`,
    );
  }
  if (!isAsked)
    return { directory: directory ?? DEFAULT_DIRECTORY, template: template ?? DEFAULT_TEMPLATE };
  const { askProject } = await import("../init-prompts.ts");
  return await askProject(
    { directory, template, hasSource: template !== undefined || from !== undefined },
    streams,
    DEFAULT_DIRECTORY,
  );
}
