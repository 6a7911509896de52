import { type Command, Option } from "commander";
import { usageError } from "../../errors.ts";
import type { InvitationAccess } from "../../publish/registry/invitations.ts";
import type { OwnInvitationSummary } from "../../publish/registry/own-invitation.ts";
import { type ManyFlags, printTitle, runPacks, withContinuation } from "../many-packs.ts";
import { printable } from "../output.ts";
import { openRegistry, type RegistryFlags, withRegistryOption } from "../registry.ts";
import { examples, type VerbContext, withCommonOptions } from "../verb.ts";

const ACCESS = ["view", "test", "edit", "admin"] as const satisfies InvitationAccess[];

/** Invitations to Packs: sent to others, and received by the user of the token. */
export function addInvitationVerbs(config: Command, context: VerbContext): void {
  addInvite(config, context);
  addUninvite(config, context);
  addInvitations(config, context);
  addReply(config, context, true);
  addReply(config, context, false);
  addLeave(config, context);
}

function addInvite(config: Command, context: VerbContext): void {
  const { output } = context;
  withCommonOptions(
    withContinuation(
      config
        .command("invite")
        .argument("<email>", "email address of the user to invite")
        .summary("Invite someone to Packs")
        .description("Invite someone to Packs, or change the access level of a pending invitation")
        .addHelpText(
          "after",
          examples(
            "packsmith config invite grace@tasks.example --access test",
            'packsmith config invite grace@tasks.example "packs/*/pack.ts" --access edit',
          ),
        )
        .addOption(
          new Option("--access <access>", "access level of the invited user")
            .choices(ACCESS)
            .default("test"),
        ),
    ),
    async () => (await import("../outputs/registry-outputs.ts")).configInviteOutput,
  ).action(
    async (email: string, patterns: string[], flags: ManyFlags & { access: InvitationAccess }) => {
      const { access } = flags;
      requireEmail(email);
      const { invite } = await import("../../publish/registry/invitations.ts");
      await runPacks(context, {
        patterns,
        flags,
        async work({ file, client, readPackId }) {
          const packId = readPackId();
          return { file, packId, ...(await invite(client, packId, { email, access })) };
        },
        print({ file, packId, outcome }, isOne) {
          printTitle(output, file, isOne);
          output.progress(
            outcome === "unchanged"
              ? `${printable(email)} already has an invitation to Pack ${packId} with ${access} access`
              : `${output.style("good", outcome)}  ${printable(email)}  ${access} access to Pack ${packId}`,
          );
        },
        mayContinue: true,
        word: ({ outcome }) => outcome,
      });
    },
  );
}

function addUninvite(config: Command, context: VerbContext): void {
  const { output } = context;
  withCommonOptions(
    withContinuation(
      config
        .command("uninvite")
        .argument("<email>", "email address of the invited user")
        .description("Withdraw a pending invitation to Packs")
        .addHelpText(
          "after",
          examples(
            "packsmith config uninvite grace@tasks.example",
            'packsmith config uninvite grace@tasks.example "packs/*/pack.ts"',
          ),
        ),
    ),
    async () => (await import("../outputs/registry-outputs.ts")).configUninviteOutput,
  ).action(async (email: string, patterns: string[], flags: ManyFlags) => {
    requireEmail(email);
    const { withdrawInvitation } = await import("../../publish/registry/invitations.ts");
    await runPacks(context, {
      patterns,
      flags,
      async work({ file, client, readPackId }) {
        const packId = readPackId();
        return { file, packId, isWithdrawn: await withdrawInvitation(client, packId, email) };
      },
      print({ file, packId, isWithdrawn }, isOne) {
        printTitle(output, file, isOne);
        output.progress(
          isWithdrawn
            ? `${output.style("good", "withdrawn")}  the invitation of ${printable(email)} to Pack ${packId}`
            : `${printable(email)} has no pending invitation to Pack ${packId}`,
        );
      },
      mayContinue: true,
      word: ({ isWithdrawn }) => (isWithdrawn ? "withdrawn" : "nothing pending"),
    });
  });
}

