import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { lstat, readdir, readFile } from "node:fs/promises";
import { basename, join, relative, resolve, sep } from "node:path";
import { text } from "node:stream/consumers";
import { accountLabel, secretsOf } from "../accounts/account.ts";
import type { KeyStore } from "../accounts/key-file.ts";
import { openVault } from "../accounts/vault.ts";
import { PackError } from "../errors.ts";
import { createRedactor, type Redactor } from "../shared/redact.ts";
import { LEAK_PATTERNS, type LeakKind } from "./leak-patterns.ts";

export interface FindLeaksOptions {
  /** The project's folder. @default the current folder */
  directory?: string | undefined;
  cwd: string;
  /** Folder of the vault. */
  home: string;
  /**
   * A `postgres://` URL of a server that has the vault's records. @default they are in the folder
   */
  databaseUrl?: string | undefined;
  /** Where the key of a new vault is stored. @default a key file */
  keyStore?: KeyStore | undefined;
  /** Receives the vault's secrets, so that no path or message shows one. */
  redactor: Redactor;
}

/** Where a secret was found. Never the secret. */
export interface Leak {
  kind: LeakKind;
  message: string;
  /** Relative to the folder that was searched, with `/`. */
  file: string;
  /** Counted from 1. */
  line: number;
  /** Counted from 1. */
  column: number;
}

export interface LeakReport {
  leaks: Leak[];
  /** The number of files that were read. */
  files: number;
  /** Files that were too large to read. */
  skipped: string[];
  /** The number of accounts whose secrets were searched. */
  accounts: number;
}

const MAX_FILE_BYTES = 20_000_000;
/** Shorter secrets occur by chance. */
const MIN_SECRET_LENGTH = 8;
const GIT_TIMEOUT_MS = 10_000;
/** Installed packages, and the history, which cannot be fixed by editing files. */
/** The file in which `@codahq/packs-sdk` keeps API tokens. */
const REGISTRY_TOKEN_FILE = ".coda.json";
const SKIPPED_FOLDERS = new Set(["node_modules", ".git"]);

/**
 * Searches a project for the secrets of the vault, in every encoding, and for text that looks like
 * a secret. Files that git ignores,
 * such as `.env`, may contain other secrets, but none of the vault's.
 * @throws {PackError} DIRECTORY_UNREADABLE; VAULT_ codes and DATABASE_ codes when the vault cannot
 *   be read
 */
export async function findLeaks(options: FindLeaksOptions): Promise<LeakReport> {
  const directory = resolve(options.cwd, options.directory ?? ".");
  const known = await vaultSecrets(options);
  const paths = await filesOf(directory);
  const ignored = await ignoredByGit(directory, paths);
  const leaks: Leak[] = [];
  const skipped: string[] = [];
  for (const path of paths) {
    const file = relative(directory, path).split(sep).join("/");
    const bytes = (await lstat(path)).size;
    if (bytes > MAX_FILE_BYTES) {
      skipped.push(file);
      continue;
    }
    const content = await readFile(path, "utf8");
    leaks.push(...known.flatMap((account) => vaultLeaks(file, content, account)));
    // Every program of the user can read it, so it is reported even where git ignores it.
    if (basename(path) === REGISTRY_TOKEN_FILE) leaks.push(...registryTokens(file, content));
    if (!ignored.has(path)) leaks.push(...patternLeaks(file, content));
  }
  return {
    leaks: inOrder(leaks),
    files: paths.length - skipped.length,
    skipped,
    accounts: known.length,
  };
}

interface KnownAccount {
  label: string;
  /** Finds a secret by redacting the text that contains it. */
  finder: Redactor;
}

