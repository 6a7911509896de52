import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { isPackError, usageError } from "../../errors.ts";
import { type AccountFlags, printAccount, withAccountOptions } from "../account-verb.ts";
import { chooseAccount, localConnection } from "../local-option.ts";
import { printable } from "../output.ts";
import {
  accountOption,
  EXIT_CODES,
  examples,
  findSlot,
  type SlotFlags,
  type VerbContext,
  withCommonOptions,
  withSlotOptions,
} from "../verb.ts";
import { addClientMetadataVerb } from "./auth-client-metadata.ts";
import { addAuthConnectVerb } from "./auth-connect.ts";
import { addAuthDiscoverVerb } from "./auth-discover.ts";
import { addAuthTestVerb } from "./auth-test.ts";

export function addAuthVerbs(program: Command, context: VerbContext): void {
  const auth = program
    .command("auth")
    .description("Connect accounts and manage them")
    .addHelpText(
      "after",
      examples(
        "packsmith auth pack.ts",
        "packsmith auth list",
        "packsmith auth refresh pack.ts",
        "packsmith auth explain",
      ),
    );
  addAuthConnectVerb(auth, context);
  addAuthDiscoverVerb(auth, context);
  addClientMetadataVerb(auth, context);
  addList(auth, context);
  addRefresh(auth, context);
  addAllowHosts(auth, context);
  addRevoke(auth, context);
  addAuthTestVerb(auth, context);
  addExplain(auth, context);
  addDoctor(auth, context);
}

function addExplain(auth: Command, { streams, output, end }: VerbContext): void {
  withCommonOptions(
    auth
      .command("explain")
      .description("Show each step of the last connection attempt, and how to fix a failed step")
      .addHelpText("after", examples("packsmith auth explain", "packsmith auth explain --json")),
    async () => (await import("../outputs/account-outputs.ts")).flowOutput,
  ).action(async () => {
    const [{ readFlowRecord }, { homeDirectory }, { printFlow }] = await Promise.all([
      import("../../connect/flow-record.ts"),
      import("../../shared/folders.ts"),
      import("../flow.ts"),
    ]);
    const record = await readFlowRecord(homeDirectory(streams.env));
    if (!record.outcome.ok) end(EXIT_CODES.problem);
    if (output.json) return output.document({ ok: record.outcome.ok, flow: record });
    await printFlow(record, output);
  });
}

function addDoctor(auth: Command, { streams, output }: VerbContext): void {
  withCommonOptions(
    auth
      .command("doctor")
      .description(
        "Check the last provider's responses against the standards, and show which authentication options you can remove",
      )
      .addHelpText("after", examples("packsmith auth doctor", "packsmith auth doctor --json")),
    async () => (await import("../outputs/account-outputs.ts")).deviationsOutput,
  ).action(async () => {
    const [
      { readFlowRecord },
      { homeDirectory },
      { listDeviations, printDeviations, listRepeated },
    ] = await Promise.all([
      import("../../connect/flow-record.ts"),
      import("../../shared/folders.ts"),
      import("../flow.ts"),
    ]);
    const record = await readFlowRecord(homeDirectory(streams.env));
    if (output.json)
      return output.document({
        ok: true,
        pack: record.pack,
        deviations: listDeviations(record),
        repeated: listRepeated(record),
      });
    printDeviations(record, output);
  });
}

function addList(auth: Command, { streams, output }: VerbContext): void {
  withCommonOptions(
    withSlotOptions(auth.command("list"))
      .description("List the connected accounts, without their secrets")
      .addHelpText("after", examples("packsmith auth list", "packsmith auth list pack.ts --json"))
      .argument("[file]", "list only the accounts of this Pack")
      .addOption(accountOption("list only accounts with this name")),
    async () => (await import("../outputs/account-outputs.ts")).listOutput,
    "listAccounts",
  ).action(async (file: string | undefined, flags: SlotFlags & { account?: string }) => {
    const [{ listAccounts }, { keyLocation, vaultLocation }] = await Promise.all([
      import("../../connect/manage-accounts.ts"),
      import("../../accounts/vault-location.ts"),
    ]);
    const accounts = await listAccounts({
      file,
      account: flags.account,
      slot: findSlot(flags),
      cwd: streams.cwd,
      ...vaultLocation(streams.env),
    });
    if (accounts.length === 0 && file !== undefined) assertFile(file, streams.cwd);
    const { home } = vaultLocation(streams.env);
    const key = keyLocation(home);
    if (output.json)
      return output.document({
        ok: true,
        accounts,
        vault: { folder: home, key },
      });
    if (accounts.length === 0)
      output.progress("No account is connected. Run packsmith auth connect pack.ts.");
    for (const account of accounts) printAccount(account, output, streams.cwd);
    if (accounts.length > 0)
      output.progress(
        `their key is in ${key === "keychain" ? "the system's keychain" : `a file in ${home}`}`,
      );
  });
}

