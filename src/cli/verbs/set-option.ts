import { dirname, relative, resolve } from "node:path";
import type { Command } from "commander";
import { usageError } from "../../errors.ts";
import { parseTimerStrategy } from "../parse-flags.ts";
import { examples, type VerbContext, withCommonOptions } from "../verb.ts";

const OPTIONS = ["timerStrategy", "gitTag", "apiEndpoint"] as const;

/**
 * `setOption`: keeps an option of a Pack in its file, as the command line of `@codahq/packs-sdk`
 * does.
 */
export function addSetOptionVerb(program: Command, { streams, output }: VerbContext): void {
  withCommonOptions(
    program
      .command("setOption", { hidden: true })
      .description(
        "Store an option of a Pack in .coda-pack.json: timerStrategy, gitTag or apiEndpoint",
      )
      .addHelpText("after", examples("packsmith setOption pack.ts timerStrategy fake"))
      .argument("<file>", "entry file of the Pack")
      .argument("<option>", "timerStrategy, gitTag or apiEndpoint")
      .argument("<value>", "new value of the option"),
    async () => (await import("../outputs/registry-outputs.ts")).setOptionOutput,
  ).action(async (file: string, option: string, value: string) => {
    const { writePackOptions } = await import("../../publish/registry/pack-id-file.ts");
    const folder = dirname(resolve(streams.cwd, file));
    const path = await writePackOptions(folder, await parseOption(option, value));
    if (output.json) return output.document({ ok: true, file: path });
    output.progress(`written  ${relative(streams.cwd, path)}`);
  });
}

/** @throws {PackError} USAGE_INVALID, REGISTRY_URL_INVALID */
async function parseOption(
  option: string,
  value: string,
): Promise<
  Parameters<typeof import("../../publish/registry/pack-id-file.ts")["writePackOptions"]>[1]
> {
  switch (option) {
    case "timerStrategy":
      return { timerStrategy: parseTimerStrategy(value) };
    case "gitTag":
      if (!/^(?:true|false)$/i.test(value))
        throw usageError(`gitTag cannot have the value "${value}".`, "Write true or false.");
      return { gitTag: value.toLowerCase() === "true" };
    case "apiEndpoint": {
      const { registryAddress } = await import("../../publish/registry/registry-address.ts");
      return { apiEndpoint: registryAddress(value, {}, undefined).origin };
    }
    default:
      throw usageError(`There is no option "${option}".`, `Use one of ${OPTIONS.join(", ")}.`);
  }
}
