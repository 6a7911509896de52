import { CommandProblem, parseShellWords } from "./shell-words.ts";

/** The request that a curl command sends. */
export interface CurlRequest {
  method: string;
  url: string;
  /**
   * In the order in which they are sent, with the names as written. Without those that curl adds to
   * every request.
   */
  headers: (readonly [name: string, value: string])[];
  body: string | undefined;
  /** What the command does that cannot be compared, such as reading a file. */
  notes: string[];
}

/** Options without an argument that change nothing about the request. */
const IGNORED = new Set(
  "-s --silent -S --show-error -v --verbose -i --include -k --insecure -L --location --location-trusted -f --fail --fail-with-body -N --no-buffer -g --globoff -# --progress-bar -O --remote-name -J --remote-header-name --compressed --http1.0 --http1.1 --http2 --http2-prior-knowledge --http3 -4 --ipv4 -6 --ipv6 --tlsv1.2 --tlsv1.3 --no-keepalive --path-as-is --raw --tcp-nodelay -q --disable --no-progress-meter".split(
    " ",
  ),
);
/** Options with an argument that change nothing about the request. */
const IGNORED_WITH_VALUE = new Set(
  "-o --output -m --max-time --connect-timeout -w --write-out --retry --retry-delay --retry-max-time -x --proxy -c --cookie-jar --cacert --capath -E --cert --key --resolve --connect-to --max-redirs --limit-rate -D --dump-header --trace --trace-ascii --stderr --ciphers --interface --dns-servers".split(
    " ",
  ),
);
/** The long name of each short option that is read. */
const LONG: Readonly<Record<string, string>> = {
  "-X": "--request",
  "-H": "--header",
  "-d": "--data",
  "-F": "--form",
  "-u": "--user",
  "-A": "--user-agent",
  "-e": "--referer",
  "-b": "--cookie",
  "-G": "--get",
  "-I": "--head",
  "-T": "--upload-file",
};
const DATA = new Set([
  "--data",
  "--data-ascii",
  "--data-raw",
  "--data-binary",
  "--data-urlencode",
  "--json",
]);
const WITH_VALUE = new Set([
  ...DATA,
  ...[
    "--request",
    "--header",
    "--form",
    "--form-string",
    "--user",
    "--user-agent",
    "--referer",
    "--cookie",
    "--upload-file",
  ],
  ...["--url", "--oauth2-bearer"],
]);

/**
 * Reads a curl command without running it.
 * @throws {CommandProblem} when it is not one curl command, or has an option that the page does not
 *   know
 */
export function parseCurl(text: string): CurlRequest {
  const options = openOptions(readOptions(readWords(text)));
  const { has } = options;
  const url = readUrl(options.listValues("--url"));
  const notes: string[] = [];
  const data = options.given
    .filter(([option]) => DATA.has(option))
    .map(([option, value]) => readData(option, value, notes));
  if (hasForm(options))
    notes.push(
      "The command sends a multipart form. This page does not compare the parts of the form.",
    );
  if (has("--upload-file"))
    notes.push("The command sends a file. This page does not compare the body.");
  const joined = data.length === 0 ? undefined : data.join(has("--json") ? "" : "&");
  const isInQuery = has("--get");
  const body = isInQuery ? undefined : joined;
  return {
    method: options.findLast("--request") ?? chooseMethod(options, body),
    url: withQuery(url, isInQuery ? joined : undefined),
    headers: readHeaders(
      options.listValues("--header"),
      listImpliedHeaders(options, body, notes),
      notes,
    ),
    body,
    notes,
  };
}

