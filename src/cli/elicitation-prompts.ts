import type { Elicit, ElicitationField, ElicitedValue } from "../execute/mcp/elicitation.ts";
import { isInteractive } from "./client-credentials.ts";
import { printable, type Streams } from "./output.ts";

type Prompts = Pick<
  typeof import("@clack/prompts"),
  "confirm" | "isCancel" | "multiselect" | "select" | "text"
>;

/**
 * Asks the questions of an MCP server in the terminal, and shows what would be sent before it is.
 * @returns undefined without a terminal
 */
export function createElicitation(
  streams: Streams,
  loadPrompts: () => Promise<Prompts> = () => import("@clack/prompts"),
): Elicit | undefined {
  if (!isInteractive(streams)) return undefined;
  return async ({ server, message, fields }) => {
    const prompts = await loadPrompts();
    streams.stderr.write(`${oneLine(server)} asks: ${oneLine(message)}\n`);
    const content: Record<string, ElicitedValue> = {};
    for (const field of fields) {
      const answer = await askField(field, prompts, streams);
      if (typeof answer === "symbol") return { action: "cancel" };
      if (answer !== undefined) content[field.name] = answer;
    }
    const lines = Object.entries(content).map(
      ([name, value]) => `  ${oneLine(name)}: ${oneLine(JSON.stringify(value))}\n`,
    );
    streams.stderr.write(`this is sent:\n${lines.join("") || "  nothing but your consent\n"}`);
    const isSent = await prompts.confirm({
      message: `Send it to ${oneLine(server)}?`,
      initialValue: false,
      output: streams.stderr as NodeJS.WriteStream,
    });
    if (prompts.isCancel(isSent)) return { action: "cancel" };
    return isSent ? { action: "accept", content } : { action: "decline" };
  };
}

/** @returns undefined for an optional field without an answer */
async function askField(
  field: ElicitationField,
  prompts: Prompts,
  { stderr }: Streams,
): Promise<ElicitedValue | undefined | symbol> {
  const output = stderr as NodeJS.WriteStream;
  const { description, isRequired } = field;
  const optional = isRequired ? "" : " (optional)";
  const about = description === undefined ? "" : `: ${oneLine(description)}`;
  const message = `${oneLine(field.title)}${about}${optional}`;
  const options = field.options.map(({ value, title }) => ({ value, label: oneLine(title) }));
  switch (field.type) {
    case "boolean":
      return await prompts.confirm({ message, initialValue: field.default === true, output });
    case "choice": {
      const none = isRequired ? [] : [{ value: "", label: "no answer" }];
      const initial = typeof field.default === "string" ? { initialValue: field.default } : {};
      const chosen = await prompts.select({
        message,
        options: [...options, ...none],
        ...initial,
        output,
      });
      return chosen === "" && !isRequired ? undefined : chosen;
    }
    case "choices":
      return await prompts.multiselect({
        message,
        options,
        required: isRequired,
        initialValues: Array.isArray(field.default) ? field.default : [],
        output,
      });
    default: {
      const text = await prompts.text({
        message,
        initialValue: field.default === undefined ? "" : String(field.default),
        validate: (given) => findProblem(given ?? "", field),
        output,
      });
      return prompts.isCancel(text) ? text : readValue(text ?? "", field);
    }
  }
}

function findProblem(text: string, { type, isRequired }: ElicitationField): string | undefined {
  if (text === "") return isRequired ? "An answer is required." : undefined;
  if (type === "integer" && !/^-?\d+$/.test(text)) return "Write a whole number.";
  if (type === "number" && !Number.isFinite(Number(text))) return "Write a number.";
  return undefined;
}

function readValue(text: string, { type }: ElicitationField): ElicitedValue | undefined {
  if (text === "") return undefined;
  return type === "text" ? text : Number(text);
}

/** A server must not write lines of its own, nor control the terminal. */
function oneLine(text: string): string {
  return printable(text).replace(/\s+/g, " ");
}
