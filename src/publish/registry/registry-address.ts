import { PackError } from "../../errors.ts";
import { canParseUrl } from "../../shared/urls.ts";

/** Where Packs are published. */
export interface RegistryAddress {
  /** Without a path, such as `https://coda.io`. */
  origin: string;
  /** With its port, when it has one. */
  host: string;
  /** The registry that is meant when none is named; files of projects treat it in another way. */
  isDefault: boolean;
  /** A file of the project named it, not the user. */
  isOfProject: boolean;
}

const DEFAULT_ORIGIN = "https://coda.io";
/** Where the accounts of the public registry are managed. */
const ACCOUNT_ORIGIN = "https://docs.superhuman.com";

/**
 * The registry of a command: the flag, `PACKSMITH_REGISTRY`, the `apiEndpoint` of the project, or
 * the public one.
 * @throws {PackError} REGISTRY_URL_INVALID
 */
export function registryAddress(
  flag: string | undefined,
  env: NodeJS.ProcessEnv,
  ofProject: string | undefined,
): RegistryAddress {
  const byUser = flag ?? (env["PACKSMITH_REGISTRY"] || undefined);
  const text = byUser ?? ofProject ?? DEFAULT_ORIGIN;
  // A host without a scheme is common in the files of projects. A single word is not an address.
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
  const url = hasScheme ? text : `https://${text}`;
  if (!canParseUrl(url)) throw invalid(text);
  const { protocol, hostname, host, origin } = new URL(url);
  if (!hasScheme && !hostname.includes(".") && !isLoopback(hostname)) throw invalid(text);
  if (protocol !== "https:" && !(protocol === "http:" && isLoopback(hostname))) throw invalid(text);
  return {
    origin,
    host,
    isDefault: origin === DEFAULT_ORIGIN,
    isOfProject: byUser === undefined && ofProject !== undefined,
  };
}

/** Whether a host is this machine. */
export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

/** The page of a registry where a user makes a token for Packs. */
export function getTokenPage({ origin, isDefault }: RegistryAddress): string {
  const account = isDefault ? ACCOUNT_ORIGIN : origin;
  return `${account}/account?openDialog=CREATE_API_TOKEN&scopeType=pack#apiSettings`;
}

function invalid(text: string): PackError<"REGISTRY_URL_INVALID"> {
  return new PackError(
    "REGISTRY_URL_INVALID",
    `"${text.slice(0, 200)}" is not a valid registry address.`,
    {
      details: { url: text.slice(0, 200) },
      hint: "Pass an https address. Only a registry on this machine may use http.",
    },
  );
}