/** @returns the arguments of curl */
function readWords(text: string): string[] {
  const [program = "", ...words] = parseShellWords(text.trim().replace(/^\$ /, ""));
  if (!/(^|[\\/])curl(\.exe)?$/.test(program)) {
    throw new CommandProblem(
      "This is not a curl command. In a browser's developer tools, choose Copy as cURL (bash).",
    );
  }
  if (/\^[\r\n"]/.test(text))
    throw new CommandProblem(
      "This command is for the Windows command prompt. Choose Copy as cURL (bash).",
    );
  return words;
}

type GivenOptions = ReturnType<typeof openOptions>;

function openOptions(given: readonly (readonly [name: string, value: string])[]) {
  return {
    given,
    has: (name: string): boolean => given.some(([option]) => option === name),
    findLast: (name: string): string | undefined =>
      given.findLast(([option]) => option === name)?.[1],
    listValues: (name: string): string[] =>
      given.filter(([option]) => option === name).map(([, value]) => value),
  };
}

function readUrl([url, ...others]: readonly string[]): string {
  if (url === undefined) throw new CommandProblem("The command has no URL.");
  if (others.length > 0)
    throw new CommandProblem("The command has more than one URL. Paste a command for one request.");
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? url : `http://${url}`;
}

function hasForm({ has }: GivenOptions): boolean {
  return has("--form") || has("--form-string");
}

function chooseMethod(options: GivenOptions, body: string | undefined): string {
  const { has } = options;
  if (has("--head")) return "HEAD";
  if (has("--get")) return "GET";
  if (has("--upload-file")) return "PUT";
  return body !== undefined || hasForm(options) ? "POST" : "GET";
}

/** The headers that curl adds for other options than `--header`. */
function listImpliedHeaders(
  { has, findLast }: GivenOptions,
  body: string | undefined,
  notes: string[],
): (readonly [string, string])[] {
  const isJson = has("--json") && !has("--get");
  const isForm = body !== undefined && !isJson;
  return [
    ...entry("Content-Type", isJson ? "application/json" : undefined),
    ...entry("Accept", isJson ? "application/json" : undefined),
    ...entry("Content-Type", isForm ? "application/x-www-form-urlencoded" : undefined),
    ...entry("User-Agent", findLast("--user-agent")),
    ...entry("Referer", findLast("--referer")),
    ...readCookie(findLast("--cookie"), notes),
    ...entry("Authorization", encodeBasic(findLast("--user"))),
    ...entry("Authorization", addPrefix("Bearer ", findLast("--oauth2-bearer"))),
  ];
}

/** Each option with its long name and its value; a URL as `--url`. */
function readOptions(words: readonly string[]): (readonly [name: string, value: string])[] {
  const options: (readonly [string, string])[] = [];
  let at = 0;
  const nextValue = (name: string): string => {
    at += 1;
    const value = words[at];
    if (value === undefined)
      throw new CommandProblem(`The option ${name} has no value. Copy the complete command.`);
    return value;
  };
  for (; at < words.length; at++) {
    const word = words[at] ?? "";
    if (!word.startsWith("-") || word === "-") options.push(["--url", word]);
    else if (word === "--next" || word === "-:")
      throw new CommandProblem(
        "The command sends more than one request. Paste a command for one request.",
      );
    else if (word.startsWith("--")) {
      if (WITH_VALUE.has(word)) options.push([word, nextValue(word)]);
      else if (word === "--get" || word === "--head") options.push([word, ""]);
      else if (IGNORED_WITH_VALUE.has(word)) nextValue(word);
      else if (!IGNORED.has(word)) throw unknown(word);
    } else {
      // Short options can be written together, and the value of the last one without a space:
      // -sXPOST.
      for (let index = 1; index < word.length; index++) {
        const short = `-${word[index]}`;
        const long = LONG[short];
        if (long === "--get" || long === "--head") options.push([long, ""]);
        else if (long !== undefined || IGNORED_WITH_VALUE.has(short)) {
          const value = index + 1 < word.length ? word.slice(index + 1) : nextValue(short);
          if (long !== undefined) options.push([long, value]);
          break;
        } else if (!IGNORED.has(short)) throw unknown(short);
      }
    }
  }
  return options;
}

function unknown(option: string): CommandProblem {
  return new CommandProblem(
    `This page does not know the option ${option} of curl. Remove the option, and paste the command again.`,
  );
}

/**
 * The headers as curl sends them: `Name:` removes one, `Name;` sends it empty, and a given one
 * replaces an implied one.
 */
function readHeaders(
  given: readonly string[],
  implied: readonly (readonly [string, string])[],
  notes: string[],
): CurlRequest["headers"] {
  const own: (readonly [string, string])[] = [];
  const named = new Set<string>();
  for (const text of given) {
    const [, name = "", separator, value = ""] = /^([^:;]+)([:;])\s*([\s\S]*)$/.exec(text) ?? [];
    if (text.startsWith("@"))
      notes.push(
        "The command reads headers from a file. This page does not compare these headers.",
      );
    if (name === "" || text.startsWith("@")) continue;
    named.add(name.trim().toLowerCase());
    if (separator === ";" ? value === "" : value !== "") own.push([name.trim(), value.trim()]);
  }
  return [...implied.filter(([name]) => !named.has(name.toLowerCase())), ...own];
}

function readData(option: string, value: string, notes: string[]): string {
  const isFile =
    option !== "--data-raw" &&
    (value.startsWith("@") || (option === "--data-urlencode" && /^[^=]*@/.test(value)));
  if (isFile) {
    notes.push("The command reads its body from a file. This page does not compare the body.");
    return "";
  }
  if (option !== "--data-urlencode") return value;
  const [, name, content = value] = /^([^=]*)=([\s\S]*)$/.exec(value) ?? [];
  const encoded = encodeURIComponent(content).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return name === undefined || name === "" ? encoded : `${name}=${encoded}`;
}

function readCookie(value: string | undefined, notes: string[]): (readonly [string, string])[] {
  if (value === undefined || value.includes("=")) return entry("Cookie", value);
  notes.push("The command reads cookies from a file. This page does not compare these cookies.");
  return [];
}

function encodeBasic(user: string | undefined): string | undefined {
  if (user === undefined) return undefined;
  // A variable has no value here, and base64 would hide it.
  return user.includes("\u0001")
    ? `Basic ${user}`
    : `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(user)))}`;
}

function addPrefix(prefix: string, value: string | undefined): string | undefined {
  return value === undefined ? undefined : prefix + value;
}

function entry(name: string, value: string | undefined): (readonly [string, string])[] {
  return value === undefined ? [] : [[name, value]];
}

function withQuery(url: string, query: string | undefined): string {
  if (query === undefined) return url;
  const [, base = url, hash = ""] = /^([^#]*)(#[\s\S]*)?$/.exec(url) ?? [];
  return `${base}${base.includes("?") ? "&" : "?"}${query}${hash}`;
}
