import { canParseUrl } from "../../shared/urls.ts";
/** Whether a URL leads to this machine. */
export function isLoopbackUrl(text: string): boolean {
  if (!canParseUrl(text)) return false;
  const { protocol, hostname, username } = new URL(text);
  return (
    /^https?:$/.test(protocol) &&
    username === "" &&
    /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname)
  );
}
