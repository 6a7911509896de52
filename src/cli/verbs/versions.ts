import type { Command } from "commander";
import {
  type ManyFlags,
  printTitle,
  runPacks,
  withContinuation,
  withManyPacks,
} from "../many-packs.ts";
import { printable } from "../output.ts";
import { examples, type VerbContext, withCommonOptions } from "../verb.ts";
import { printChanges } from "./diff.ts";

/** `versions`, `releases` and `rollback`: what a registry has of Packs. */
export function addVersionVerbs(program: Command, context: VerbContext): void {
  const { streams, output, signal } = context;
  withCommonOptions(
    withManyPacks(
      program
        .command("versions")
        .description("List the uploaded versions of Packs, newest first")
        .addHelpText(
          "after",
          examples("packsmith versions", 'packsmith versions "packs/*/pack.ts" --json'),
        ),
    ),
    async () => (await import("../outputs/registry-outputs.ts")).versionsOutput,
  ).action(async (patterns: string[], flags: ManyFlags) => {
    const { formatNotes } = await import("../../publish/registry/build-notes.ts");
    const { listVersions } = await import("../../publish/registry/registry-versions.ts");
    await runPacks(context, {
      patterns,
      flags,
      async work({ file, client, readPackId }) {
        const packId = readPackId();
        return { file, packId, versions: await listVersions(client, packId) };
      },
      print({ file, versions }, isOne) {
        printTitle(output, file, isOne);
        for (const version of versions) {
          const { packVersion, createdAt, creationUserLoginId, releaseId, buildNotes } = version;
          const released = releaseId === undefined ? "" : `  release ${releaseId}`;
          output.data(
            `${packVersion.padEnd(10)}  ${createdAt.slice(0, 16).replace("T", " ")}  ${creationUserLoginId}${released}  ${printable(formatNotes(buildNotes))}`.trimEnd(),
          );
        }
        if (versions.length === 0) output.progress("no version yet");
      },
    });
  });

  withCommonOptions(
    withManyPacks(
      program
        .command("releases")
        .summary("List the releases of Packs, newest first")
        .description(
          "List the releases of Packs, newest first. Users have the version at the top of the list",
        )
        .addHelpText("after", examples("packsmith releases", "packsmith releases --json")),
    ),
    async () => (await import("../outputs/registry-outputs.ts")).releasesOutput,
  ).action(async (patterns: string[], flags: ManyFlags) => {
    const { listReleases } = await import("../../publish/registry/registry-versions.ts");
    await runPacks(context, {
      patterns,
      flags,
      async work({ file, client, readPackId }) {
        const packId = readPackId();
        return { file, packId, releases: await listReleases(client, packId) };
      },
      print({ file, releases }, isOne) {
        printTitle(output, file, isOne);
        for (const { releaseId, packVersion, createdAt, releaseNotes } of releases)
          output.data(
            `${String(releaseId).padEnd(4)}  ${packVersion.padEnd(10)}  ${createdAt.slice(0, 16).replace("T", " ")}  ${printable(releaseNotes)}`.trimEnd(),
          );
        if (releases.length === 0) output.progress("no release yet");
      },
    });
  });

  withCommonOptions(
    withContinuation(
      program
        .command("rollback")
        .summary("Release an older version again")
        .description("Release an older version again as a new version, with its source from git")
        .addHelpText(
          "after",
          examples(
            "packsmith rollback 1.2.0",
            'packsmith rollback 1.2.0 --notes "1.3.0 loses rows"',
            'packsmith rollback 1.2.0 "packs/*/pack.ts"',
          ),
        )
        .argument("<version>", "older version to release again")
        .option("--notes <text>", "release notes for users, such as the reason for the rollback"),
    ),
    async () => (await import("../outputs/registry-outputs.ts")).rollbackOutput,
  ).action(async (version: string, patterns: string[], flags: ManyFlags & { notes?: string }) => {
    const { rollBack } = await import("../../publish/registry/roll-back.ts");
    const { notes } = flags;
    await runPacks(context, {
      patterns,
      flags,
      work: async ({ file, client }) => ({
        file,
        ...(await rollBack(file, { cwd: streams.cwd, client, version, notes, signal })),
      }),
      print({ file, packId, release, isCurrent, previous, changes }, isOne) {
        printTitle(output, file, isOne);
        if (isCurrent) {
          output.progress(
            release.packVersion === version
              ? `users already have ${version}`
              : `users have the source of ${version} already, as ${release.packVersion}`,
          );
          return;
        }
        printChanges(changes ?? [], output);
        output.data(
          `${output.style("good", "released")}  Pack ${packId}  ${release.packVersion}  release ${release.releaseId}`,
        );
        output.progress(
          `users had ${previous}; ${release.packVersion} has the source of ${version}`,
        );
      },
      mayContinue: true,
      word: ({ isCurrent }) => (isCurrent ? "unchanged" : "released"),
    });
  });
}
