import { usageError } from "../errors.ts";
import { parseUrl } from "../shared/urls.ts";
import type { VerbContext } from "./verb.ts";

/** The service that `--from` names, and the token in the variable that `--token-env` names. */
export function readLiveService(
  { from, tokenEnv }: { from: string; tokenEnv: string },
  { streams, redactor }: Pick<VerbContext, "streams" | "redactor">,
): { from: string; token: string } {
  const token = streams.env[tokenEnv];
  if (token === undefined || token === "") {
    throw usageError(
      `The environment variable ${tokenEnv} does not contain a token.`,
      "Set the variable to a token for the service.",
    );
  }
  redactor.add(token);
  return { from: parseRoot(from), token };
}

/** Credentials go to this host: not without encryption, but on this machine. */
function parseRoot(text: string): string {
  const url = parseUrl(text);
  const isLocal = url !== undefined && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (
    url !== undefined &&
    (url.protocol === "https:" || (url.protocol === "http:" && isLocal)) &&
    url.username === "" &&
    url.password === ""
  )
    return text;
  throw usageError(
    "--from is not an https URL.",
    "Pass the API root, such as https://docs.service.example/apis/v1.",
  );
}
