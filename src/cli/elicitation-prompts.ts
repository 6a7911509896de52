import { findAnswerProblem } from "../execute/mcp/check-answer.ts";
import type {
  Elicit,
  ElicitationAnswer,
  ElicitationField,
  ElicitedValue,
  FormElicitation,
  UrlElicitation,
} from "../execute/mcp/elicitation.ts";
import { isInteractive } from "./client-credentials.ts";
import { printable, type Streams } from "./output.ts";

type Prompts = Pick<
  typeof import("@clack/prompts"),
  "confirm" | "isCancel" | "multiselect" | "select" | "text"
>;

/** What every prompt needs. */
interface Terminal {
  prompts: Prompts;
  /** Where prompts are shown, and when they end. */
  common: { output: NodeJS.WriteStream; signal: AbortSignal };
  say(line: string): void;
}

interface ElicitationTools {
  loadPrompts(): Promise<Prompts>;
  openBrowser(url: string, onProgress: (line: string) => void): Promise<void>;
}

const TOOLS: ElicitationTools = {
  loadPrompts: () => import("@clack/prompts"),
  openBrowser: async (url, onProgress) =>
    (await import("../connect/open-browser.ts")).openSystemBrowser(url, onProgress),
};

/**
 * Asks the questions of an MCP server in the terminal, and shows what would be sent, or opened,
 * before it is.
 * @returns undefined without a terminal
 */
export function createElicitation(
  streams: Streams,
  { loadPrompts, openBrowser }: ElicitationTools = TOOLS,
): Elicit | undefined {
  if (!isInteractive(streams)) return undefined;
  return async (elicitation, signal) => {
    const terminal: Terminal = {
      prompts: await loadPrompts(),
      common: { output: streams.stderr as NodeJS.WriteStream, signal },
      say: (line) => void streams.stderr.write(`${line}\n`),
    };
    const { server, message } = elicitation;
    terminal.say(`${oneLine(server)} asks: ${oneLine(message)}`);
    return elicitation.mode === "url"
      ? await visitPage(elicitation, terminal, openBrowser)
      : await answerForm(elicitation, terminal);
  };
}

async function answerForm(
  { server, fields }: FormElicitation,
  terminal: Terminal,
): Promise<ElicitationAnswer> {
  const content: Record<string, ElicitedValue> = {};
  for (const field of fields) {
    const answer = await askField(field, terminal);
    if (typeof answer === "symbol") return { action: "cancel" };
    if (answer !== undefined) content[field.name] = answer;
  }
  const lines = Object.entries(content).map(
    ([name, value]) => `  ${oneLine(name)}: ${oneLine(JSON.stringify(value))}\n`,
  );
  terminal.say(`this is sent:\n${lines.join("") || "  only your consent\n"}`.trimEnd());
  const isSent = await confirm(`Send this answer to ${oneLine(server)}?`, terminal);
  if (isSent === undefined) return { action: "cancel" };
  return isSent ? { action: "accept", content } : { action: "decline" };
}

/** The page is opened only if the user agrees. */
async function visitPage(
  { url }: UrlElicitation,
  terminal: Terminal,
  openBrowser: ElicitationTools["openBrowser"],
): Promise<ElicitationAnswer> {
  const { host } = new URL(url);
  terminal.say(`this page would be opened:\n  host: ${host}\n  ${oneLine(url)}`);
  if (/(^|\.)xn--/.test(host))
    terminal.say(
      "the host name contains letters that look like other letters: check the host name carefully",
    );
  const isOpened = await confirm(`Open ${host} in your browser?`, terminal);
  if (isOpened === undefined) return { action: "cancel" };
  if (!isOpened) return { action: "decline" };
  await openBrowser(url, terminal.say);
  const isDone = await confirm("Have you finished in the browser?", terminal);
  return { action: isDone === true ? "accept" : "cancel" };
}

/** @returns undefined if the user interrupts */
async function confirm(
  message: string,
  { prompts, common }: Terminal,
): Promise<boolean | undefined> {
  const answer = await prompts.confirm({ message, initialValue: false, ...common });
  return prompts.isCancel(answer) ? undefined : answer;
}

/** @returns undefined for an optional field without an answer */
async function askField(
  field: ElicitationField,
  { prompts, common }: Terminal,
): Promise<ElicitedValue | undefined | symbol> {
  const { description, isRequired } = field;
  const optional = isRequired ? "" : " (optional)";
  const about = description === undefined ? "" : `: ${oneLine(description)}`;
  const message = `${oneLine(field.title)}${about}${optional}`;
  const options = field.options.map(({ value, title }) => ({ value, label: oneLine(title) }));
  switch (field.type) {
    case "boolean":
      return await prompts.confirm({ message, initialValue: field.default === true, ...common });
    case "choice": {
      const none = isRequired ? [] : [{ value: "", label: "no answer" }];
      const initial = typeof field.default === "string" ? { initialValue: field.default } : {};
      const chosen = await prompts.select({
        message,
        options: [...options, ...none],
        ...initial,
        ...common,
      });
      return chosen === "" && !isRequired ? undefined : chosen;
    }
    case "choices":
      return await prompts.multiselect({
        message,
        options,
        required: isRequired,
        initialValues: Array.isArray(field.default) ? field.default : [],
        ...common,
      });
    default: {
      const text = await prompts.text({
        message,
        initialValue: field.default === undefined ? "" : String(field.default),
        validate: (given) => findAnswerProblem(field, readValue(given ?? "", field)),
        ...common,
      });
      return prompts.isCancel(text) ? text : readValue(text ?? "", field);
    }
  }
}

function readValue(text: string, { type }: ElicitationField): ElicitedValue | undefined {
  if (text === "") return undefined;
  return type === "text" ? text : Number(text);
}

/** A server must not write lines of its own, nor control the terminal. */
function oneLine(text: string): string {
  return printable(text).replace(/\s+/g, " ");
}
