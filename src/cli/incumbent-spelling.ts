/**
 * The command line of `@codahq/packs-sdk` writes some options in another way. People have them in
 * scripts, so they are accepted; help does not show them.
 */

/** Options that take a value, and what they are called here. */
const RENAMED: Readonly<Record<string, string>> = {
  "--apiEndpoint": "--registry",
  "--api_endpoint": "--registry",
  "--apiToken": "--api-token",
  "--api_token": "--api-token",
  "--dynamicUrl": "--dynamic-url",
  "--dynamic_url": "--dynamic-url",
  "--timerStrategy": "--timer-strategy",
  "--timer_strategy": "--timer-strategy",
  "--maxRows": "--max-rows",
  "--max_rows": "--max-rows",
  "--outputDir": "--out-dir",
  "--output_dir": "--out-dir",
  "--oauthServerPort": "--port",
  "--oauth_server_port": "--port",
  "--extraOAuthScopes": "--scopes",
  "--extra_oauth_scopes": "--scopes",
};

/** Options without a value, and what they are called here when they are set, and when they are not. */
const SWITCHES: Readonly<Record<string, { on?: string; off?: string }>> = {
  "--minify": { off: "--no-minify" },
  "--fetch": { off: "--no-fetch" },
  "--gitTag": { on: "--git-tag", off: "--no-git-tag" },
  "--allowOlderSdkVersion": { on: "--allow-older-sdk-version" },
  // A formula always runs in the sandbox, several domains are allowed until the upload, and old
  // names are always reported.
  "--vm": {},
  "--no-vm": {},
  "--allowMultipleNetworkDomains": {},
  "--checkDeprecationWarnings": {},
};

/** Options with a value that changes nothing here: no files are written in between. */
const IGNORED = new Set(["--intermediateOutputDirectory", "--intermediate_output_directory"]);

/** Short options that mean something else in other commands. */
const SHORT: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  create: { "-n": "--name", "-d": "--description", "-w": "--workspace" },
  upload: { "-n": "--notes", "-o": "--intermediateOutputDirectory" },
  release: { "-n": "--notes", "-g": "--gitTag" },
};

/** @returns the words of a command line as this command line spells them */
export function translateSpelling(args: readonly string[]): string[] {
  const [verb = ""] = args;
  const translated: string[] = [];
  for (let index = 0; index < args.length; index++) {
    const word = args[index] ?? "";
    // What follows is data.
    if (word === "--") return [...translated, ...args.slice(index)];
    if (!word.startsWith("-")) {
      translated.push(word);
      continue;
    }
    const [, written = word, value] = /^(--?[A-Za-z][\w-]*)=(.*)$/s.exec(word) ?? [];
    const name = SHORT[verb]?.[written] ?? written;
    const next = args[index + 1];
    if (IGNORED.has(name)) {
      if (value === undefined) index++;
    } else if (RENAMED[name] !== undefined) {
      translated.push(value === undefined ? RENAMED[name] : `${RENAMED[name]}=${value}`);
    } else if (SWITCHES[name] !== undefined) {
      const isNextValue = value === undefined && /^(?:true|false)$/.test(next ?? "");
      if (isNextValue) index++;
      const isOn = (value ?? (isNextValue ? next : "true")) !== "false";
      const { on, off } = SWITCHES[name];
      const option = isOn ? on : off;
      if (option !== undefined) translated.push(option);
    } else
      translated.push(name === written ? word : value === undefined ? name : `${name}=${value}`);
  }
  return translated;
}
