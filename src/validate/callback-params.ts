import * as z from "zod/mini";
import { isLegalValue } from "../define/connection-values.ts";
import type { CallbackParam } from "../define/oauth-parameters.ts";
import { checkTrustedDomains } from "./network-rules.ts";
import type { Path, Report } from "./report.ts";
import { checkShape, listOf, type Members, optionalFlag, optionalText, optionalTexts, type ShapeOf, short, text } from "./shape.ts";

/** Parameters of the redirect that belong to the protocol. */
const RESERVED = /^(?:code|state|error.*|iss|scope|response|id_token|access_token)$/;
const NAME_FORM = /^[A-Za-z][A-Za-z0-9_]*$/;

const shape = z.strictObject({
  name: text,
  as: optionalText,
  kind: z.enum(["origin", "host", "label", "segment", "text"]),
  domains: optionalTexts,
  required: optionalFlag,
  default: optionalText,
} satisfies ShapeOf<CallbackParam>);

/** Checks the callback parameters of an authentication. @returns their kinds, by the names that placeholders use */
export function checkCallbackParams(authentication: Members, path: Path, report: Report): Map<string, string> {
  const kinds = new Map<string, string>();
  listOf(authentication["callbackParams"]).forEach((entry, index) => {
    const at = [...path, "callbackParams", index];
    const param = typeof entry === "string" ? { name: entry, kind: "text" } : entry;
    if (!checkShape(shape, param, at, { unknownKey: "AUTH_KEY_UNKNOWN" }, report)) return;
    const { name, as = name, kind, domains, default: value } = param;
    if (typeof name !== "string" || typeof as !== "string" || typeof kind !== "string") return;
    const refuse = (member: string, message: string, hint: string): void =>
      report("AUTH_CALLBACK_PARAM_INVALID", typeof entry === "string" ? at : [...at, member], message, hint);
    if (RESERVED.test(name)) refuse("name", `${short(name)} belongs to the protocol and is never kept.`, "Remove it.");
    if (!NAME_FORM.test(as)) refuse("as", `${short(as)} cannot stand in a placeholder.`, "Add as: a name of letters and digits.");
    if (kinds.has(as)) refuse("as", `Another callback parameter is named ${short(as)}.`, "Give one of them another name with as.");
    if ((kind === "origin" || kind === "host") && (!Array.isArray(domains) || domains.length === 0)) {
      refuse("domains", `${short(name)} decides where the client secret is sent.`, "Add domains: the hosts that it may name.");
    }
    checkTrustedDomains(domains, [...at, "domains"], "AUTH_CALLBACK_PARAM_INVALID", report);
    if (typeof value === "string" && kind !== "origin" && !isLegalValue(kind, value)) {
      refuse("default", `The default ${short(value)} is no ${kind}.`, "Write a value that the provider could send.");
    }
    kinds.set(as, kind);
  });
  return kinds;
}
