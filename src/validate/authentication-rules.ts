import { AuthenticationType, ReservedAuthenticationNames } from "../define/enumerations.ts";
import { parseUrl } from "../shared/urls.ts";
import { isRecord, type Members, toList } from "../shared/values.ts";
import { adminAuthenticationShape, authenticationShapes } from "./authentication-shapes.ts";
import { checkLengths, checkName, MAX_DESCRIPTION_LENGTH, MAX_NAME_LENGTH } from "./names.ts";
import { checkHeaderName, checkOAuth } from "./oauth-rules.ts";
import type { Path, Report } from "./report.ts";
import { checkShape, describeKind, reportUnknownValue, shortenValue } from "./shape.ts";

const PERSONAL_TYPES: readonly string[] = [
  "None",
  "CodaApiHeaderBearerToken",
  "OAuth2",
  "GoogleDomainWideDelegation",
  "Various",
];
const ADMIN_TYPES = Object.values(AuthenticationType).filter(
  (type) => type !== "None" && type !== "Various",
);
const SYSTEM_TYPES = Object.values(AuthenticationType).filter(
  (type) => !PERSONAL_TYPES.includes(type),
);

/** Checks one authentication without the rest of the Pack. */
export function checkAuthentication(
  value: unknown,
  path: Path,
  slot: "user" | "system" | "admin",
  report: Report,
): void {
  if (!isRecord(value)) {
    report(
      "MEMBER_TYPE",
      path,
      `${String(path.at(-1))} must be an object, not ${describeKind(value)}.`,
      "Write { type: AuthenticationType.… }.",
    );
    return;
  }
  const type = value["type"];
  const typePath = [...path, "type"];
  if (typeof type !== "string" || !Object.hasOwn(authenticationShapes, type)) {
    const types =
      slot === "system"
        ? SYSTEM_TYPES
        : slot === "admin"
          ? ADMIN_TYPES
          : Object.values(AuthenticationType);
    if (type === undefined)
      report("MEMBER_MISSING", typePath, "type is missing.", "Add type: AuthenticationType.….");
    else reportUnknownValue("AUTH_TYPE_UNKNOWN", type, types, typePath, report);
    return;
  }
  if (slot === "system" && PERSONAL_TYPES.includes(type)) {
    const hint =
      type === "OAuth2"
        ? "Use OAuth2ClientCredentials, or setUserAuthentication."
        : "Use setUserAuthentication.";
    report("AUTH_SYSTEM_TYPE", typePath, `The Pack's own account cannot use ${type}.`, hint);
  }
  if (slot === "admin" && (type === "None" || type === "Various")) {
    const message = `An administrator cannot set up an account of type ${type}.`;
    report(
      "AUTH_ADMIN_TYPE",
      typePath,
      message,
      "Remove the account, or choose another authentication type.",
    );
  }
  checkShape(
    authenticationShapes[type as AuthenticationType],
    value,
    path,
    { unknownKey: "AUTH_KEY_UNKNOWN" },
    report,
  );
  checkBase(value, path, report);
  checkCredentials(value, path, report);
  if (type === "OAuth2" || type === "OAuth2ClientCredentials") checkOAuth(value, path, report);
  if (type === "GoogleDomainWideDelegation" || type === "GoogleServiceAccount")
    checkGoogleScopes(value, path, report);
}

function checkBase(authentication: Members, path: Path, report: Report): void {
  const { instructionsUrl, networkDomain, postSetup } = authentication;
  if (typeof instructionsUrl === "string" && parseUrl(instructionsUrl)?.protocol !== "https:") {
    report(
      "AUTH_INSTRUCTIONS_URL",
      [...path, "instructionsUrl"],
      "instructionsUrl is not an https URL.",
      "Write a URL such as https://host/path.",
    );
  }
  const domainPath = [...path, "networkDomain"];
  const checkDomain = (domain: unknown, at: Path): void => {
    if (typeof domain !== "string" || (domain !== "" && !/\s/.test(domain))) return;
    const problem = domain === "" ? "is empty" : "has a space";
    report(
      "AUTH_NETWORK_DOMAIN_EMPTY",
      at,
      `networkDomain ${problem}.`,
      "Use one of the Pack's network domains.",
    );
  };
  checkDomain(networkDomain, domainPath);
  toList(networkDomain).forEach((domain, index) => {
    checkDomain(domain, [...domainPath, index]);
  });
  if (Array.isArray(networkDomain) && networkDomain.length === 0) {
    report(
      "AUTH_NETWORK_DOMAIN_EMPTY",
      domainPath,
      "networkDomain is an empty list.",
      "Add at least one of the Pack's network domains.",
    );
  }
  toList(postSetup).forEach((step, index) => {
    if (!isRecord(step) || step["type"] !== "SetEndPoint") return;
    if (step["getOptions"] !== undefined || step["getOptionsFormula"] !== undefined) return;
    const hint = "Add getOptions: a function that lists the endpoints.";
    report(
      "AUTH_POST_SETUP_OPTIONS",
      [...path, "postSetup", index],
      "No function lists the endpoints of this step.",
      hint,
    );
  });
}

