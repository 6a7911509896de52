import { toMembers } from "../../shared/values.ts";
import type { ExchangeDetail } from "../request-record.ts";

const MAX_LENGTH = 200;
/** Where APIs say in JSON what is wrong: OAuth, RFC 9457 and most others. */
const MEMBERS = ["error_description", "message", "detail", "title", "reason", "error"];

/** Why a request failed, in the words of the server, in one line. Undefined if it says nothing. */
export function readReason({
  status,
  responseBody,
}: Pick<ExchangeDetail, "status" | "responseBody">): string | undefined {
  if (status === undefined || status < 400 || responseBody === undefined) return undefined;
  const text = readText(responseBody).replaceAll(/\s+/g, " ").trim();
  if (text === "") return undefined;
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 1)}…` : text;
}

function readText(body: string): string {
  if (!/^\s*[[{]/.test(body)) return /^\s*</.test(body) ? "" : body;
  try {
    return findMessage(JSON.parse(body)) ?? "";
  } catch {
    // A long body is kept without its end.
    return "";
  }
}

/** The first message in a value, in its errors before its other members. */
function findMessage(value: unknown): string | undefined {
  const { errors, ...members } = toMembers(value);
  const [first] = Array.isArray(errors) ? errors : [];
  const candidates = [...MEMBERS.map((name) => members[name]), first];
  for (const candidate of candidates) {
    if (typeof candidate === "string" && candidate !== "") return candidate;
    if (typeof candidate !== "object" || candidate === null) continue;
    const inner = findMessage(candidate);
    if (inner !== undefined) return inner;
  }
  return undefined;
}
