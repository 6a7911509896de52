import { dirname } from "node:path";
import { type AnyPackError, isPackError, type PackError } from "../errors.ts";
import { toFailure } from "../shared/failures.ts";
import { createSourceReader } from "../shared/files.ts";
import type { ReportedError } from "../shared/reported-error.ts";
import { explain } from "../validate/explanations/explain.ts";
import { codeFrame, type FrameLine } from "../validate/formats/code-frame.ts";
import type { PackSession } from "./session/pack-session.ts";
import type { FlowFailureView } from "./wire/accounts.ts";
import type { RunFailureView } from "./wire/run.ts";

/** Anything that was thrown, as the page shows it. */
export function failureView(thrown: unknown): ReportedError {
  const failure = toFailure(thrown).error;
  return { ...failure, hint: hintInPage(thrown) ?? failure.hint };
}

/** Widths of code frames in characters. */
const RUN_FRAME_WIDTH = 110;
const FLOW_FRAME_WIDTH = 96;

interface SourcePosition {
  file: string | undefined;
  line: number | undefined;
  column: number | undefined;
}

/** The failure of a run, with the source around the position where it was thrown. */
export function runFailureView(session: PackSession, thrown: unknown): RunFailureView {
  const error = isPackError(thrown) ? (thrown as PackError) : undefined;
  const stack = readStack(error).map(parseStackFrame);
  const [first] = stack.filter(({ file }) => file !== undefined);
  return {
    ...failureView(thrown),
    ...(error !== undefined && isPackError(error, "ARGUMENT_TYPE")
      ? { parameter: error.details.parameter }
      : {}),
    stack,
    frame: first === undefined ? [] : frameAt(session, first, RUN_FRAME_WIDTH),
  };
}

/** The failure of a connection, with the same explanation as in the terminal. */
export function flowFailureView(session: PackSession, thrown: unknown): FlowFailureView {
  const failure = failureView(thrown);
  return {
    ...failure,
    why: explain(failure.code)?.why,
    frame: frameAt(session, failure.place ?? {}, FLOW_FRAME_WIDTH),
  };
}

/** The lines of source around a position. Files are relative to the folder of the entry file. */
function frameAt(
  session: PackSession,
  { file, line, column }: Partial<SourcePosition>,
  width: number,
): FrameLine[] {
  const source = file === undefined ? undefined : createSourceReader(dirname(session.entry))(file);
  if (source === undefined || line === undefined || column === undefined) return [];
  return codeFrame(source, { line, column }, width) ?? [];
}

function readStack(error: PackError | undefined): string[] {
  const details = error?.details as { stack?: unknown } | undefined;
  return typeof details?.stack === "string" ? details.stack.split("\n") : [];
}

function parseStackFrame(text: string): RunFailureView["stack"][number] {
  const [, file, line, column] = /\(?([^\s()]+):(\d+):(\d+)\)?$/.exec(text) ?? [];
  if (file === undefined) return { text, file, line: undefined, column: undefined };
  return { text, file, line: Number(line), column: Number(column) };
}

/** An option, a variable of the environment, or a command that manages accounts. */
const FOR_TERMINALS = /(?:^|\s)--[a-z]|\bPACKSMITH_|\bauth [a-z]/;

/**
 * What to do in the page, for an error whose own hint names a command or an option of the command
 * line.
 * @returns undefined for every other error: its own hint fits
 */
function hintInPage(thrown: unknown): string | undefined {
  if (!isPackError(thrown))
    return "Start packsmith dev again with --debug, repeat the action, and report the output of the command.";
  const error = thrown as AnyPackError;
  if (!FOR_TERMINALS.test(error.hint ?? "")) return undefined;
  switch (error.code) {
    case "OAUTH_CLIENT_MISSING":
      return "Connect again. Enter the client ID that the provider issued, and the secret, key or certificate that belongs to it.";
    case "OAUTH_TOKEN_REJECTED":
      return "Check the client ID. If the provider also issued a client secret, connect again and enter it.";
    case "OAUTH_REGISTRATION_FAILED":
      return "Check the issuer. If the provider does not register clients automatically, register a client on its website, and connect again with the new client ID.";
    case "OAUTH_CONNECT_TIMEOUT":
      return "Connect again, and complete the login on the provider's page.";
    case "OAUTH_URL_MISSING":
      return 'Connect again, and choose "in this browser" or "in another browser, then paste the address of the last page" under Approve.';
    case "CREDENTIAL_MISSING":
    case "CONNECTION_VARIABLE_MISSING":
      return `Connect again, and fill in ${error.details.names.join(", ")}.`;
    case "ENDPOINT_MISSING":
      return "Connect again, and enter the endpoint URL, for example https://acme.example.";
    case "POST_SETUP_CHOICE":
      return "Connect again, and choose one of these values.";
    case "ACCOUNT_MISSING":
      return "Connect the account in the Accounts view.";
    case "ACCOUNT_RECONNECT":
      return "Connect the account again in the Accounts view.";
    case "ACCOUNT_HOSTS_CHANGED":
      return "If you trust these hosts, connect the account again and enter its secrets. Otherwise, undo the change in the Pack's code.";
    case "ACCOUNT_SCOPES":
      return error.details.missing.length === 0
        ? "Connect the account again with the scopes that the documentation of the API requires."
        : "Connect the account again with these scopes.";
    case "ACCOUNT_LOGIN":
      return "Connect the account again, and log in as the API requires.";
    default:
      return undefined;
  }
}
