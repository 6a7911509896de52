import { join, relative, resolve } from "node:path";
import type { Command } from "commander";
import { PackError, usageError } from "../../errors.ts";
import { readRegularText } from "../../shared/files.ts";
import { findPackFiles, type ManyFlags, runPacks, withContinuation } from "../many-packs.ts";
import { openRegistry, type RegistryFlags, withRegistryOption } from "../registry.ts";
import { examples, type VerbContext, withCommonOptions } from "../verb.ts";

interface CreateFlags extends ManyFlags {
  name?: string;
  description?: string;
  workspace?: string;
}

/** `create`, `link` and `clone`: which Pack a folder is. */
export function addPackIdVerbs(program: Command, context: VerbContext): void {
  const { streams, output } = context;
  withCommonOptions(
    withContinuation(
      program
        .command("create")
        .description("Create Packs in a registry, and link their folders to them")
        .addHelpText(
          "after",
          examples(
            "packsmith create",
            "packsmith create packs/tasks/pack.ts --name Tasks",
            'packsmith create "packs/*/pack.ts" --workspace ws-abc',
          ),
        )
        .option(
          "--name <name>",
          "name of the Pack (default: the name in package.json, or the name of the folder or file)",
        )
        .option("--description <text>", "description of the Pack")
        .option("--workspace <id>", "workspace of the Pack (default: your own workspace)"),
    ),
    async () => (await import("../outputs/registry-outputs.ts")).createOutput,
  ).action(async (patterns: string[], flags: CreateFlags) => {
    const { createPack } = await import("../../publish/registry/create-pack.ts");
    const { PACK_ID_FILE, readPackId } = await import("../../publish/registry/pack-id-file.ts");
    const { getPackName } = await import("../../bundle/pack-name.ts");
    const workspaceId = /\bws-[A-Za-z0-9=_-]+/.exec(flags.workspace ?? "")?.[0] ?? flags.workspace;
    const { description } = flags;
    if (flags.name !== undefined && (await findPackFiles(patterns, context)).length > 1)
      throw usageError(
        "--name can be used only with one Pack.",
        "Remove --name: each Pack then gets the name in its package.json, or the name of its folder or file.",
      );
    await runPacks(context, {
      patterns,
      flags,
      async work({ file, folder, client }) {
        await assertReadable(file, streams.cwd);
        const registry = client.registry.origin;
        const name = flags.name ?? getPackName(resolve(streams.cwd, file));
        const linked = flags.continue === true ? readPackId(folder, client.registry) : undefined;
        const created =
          linked === undefined
            ? await createPack(client, folder, { name, description, workspaceId })
            : { packId: linked, path: join(folder, PACK_ID_FILE), isFound: true };
        const { packId, path, isFound } = created;
        return { registry, packId, name, file: path, isFound };
      },
      print({ registry, packId, name, file, isFound }, isOne) {
        output.data(`${packId}  ${name}`);
        if (!isOne) return;
        output.progress(
          `${output.style("good", isFound ? "found" : "created")}  ${registry}/p/${packId}`,
        );
        output.progress(
          `written  ${relative(streams.cwd, file)}: commit this file, so that others publish the same Pack`,
        );
      },
      mayContinue: true,
      word: ({ isFound }) => (isFound ? "found" : "created"),
    });
  });

  withCommonOptions(
    withRegistryOption(
      program
        .command("link")
        .description("Link a folder to an existing Pack")
        .addHelpText(
          "after",
          examples(
            "packsmith link 1001",
            "packsmith link https://docs.example/p/1001",
            "packsmith link 1001 packs/tasks",
          ),
        )
        .argument("<pack>", "ID of the Pack, or the URL of its page")
        .argument("[folder]", "Pack folder", ".")
        .option("--force", "replace an existing link to another Pack"),
    ),
    async () => (await import("../outputs/registry-outputs.ts")).linkOutput,
  ).action(async (first: string, second: string, flags: RegistryFlags & { force?: boolean }) => {
    const { isPackId, parsePackId } = await import("../../publish/registry/pack-id-file.ts");
    // The command line of @codahq/packs-sdk takes the folder first.
    const [pack, given] = !isPackId(first) && isPackId(second) ? [second, first] : [first, second];
    const folder = resolve(streams.cwd, given);
    const packId = parsePackId(pack);
    const client = await openRegistry(context, flags, folder);
    const { linkPack } = await import("../../publish/registry/create-pack.ts");
    const { name, path } = await linkPack(client, folder, packId, flags.force === true);
    if (output.json)
      return output.document({
        ok: true,
        registry: client.registry.origin,
        packId,
        name,
        file: path,
      });
    output.progress(
      `${output.style("good", "linked")}   ${relative(streams.cwd, path)} → ${packId}  ${name}`,
    );
  });

  withCommonOptions(
    withRegistryOption(
      program
        .command("clone")
        .description("Get the source of a Pack from a registry")
        .addHelpText(
          "after",
          examples("packsmith clone 1001 tasks", "packsmith clone https://docs.example/p/1001"),
        )
        .argument("<pack>", "ID of the Pack, or the URL of its page")
        .argument("[folder]", "folder for the source", "."),
    ),
    async () => (await import("../outputs/registry-outputs.ts")).cloneOutput,
  ).action(async (pack: string, given: string, flags: RegistryFlags) => {
    const folder = resolve(streams.cwd, given);
    const { parsePackId } = await import("../../publish/registry/pack-id-file.ts");
    const packId = parsePackId(pack);
    const client = await openRegistry(context, flags, folder);
    const { clonePack } = await import("../../publish/registry/clone-pack.ts");
    const { name, version, files } = await clonePack(client, folder, packId);
    const written = files.map((path) => relative(streams.cwd, path));
    if (output.json) return output.document({ ok: true, packId, name, version, files: written });
    for (const path of written) output.data(path);
    output.progress(`${output.style("good", "cloned")}  ${name} ${version}`);
  });
}

/** @throws {PackError} PACK_FILE_UNREADABLE, so that no Pack is created for a misspelled path */
async function assertReadable(file: string, cwd: string): Promise<void> {
  const text = await readRegularText(resolve(cwd, file)).catch(() => undefined);
  if (text !== undefined) return;
  throw new PackError("PACK_FILE_UNREADABLE", `${file} cannot be read.`, {
    details: { file },
    hint: "Pass the entry file of the Pack.",
  });
}
