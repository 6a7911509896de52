import { type AskForTrust, findAnswer, storeAnswer } from "../shared/trusted-folders.ts";
import { isInteractive } from "./client-credentials.ts";
import { type Output, printable, type Streams } from "./output.ts";

/**
 * Asks once for each folder, and keeps the answer. Without a person to ask, says in one line what
 * is left out and how to allow it.
 */
export function createAskForTrust(streams: Streams, output: Output): AskForTrust {
  return async (folder, { name, without }) => {
    const isAsked = findAnswer(folder, streams.env) !== undefined;
    if (!isAsked && !output.json && isInteractive(streams)) {
      const { confirm } = await import("@clack/prompts");
      const answer = await confirm({
        message: `Do you trust ${printable(folder)}? If you answer yes, ${name} can run as you, outside of the sandbox.`,
        initialValue: false,
        input: streams.stdin as NodeJS.ReadStream,
        output: streams.stderr as NodeJS.WriteStream,
      });
      if (typeof answer === "boolean") storeAnswer({ folder, isTrusted: answer }, streams.env);
      if (answer === true) return true;
    }
    output.progress(
      `${output.style("warning", "not trusted")}  ${printable(folder)}  ${without}. If you trust this folder, run packsmith trust there, or pass --trust.`,
    );
    return false;
  };
}