function addInvitations(config: Command, context: VerbContext): void {
  const { streams, output } = context;
  withCommonOptions(
    withRegistryOption(
      config
        .command("invitations")
        .description("List the Packs that you are invited to")
        .addHelpText(
          "after",
          examples("packsmith config invitations", "packsmith config invitations --json"),
        ),
    ),
    async () => (await import("../outputs/registry-outputs.ts")).configInvitationsOutput,
  ).action(async (flags: RegistryFlags) => {
    const client = await openRegistry(context, flags, streams.cwd);
    const { listOwnInvitations } = await import("../../publish/registry/invitations.ts");
    const invitations = await listOwnInvitations(client);
    if (output.json) return output.document({ ok: true, invitations });
    for (const invitation of invitations) {
      const { packId, packName, access, expiresAt } = invitation;
      output.data(
        `${packId}  ${printable(packName)}  ${access}  until ${expiresAt.slice(0, 10)}  ${describeOrigin(invitation)}`,
      );
    }
    output.progress(
      invitations.length === 0
        ? "no invitation is pending"
        : "accept one with packsmith config accept ID, or decline it with packsmith config decline ID",
    );
  });
}

/** Who made the Pack and where its requests go: what one wants to know before accepting. */
function describeOrigin({ makers, networkDomains }: OwnInvitationSummary): string {
  const domains = networkDomains.length === 0 ? "no domain" : networkDomains.join(", ");
  return printable(`by ${makers.join(", ") || "an unknown maker"}; sends requests to ${domains}`);
}

function addReply(config: Command, context: VerbContext, accepted: boolean): void {
  const { streams, output } = context;
  const name = accepted ? "accept" : "decline";
  withCommonOptions(
    withRegistryOption(
      config
        .command(name)
        .argument("<id>", "ID of the Pack, or ID of the invitation")
        .description(
          accepted ? "Accept an invitation to a Pack" : "Decline an invitation to a Pack",
        )
        .addHelpText(
          "after",
          examples(`packsmith config ${name} 1001`, `packsmith config ${name} 1001 --json`),
        ),
    ),
    async () => (await import("../outputs/registry-outputs.ts")).configReplyOutput,
  ).action(async (id: string, flags: RegistryFlags) => {
    const client = await openRegistry(context, flags, streams.cwd);
    const { replyToInvitation } = await import("../../publish/registry/invitations.ts");
    const invitation = await replyToInvitation(client, id, accepted);
    if (output.json) return output.document({ ok: true, accepted, ...invitation });
    const { packId, packName, access } = invitation;
    const pack = `Pack ${packId} (${printable(packName)})`;
    output.progress(
      accepted
        ? `${output.style("good", "accepted")}  you have ${access} access to ${pack}; to link this folder to the Pack, run packsmith link ${packId}`
        : `${output.style("good", "declined")}  the invitation to ${pack}`,
    );
  });
}

function addLeave(config: Command, context: VerbContext): void {
  const { streams, output } = context;
  withCommonOptions(
    withRegistryOption(
      config
        .command("leave")
        .argument("<id>", "ID of the Pack")
        .description("Give up your access to a Pack")
        .addHelpText(
          "after",
          examples("packsmith config leave 1001", "packsmith config leave 1001 --json"),
        ),
    ),
    async () => (await import("../outputs/registry-outputs.ts")).configLeaveOutput,
  ).action(async (id: string, flags: RegistryFlags) => {
    if (!/^[1-9]\d{0,8}$/.test(id))
      throw usageError(
        `"${id.slice(0, 60)}" is not a valid Pack ID.`,
        "Pass the ID of the Pack, such as 1001.",
      );
    const packId = Number(id);
    const client = await openRegistry(context, flags, streams.cwd);
    const { leavePack } = await import("../../publish/registry/invitations.ts");
    const isLeft = await leavePack(client, packId);
    if (output.json) return output.document({ ok: true, packId, isLeft });
    output.progress(
      isLeft
        ? `${output.style("good", "left")}  Pack ${packId}: you no longer have access`
        : `you do not have your own permission for Pack ${packId}`,
    );
  });
}

/** @throws {PackError} USAGE_INVALID */
function requireEmail(text: string): void {
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text))
    throw usageError(
      `"${text.slice(0, 100)}" is not an email address.`,
      "Pass an email address such as grace@tasks.example.",
    );
}
