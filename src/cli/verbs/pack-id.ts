import { readFile } from "node:fs/promises";
import { dirname, relative, resolve } from "node:path";
import type { Command } from "commander";
import { PackError } from "../../errors.ts";
import { openRegistry, type RegistryFlags, withRegistryOption } from "../registry.ts";
import { examples, type VerbContext, withCommonOptions } from "../verb.ts";

interface CreateFlags extends RegistryFlags {
  name?: string;
  description?: string;
  workspace?: string;
}

/** `create`, `link` and `clone`: which Pack a folder is. */
export function addPackIdVerbs(program: Command, context: VerbContext): void {
  const { streams, output } = context;
  withCommonOptions(
    withRegistryOption(
      program
        .command("create")
        .description("Create a Pack in a registry, and link its folder to it")
        .addHelpText(
          "after",
          examples(
            "packsmith create",
            "packsmith create packs/tasks/pack.ts --name Tasks",
            "packsmith create --workspace ws-abc",
          ),
        )
        .argument("[file]", "entry file of the Pack", "pack.ts")
        .option("--name <name>", "name of the Pack (default: the name in package.json)")
        .option("--description <text>", "what the Pack does")
        .option("--workspace <id>", "workspace of the Pack (default: your own)"),
    ),
    async () => (await import("../outputs/registry-outputs.ts")).createOutput,
  ).action(async (file: string, flags: CreateFlags) => {
    const folder = await folderOf(file, streams.cwd);
    const client = await openRegistry(context, flags, folder);
    const { createPack } = await import("../../publish/registry/create-pack.ts");
    const { packNameOf } = await import("../../bundle/pack-name.ts");
    const name = flags.name ?? packNameOf(resolve(streams.cwd, file));
    const workspaceId = /\bws-[A-Za-z0-9=_-]+/.exec(flags.workspace ?? "")?.[0] ?? flags.workspace;
    const { packId, path, isFound } = await createPack(client, folder, {
      name,
      description: flags.description,
      workspaceId,
    });
    const { origin } = client.registry;
    if (output.json)
      return output.document({ ok: true, registry: origin, packId, name, file: path, isFound });
    output.data(`${packId}  ${name}`);
    output.progress(
      `${output.style("good", isFound ? "found" : "created")}  ${origin}/p/${packId}`,
    );
    output.progress(
      `written  ${relative(streams.cwd, path)}: commit it, so that others publish the same Pack`,
    );
  });

  withCommonOptions(
    withRegistryOption(
      program
        .command("link")
        .description("Link a folder to a Pack that exists")
        .addHelpText(
          "after",
          examples(
            "packsmith link 1001",
            "packsmith link https://docs.example/p/1001",
            "packsmith link 1001 packs/tasks",
          ),
        )
        .argument("<pack>", "id of the Pack, or the address of its page")
        .argument("[folder]", "folder of the Pack", ".")
        .option("--force", "link the folder even if it is linked to another Pack"),
    ),
    async () => (await import("../outputs/registry-outputs.ts")).linkOutput,
  ).action(async (pack: string, given: string, flags: RegistryFlags & { force?: boolean }) => {
    const folder = resolve(streams.cwd, given);
    const { parsePackId } = await import("../../publish/registry/pack-id-file.ts");
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
        .argument("<pack>", "id of the Pack, or the address of its page")
        .argument("[folder]", "where to write the source", "."),
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
async function folderOf(file: string, cwd: string): Promise<string> {
  const path = resolve(cwd, file);
  const text = await readFile(path, "utf8").catch(() => undefined);
  if (text !== undefined) return dirname(path);
  throw new PackError("PACK_FILE_UNREADABLE", `${file} cannot be read.`, {
    details: { file },
    hint: "Pass the entry file of the Pack.",
  });
}