async function vaultSecrets({
  home,
  databaseUrl,
  keyStore,
  redactor,
}: FindLeaksOptions): Promise<KnownAccount[]> {
  // A search must not create a vault.
  if (databaseUrl === undefined && !existsSync(join(home, "vault.db"))) return [];
  await using vault = await openVault({ directory: home, databaseUrl, keyStore });
  const known: KnownAccount[] = [];
  for (const { key, packName } of await vault.list()) {
    const account = await vault.get(key);
    if (account === undefined) continue;
    const finder = createRedactor();
    for (const secret of secretsOf(account)) {
      redactor.add(secret);
      if (secret.length >= MIN_SECRET_LENGTH) finder.add(secret);
    }
    known.push({ label: `"${accountLabel(key)}" of ${packName}`, finder });
  }
  return known;
}

async function filesOf(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch((error: unknown) => {
    throw new PackError("DIRECTORY_UNREADABLE", `The folder ${directory} cannot be read.`, {
      details: { path: directory },
      hint: "Pass a folder that exists and that you can read.",
      cause: error,
    });
  });
  const nested = entries
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(async (entry) => {
      const path = join(directory, entry.name);
      if (entry.isDirectory()) return SKIPPED_FOLDERS.has(entry.name) ? [] : filesOf(path);
      // The target of a link is searched in its own folder.
      return entry.isFile() ? [path] : [];
    });
  return (await Promise.all(nested)).flat();
}

/** The paths that git ignores: none without git, or outside a repository. */
async function ignoredByGit(directory: string, paths: readonly string[]): Promise<Set<string>> {
  const child = spawn("git", ["check-ignore", "--stdin", "-z"], {
    cwd: directory,
    stdio: ["pipe", "pipe", "ignore"],
    timeout: GIT_TIMEOUT_MS,
  });
  const ended = new Promise<void>((end) => child.on("error", () => end()).on("close", () => end()));
  child.stdin.on("error", () => {});
  child.stdin.end(paths.join("\0"));
  const [output] = await Promise.all([text(child.stdout).catch(() => ""), ended]);
  return new Set(output.split("\0").filter((path) => path !== ""));
}

function vaultLeaks(file: string, content: string, { label, finder }: KnownAccount): Leak[] {
  if (finder.text(content) === content) return [];
  const message = `contains a secret of the account ${label}`;
  return content.split("\n").flatMap((line, index) => {
    const masked = finder.text(line);
    return masked === line
      ? []
      : [
          {
            kind: "vault-secret" as const,
            message,
            file,
            line: index + 1,
            column: firstDifference(line, masked) + 1,
          },
        ];
  });
}

function patternLeaks(file: string, content: string): Leak[] {
  return LEAK_PATTERNS.flatMap(({ kind, message, pattern, isSecret }) =>
    [...content.matchAll(pattern)].flatMap((match) => {
      const value = match.slice(1).find((group) => group !== undefined) ?? match[0];
      return isSecret(value)
        ? [{ kind, message, file, ...positionOf(content, match.index + match[0].indexOf(value)) }]
        : [];
    }),
  );
}

function registryTokens(file: string, content: string): Leak[] {
  const message = "contains the token of a registry; run packsmith login, then delete the file";
  return [...content.matchAll(/"[^"]+"\s*:\s*"([^"]{8,})"/g)].map((match) => ({
    kind: "registry-token" as const,
    message,
    file,
    ...positionOf(content, match.index + match[0].lastIndexOf(match[1] ?? "")),
  }));
}

function positionOf(content: string, offset: number): { line: number; column: number } {
  const before = content.slice(0, offset);
  const lineStart = before.lastIndexOf("\n") + 1;
  return { line: before.split("\n").length, column: offset - lineStart + 1 };
}

function firstDifference(a: string, b: string): number {
  let index = 0;
  while (index < a.length && a[index] === b[index]) index++;
  return index;
}

/** Sorts by place, and keeps only the first finding of each place. */
function inOrder(leaks: readonly Leak[]): Leak[] {
  const sorted = leaks.toSorted((a, b) =>
    a.file === b.file ? a.line - b.line || a.column - b.column : a.file < b.file ? -1 : 1,
  );
  return sorted.filter((leak, index) => {
    const before = sorted[index - 1];
    return before?.file !== leak.file || before.line !== leak.line || before.column !== leak.column;
  });
}