function addRefresh(auth: Command, { streams, output, redactor }: VerbContext): void {
  withAccountOptions(
    auth
      .command("refresh")
      .description("Request a new access token for an account")
      .addHelpText(
        "after",
        examples("packsmith auth refresh pack.ts", "packsmith auth refresh pack.ts --account work"),
      )
      .argument("<file>", "entry file of the Pack"),
    async () => (await import("../outputs/account-outputs.ts")).refreshOutput,
    "refreshAccount",
  ).action(async (file: string, flags: AccountFlags) => {
    const [{ refreshAccount }, { vaultLocation }, { parseWait }] = await Promise.all([
      import("../../connect/manage-accounts.ts"),
      import("../../accounts/vault-location.ts"),
      import("../parse-flags.ts"),
    ]);
    const requestTimeoutMs = parseWait("--request-timeout", flags.requestTimeout);
    const local = await localConnection(file, flags, streams);
    const account = await refreshAccount({
      file,
      requestTimeoutMs,
      account: chooseAccount(flags),
      slot: local?.slot ?? findSlot(flags),
      routes: [...(local?.routes ?? []), ...(flags.route ?? [])],
      cwd: streams.cwd,
      ...vaultLocation(streams.env),
      redactor,
    });
    if (output.json) return output.document({ ok: true, account });
    output.progress(output.style("good", "refreshed"));
    printAccount(account, output, streams.cwd);
  });
}

function addAllowHosts(auth: Command, { streams, output, redactor }: VerbContext): void {
  withCommonOptions(
    withSlotOptions(auth.command("allow-hosts"))
      .description("Allow an account to send data to all hosts that the Pack currently declares")
      .addHelpText(
        "after",
        examples(
          "packsmith auth allow-hosts pack.ts",
          "packsmith auth allow-hosts pack.ts --account work",
        ),
      )
      .argument("<file>", "entry file of the Pack")
      .addOption(accountOption("name of the account", "default")),
    async () => (await import("../outputs/account-outputs.ts")).allowHostsOutput,
  ).action(async (file: string, flags: SlotFlags & { account: string }) => {
    const [{ allowHosts }, { vaultLocation }] = await Promise.all([
      import("../../connect/manage-accounts.ts"),
      import("../../accounts/vault-location.ts"),
    ]);
    const location = vaultLocation(streams.env);
    const { hosts, added } = await allowHosts({
      file,
      account: flags.account,
      slot: findSlot(flags),
      cwd: streams.cwd,
      ...location,
      redactor,
    });
    if (output.json) return output.document({ ok: true, hosts, added });
    for (const host of hosts)
      output.data(`${host}${added.includes(host) ? `  ${output.style("warning", "new")}` : ""}`);
    output.progress(
      `${output.style("good", "allowed")}  requests to these hosts may carry the credentials of ${flags.account}`,
    );
  });
}

function addRevoke(auth: Command, { streams, output, redactor }: VerbContext): void {
  withAccountOptions(
    auth
      .command("revoke")
      .aliases(["logout", "disconnect"])
      .description("Revoke the tokens of an account, and delete the account")
      .addHelpText(
        "after",
        examples(
          "packsmith auth revoke pack.ts",
          "packsmith auth revoke pack.ts --account work",
          "packsmith auth revoke pack.ts --revocation-url https://login.example/revoke",
        ),
      )
      .argument("<file>", "entry file of the Pack")
      .option("--revocation-url <url>", "URL of the provider's revocation endpoint (RFC 7009)"),
    async () => (await import("../outputs/account-outputs.ts")).revokeOutput,
    "revokeAccount",
  ).action(async (file: string, flags: AccountFlags & { revocationUrl?: string }) => {
    const [{ revokeAccount }, { vaultLocation }, { checkUrlFlag, parseWait }] = await Promise.all([
      import("../../connect/manage-accounts.ts"),
      import("../../accounts/vault-location.ts"),
      import("../parse-flags.ts"),
    ]);
    const requestTimeoutMs = parseWait("--request-timeout", flags.requestTimeout);
    // A path is joined to the endpoint of the account.
    if (flags.revocationUrl?.startsWith("/") !== true)
      checkUrlFlag("--revocation-url", flags.revocationUrl);
    const local = await localConnection(file, flags, streams);
    const { revoked, warning } = await revokeAccount({
      file,
      requestTimeoutMs,
      account: chooseAccount(flags),
      slot: local?.slot ?? findSlot(flags),
      routes: [...(local?.routes ?? []), ...(flags.route ?? [])],
      revocationUrl: flags.revocationUrl ?? local?.revocationUrl,
      cwd: streams.cwd,
      ...vaultLocation(streams.env),
      redactor,
    }).catch((error: unknown) => {
      // An account outlives its file.
      if (isPackError(error, "ACCOUNT_MISSING")) assertFile(file, streams.cwd);
      throw error;
    });
    if (output.json) return output.document({ ok: true, forgotten: true, revoked, warning });
    if (warning !== undefined)
      output.progress(`${output.style("warning", "warning")}  ${printable(warning)}`);
    output.progress(
      `${output.style("good", "forgotten")}  ${chooseAccount(flags)}${revoked ? ", and its tokens are revoked" : ""}`,
    );
  });
}

/** @throws {PackError} USAGE_INVALID */
function assertFile(file: string, cwd: string): void {
  if (existsSync(resolve(cwd, file))) return;
  throw usageError(
    `The file ${file} does not exist, and no account belongs to this path.`,
    "Check the path. To list all accounts, run packsmith auth list.",
  );
}