/** Names of headers and parameters: legal, and each once. */
function checkCredentials(authentication: Members, path: Path, report: Report): void {
  const { type, headerName, paramName } = authentication;
  if (type === "CustomHeaderToken" && typeof headerName === "string")
    checkHeaderName(headerName, [...path, "headerName"], report);
  if (type === "QueryParamToken") checkParamName(paramName, [...path, "paramName"], report);
  const member =
    type === "MultiHeaderToken"
      ? "headers"
      : type === "MultiQueryParamToken" || type === "Custom"
        ? "params"
        : undefined;
  if (member === undefined || !Array.isArray(authentication[member])) return;
  const entries = toList(authentication[member]);
  if (entries.length === 0) {
    report(
      "AUTH_ENTRIES_MISSING",
      [...path, member],
      `${member} is empty.`,
      "Add an entry { name, description }.",
    );
  }
  const seen = new Set<string>();
  entries.forEach((entry, index) => {
    const name = isRecord(entry) ? entry["name"] : undefined;
    if (typeof name !== "string") return;
    const namePath = [...path, member, index, "name"];
    if (member === "headers") checkHeaderName(name, namePath, report);
    else checkParamName(name, namePath, report);
    const key = member === "headers" ? name.toLowerCase() : name;
    if (seen.has(key))
      report(
        "AUTH_NAME_DUPLICATE",
        namePath,
        `${shortenValue(name)} is listed twice.`,
        "Rename or remove this credential.",
      );
    seen.add(key);
  });
}

function checkGoogleScopes({ scopes }: Members, path: Path, report: Report): void {
  if (!Array.isArray(scopes) || scopes.length > 0) return;
  report(
    "AUTH_SCOPES_MISSING",
    [...path, "scopes"],
    "scopes is empty.",
    "Add the scopes that the Pack's requests need.",
  );
}

function checkParamName(name: unknown, path: Path, report: Report): void {
  if (typeof name === "string" && /\s/.test(name)) {
    const hint = "Write a name without spaces. Explain in the description what users enter.";
    report.lenient(
      "AUTH_PARAM_NAME",
      path,
      `The parameter name ${shortenValue(name)} contains a space, so you cannot use the name in a template.`,
      hint,
    );
  }
  if (name === "")
    report(
      "AUTH_PARAM_NAME",
      path,
      "The parameter name is empty.",
      "Write the name that the API expects.",
    );
}

const RESERVED_NAMES: readonly unknown[] = Object.values(ReservedAuthenticationNames);

/** Accounts that an administrator sets up. */
export function checkAdminAuthentications(pack: Members, report: Report): void {
  toList(pack["adminAuthentications"]).forEach((entry, index) => {
    const path = ["adminAuthentications", index];
    if (!checkShape(adminAuthenticationShape, entry, path, { unknownKey: "KEY_UNKNOWN" }, report))
      return;
    const { name, authentication } = entry;
    if (RESERVED_NAMES.includes(name)) {
      report(
        "AUTH_ADMIN_NAME",
        [...path, "name"],
        `The name ${shortenValue(name)} is reserved for another account.`,
        "Choose another name.",
      );
    } else checkName("AUTH_ADMIN_NAME", name, [...path, "name"], report);
    const limits = { displayName: MAX_NAME_LENGTH, description: MAX_DESCRIPTION_LENGTH };
    checkLengths("AUTH_ADMIN_TEXT", entry, limits, path, report, { isRequired: true });
    if (authentication !== undefined)
      checkAuthentication(authentication, [...path, "authentication"], "admin", report);
    else
      report(
        "MEMBER_MISSING",
        [...path, "authentication"],
        "authentication is missing.",
        "Add authentication: { type: … }.",
      );
  });
}
