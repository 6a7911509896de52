import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { usageError } from "../errors.ts";
import { findProgram } from "../shared/find-program.ts";
import { isInteractive } from "./client-credentials.ts";
import type { Streams } from "./output.ts";

/** @returns the editor of a person at a terminal, with its options; undefined in scripts */
export function findEditor(streams: Streams): string | undefined {
  const { env } = streams;
  return isInteractive(streams) ? env["VISUAL"] || env["EDITOR"] || undefined : undefined;
}

/**
 * Opens a text in an editor, and waits until it is closed.
 * @param editor a command with its options, such as `code --wait`
 * @returns the text as it was saved
 * @throws {PackError} USAGE_INVALID when the editor does not end with success
 */
export async function editText(
  text: string,
  name: string,
  editor: string,
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "packsmith-edit-"));
  try {
    const path = join(folder, name);
    await writeFile(path, `${text}\n`, { mode: 0o600 });
    await runEditor(editor, path, env);
    return await readFile(path, "utf8");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runEditor(editor: string, path: string, env: NodeJS.ProcessEnv): Promise<void> {
  const [command = "", ...options] = editor.split(/\s+/);
  const code = await new Promise<number | null>((resolve, reject) => {
    const program = findProgram(command, env, { outside: process.cwd() });
    if (program === undefined) throw new Error("not found");
    const child = spawn(program, [...options, path], { stdio: "inherit" });
    child.once("error", reject);
    child.once("exit", resolve);
  }).catch(() => null);
  if (code === 0) return;
  throw usageError(
    `The editor "${command.slice(0, 60)}" failed, so packsmith did not release anything.`,
    "Set EDITOR to an editor that waits until you close the file, or pass --notes.",
  );
}
