import { badRequest, membersOf, textMember } from "./router.ts";
import type { ConnectRequest } from "./wire/accounts.ts";

/** Reads what the page sends to connect an account. @throws {PackError} USAGE_INVALID */
export function parseConnectRequest(body: unknown): ConnectRequest {
  const { local, redirect } = membersOf(body);
  return {
    slot: textMember(body, "slot"),
    account: textMember(body, "account"),
    ...optionalTexts(body, ["clientId", "clientSecret", "endpoint", "extraScopes"]),
    secrets: optionalMap(body, "secrets"),
    variables: optionalMap(body, "variables"),
    redirect: redirect === undefined ? undefined : { ...optionalTexts(redirect, ["host", "path", "uri"]), port: portOf(redirect) },
    local:
      local === undefined ? undefined : { profile: textMember(local, "profile"), tokenSeconds: Number(membersOf(local)["tokenSeconds"]) },
  };
}

function optionalTexts<Name extends string>(body: unknown, names: readonly Name[]): Partial<Record<Name, string>> {
  const members = membersOf(body);
  return Object.fromEntries(names.flatMap((name) => (members[name] === undefined ? [] : [[name, textMember(body, name)]]))) as Partial<
    Record<Name, string>
  >;
}

function optionalMap(body: unknown, name: string): Record<string, string> | undefined {
  const value = membersOf(body)[name];
  if (value === undefined) return undefined;
  const entries = Object.entries(membersOf(value));
  const texts = entries.filter((entry): entry is [string, string] => typeof entry[1] === "string");
  if (texts.length < entries.length) throw badRequest(`The request has something else than text in ${name}.`);
  return Object.fromEntries(texts);
}

function portOf(redirect: unknown): number | undefined {
  const { port } = membersOf(redirect);
  if (port === undefined || port === "") return undefined;
  const number = Number(port);
  if (Number.isInteger(number) && number >= 0 && number <= 65_535) return number;
  throw badRequest("The port is no number up to 65535.");
}
