import { dirname, resolve } from "node:path";
import type { Command } from "commander";
import { printable } from "../output.ts";
import { openRegistryPack, type RegistryFlags, withRegistryOption } from "../registry.ts";
import { examples, type VerbContext, withCommonOptions } from "../verb.ts";
import { printChanges } from "./diff.ts";

/** `versions`, `releases` and `rollback`: what a registry has of a Pack. */
export function addVersionVerbs(program: Command, context: VerbContext): void {
  const { streams, output, signal } = context;
  const openPack = (file: string, flags: RegistryFlags) =>
    openRegistryPack(context, flags, dirname(resolve(streams.cwd, file)));
  withCommonOptions(
    withRegistryOption(
      program
        .command("versions")
        .description("List the uploaded versions of a Pack, the newest first")
        .addHelpText(
          "after",
          examples("packsmith versions", "packsmith versions packs/tasks/pack.ts --json"),
        )
        .argument("[file]", "entry file of the Pack", "pack.ts"),
    ),
    async () => (await import("../outputs/registry-outputs.ts")).versionsOutput,
  ).action(async (file: string, flags: RegistryFlags) => {
    const { client, packId } = await openPack(file, flags);
    const { notesOf } = await import("../../publish/registry/build-notes.ts");
    const { listVersions } = await import("../../publish/registry/registry-versions.ts");
    const versions = await listVersions(client, packId);
    if (output.json) return output.document({ ok: true, packId, versions });
    for (const { packVersion, createdAt, creationUserLoginId, releaseId, buildNotes } of versions) {
      const released = releaseId === undefined ? "" : `  release ${releaseId}`;
      output.data(
        `${packVersion.padEnd(10)}  ${createdAt.slice(0, 16).replace("T", " ")}  ${creationUserLoginId}${released}  ${printable(notesOf(buildNotes))}`.trimEnd(),
      );
    }
    if (versions.length === 0) output.progress("no version yet");
  });

  withCommonOptions(
    withRegistryOption(
      program
        .command("releases")
        .summary("List the releases of a Pack, the newest first")
        .description(
          "List the releases of a Pack, the newest first: its version is what users have",
        )
        .addHelpText("after", examples("packsmith releases", "packsmith releases --json"))
        .argument("[file]", "entry file of the Pack", "pack.ts"),
    ),
    async () => (await import("../outputs/registry-outputs.ts")).releasesOutput,
  ).action(async (file: string, flags: RegistryFlags) => {
    const { client, packId } = await openPack(file, flags);
    const { listReleases } = await import("../../publish/registry/registry-versions.ts");
    const releases = await listReleases(client, packId);
    if (output.json) return output.document({ ok: true, packId, releases });
    for (const { releaseId, packVersion, createdAt, releaseNotes } of releases)
      output.data(
        `${String(releaseId).padEnd(4)}  ${packVersion.padEnd(10)}  ${createdAt.slice(0, 16).replace("T", " ")}  ${printable(releaseNotes)}`.trimEnd(),
      );
    if (releases.length === 0) output.progress("no release yet");
  });

  withCommonOptions(
    withRegistryOption(
      program
        .command("rollback")
        .summary("Give users an older version again")
        .description(
          "Give users an older version again: its source, from git, is released as a new version",
        )
        .addHelpText(
          "after",
          examples(
            "packsmith rollback 1.2.0",
            'packsmith rollback 1.2.0 --notes "1.3.0 loses rows"',
          ),
        )
        .argument("<version>", "the version that users get back")
        .argument("[file]", "entry file of the Pack", "pack.ts")
        .option("--notes <text>", "why, for the users of the Pack"),
    ),
    async () => (await import("../outputs/registry-outputs.ts")).rollbackOutput,
  ).action(async (version: string, file: string, flags: RegistryFlags & { notes?: string }) => {
    const { client } = await openPack(file, flags);
    const { rollBack } = await import("../../publish/registry/roll-back.ts");
    const { notes } = flags;
    const done = await rollBack(file, { cwd: streams.cwd, client, version, notes, signal });
    if (output.json) return output.document({ ok: true, ...done });
    if (done.isCurrent) return output.progress(`${version} is what users have already`);
    printChanges(done.changes ?? [], output);
    const { packId, release, previous } = done;
    output.data(
      `${output.style("good", "released")}  Pack ${packId}  ${release.packVersion}  release ${release.releaseId}`,
    );
    output.progress(`users had ${previous}; ${release.packVersion} has the source of ${version}`);
  });
}
