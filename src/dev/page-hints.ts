import { type AnyPackError, isPackError } from "../errors.ts";

/** An option, a variable of the environment, or a command that manages accounts. */
const FOR_TERMINALS = /(?:^|\s)--[a-z]|\bPACKSMITH_|\bauth [a-z]/;

/**
 * What to do in the page, for an error whose own hint names a command or an option of the command
 * line.
 * @returns undefined for every other error: its own hint fits
 */
export function hintInPage(thrown: unknown): string | undefined {
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
      return "If you trust these hosts, connect the account again and enter its secrets. Otherwise, undo the change in the definition.";
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
