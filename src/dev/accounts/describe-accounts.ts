import type { AccountSlot, AccountSummary } from "../../accounts/account-summary.ts";
import { findSlotAuthentication } from "../../accounts/pack-account.ts";
import { declaredRedirectPath } from "../../connect/redirect-path.ts";
import { LOCAL_CLIENT_ID } from "../../connect/rehearsal/rehearsal.ts";
import {
  type Authentication,
  isSecretAuthentication,
  listSecretFields,
} from "../../define/authentication.ts";
import type { ConnectionVariable } from "../../define/oauth-parameters.ts";
import type { PackVersionDefinition } from "../../define/pack.ts";
import { findDefault, isSecretVariable, listVariables } from "../../oauth/connection-answers.ts";
import type { AccountView, SlotKind, SlotView, VariableView } from "../wire/accounts.ts";

/** The Pack whose accounts are described. */
export interface DescribedPack {
  packName: string;
  /** The real path of its entry file. */
  packPath: string;
}

/** The kinds of account that a Pack declares, and what is needed to connect one. */
export function describeSlots(
  definition: PackVersionDefinition | undefined,
  pack: DescribedPack,
): Omit<SlotView, "accounts" | "local">[] {
  if (definition === undefined) return [];
  return listSlots(definition).flatMap((slot) => {
    const authentication = findSlotAuthentication(definition, slot);
    return authentication === undefined ? [] : [describeSlot(slot, authentication, pack)];
  });
}

/** Every slot that the definition may use. */
export function listSlots({ adminAuthentications }: PackVersionDefinition): AccountSlot[] {
  return [
    "user",
    "system",
    ...(adminAuthentications ?? []).map(({ name }): AccountSlot => `admin:${name}`),
  ];
}

function describeSlot(
  slot: AccountSlot,
  authentication: Authentication,
  pack: DescribedPack,
): Omit<SlotView, "accounts" | "local"> {
  const common = {
    slot,
    type: authentication.type,
    kind: getKind(authentication),
    scopes: [],
    facts: listFacts(authentication),
    instructionsUrl: undefined,
    client: undefined,
    fields: [],
    variables: [],
    endpoint: undefined,
    steps: [],
    redirect: undefined,
  };
  if (authentication.type === "Various" || authentication.type === "None") return common;
  const { instructionsUrl, requiresEndpointUrl, endpointDomain, postSetup = [] } = authentication;
  const described = {
    ...common,
    instructionsUrl: instructionsUrl?.startsWith("https://") ? instructionsUrl : undefined,
    endpoint: requiresEndpointUrl === true ? { domain: endpointDomain } : undefined,
    steps: postSetup.map(({ name, description }) => ({
      name: String(name),
      description: String(description),
    })),
  };
  if (isSecretAuthentication(authentication))
    return { ...described, fields: listSecretFields(authentication) };
  if (authentication.type !== "OAuth2" && authentication.type !== "OAuth2ClientCredentials")
    return described;
  const isCode = authentication.type === "OAuth2";
  const isRegistered = isCode && authentication.useDynamicClientRegistration === true;
  return {
    ...described,
    scopes: (authentication.scopes ?? []).map(String),
    client: {
      usesKey: authentication.clientAuthentication === "private_key_jwt",
      usesCertificate: authentication.clientAuthentication === "tls_client_auth",
      isOptional: isRegistered,
    },
    variables: listVariables(authentication).map(variableView),
    redirect: isCode
      ? {
          path: declaredRedirectPath({ ...pack, slot, definition: authentication }),
        }
      : undefined,
  };
}

function getKind(authentication: Authentication): SlotKind {
  if (authentication.type === "OAuth2") return "code";
  if (authentication.type === "OAuth2ClientCredentials") return "credentials";
  return isSecretAuthentication(authentication) ? "secrets" : "unsupported";
}

function listFacts(authentication: Authentication): (readonly [string, string])[] {
  if (authentication.type !== "OAuth2" && authentication.type !== "OAuth2ClientCredentials")
    return [];
  const { tokenUrl, issuer } = authentication;
  const facts: [string, string | undefined][] = [["Issuer", issuer]];
  if (authentication.type === "OAuth2") {
    const {
      authorizationUrl,
      useProofKeyForCodeExchange,
      pkceChallengeMethod = "S256",
    } = authentication;
    facts.push(
      ["Authorization URL", authorizationUrl],
      [
        "PKCE",
        useProofKeyForCodeExchange === undefined
          ? "if the client has no secret"
          : useProofKeyForCodeExchange
            ? pkceChallengeMethod
            : "off",
      ],
    );
  }
  facts.push(["Token URL", tokenUrl]);
  return facts.flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as const],
  );
}

function variableView(variable: ConnectionVariable): VariableView {
  return {
    name: variable.name,
    label: String(variable.label ?? variable.name),
    description: variable.description,
    isHidden: isSecretVariable(variable),
    isOptional: variable.optional === true,
    initial: findDefault(variable),
    options:
      variable.kind === "choice"
        ? variable.options.map(({ value, label }) => ({ value, label }))
        : undefined,
  };
}

/** An account as the page shows it: connected to the real provider, or to a local one. */
export function accountView(account: AccountSummary, isLocalRunning: boolean): AccountView {
  if (account.clientId !== LOCAL_CLIENT_ID) return { ...account, local: undefined };
  return { ...account, local: isLocalRunning ? "running" : "ended" };
}
