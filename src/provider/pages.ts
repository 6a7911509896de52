import { displayText, escapeHtml } from "../shared/text.ts";
import type { ProviderUser } from "./options.ts";
import type { ConsentRequest, Interaction, Session } from "./state/sessions.ts";

export function loginPage(
  session: Session,
  interaction: Interaction,
  users: readonly ProviderUser[],
  nonce: string,
): string {
  const { client, loginHint } = interaction.request;
  const preferred =
    users.find(
      ({ id, email }) => loginHint !== undefined && (loginHint === id || loginHint === email),
    ) ??
    session.user ??
    users[0];
  const choices = users.map(
    (
      user,
    ) => `<label><input type="radio" name="user" value="${escapeHtml(user.id)}"${user.id === preferred?.id ? " checked" : ""} required>
<span>${displayText(user.name)}${user.email === undefined ? "" : `<small>${displayText(user.email)}</small>`}</span></label>`,
  );
  return page(
    "Sign in",
    nonce,
    `<h1>Sign in</h1>
<p class="quiet">to continue to ${displayText(client.name ?? client.clientId)}</p>
${form("login", session, interaction)}
<fieldset><legend>Choose an account</legend>
${choices.join("\n")}
</fieldset>
<div class="actions"><button type="submit" name="decision" value="approve">Sign in</button><button type="submit" name="decision" value="deny">Cancel</button></div>
</form>`,
  );
}

export function consentPage(
  session: Session & { user: ProviderUser },
  interaction: Interaction,
  nonce: string,
): string {
  const { client, scopes, resources } = interaction.request;
  const boxes = scopes.map(
    (scope) =>
      `<label><input type="checkbox" name="scope" value="${escapeHtml(scope)}" checked><span>${displayText(scope)}</span></label>`,
  );
  const what =
    boxes.length === 0
      ? "<p>The app requests no specific permissions.</p>"
      : `<fieldset><legend>Requested permissions</legend>\n${boxes.join("\n")}\n</fieldset>`;
  const where =
    resources.length === 0
      ? ""
      : `<p class="quiet">For use at ${resources.map(displayText).join(", ")}</p>`;
  return page(
    "Allow access",
    nonce,
    `<h1>Allow ${displayText(client.name ?? client.clientId)}?</h1>
<p class="quiet">Signed in as ${displayText(session.user.name)}. <a href="login?request=${escapeHtml(interaction.id)}">Use another account</a></p>
${form("consent", session, interaction)}
${what}
${where}
${receiver(interaction.request)}
<div class="actions"><button type="submit" name="decision" value="approve">Allow</button><button type="submit" name="decision" value="deny">Deny</button></div>
</form>`,
  );
}

function receiver(request: ConsentRequest): string {
  return request.kind === "device"
    ? `<p class="quiet">For the device that shows <code>${displayText(request.device.userCode)}</code>. If the device shows another code, deny the request.</p>`
    : `<p class="quiet">The response is sent to <code>${displayText(request.redirectUri)}</code></p>`;
}

export function signedOutPage(nonce: string): string {
  return page("Signed out", nonce, "<h1>Signed out</h1>\n<p>You can close this tab.</p>");
}

/**
 * A page that sends the parameters of its fragment to the authorization endpoint.
 * @param target the URL that they are added to
 */
export function fragmentPage(target: string, nonce: string): string {
  return page(
    "Sign in",
    nonce,
    `<h1>Sign in</h1>
<p class="quiet" data-packsmith-fragment="${escapeHtml(target)}">One moment…</p>
<script nonce="${nonce}">
const { dataset } = document.querySelector("[data-packsmith-fragment]");
location.replace(dataset.packsmithFragment + location.hash.split("?").slice(1).join("?"));
</script>`,
  );
}

export function errorPage(error: string, description: string, nonce: string): string {
  return page(
    "Request refused",
    nonce,
    `<h1>The request was refused</h1>
<p>${displayText(description)}</p>
<p class="quiet">Error code: <code>${displayText(error)}</code>. No response was sent to the app. Go back to the app and start again.</p>`,
  );
}

/** Addresses on pages are relative, because the issuer may have a path. */
function form(purpose: "login" | "consent", session: Session, interaction: Interaction): string {
  return `<form data-packsmith="${purpose}" method="post" action="${purpose}">
<input type="hidden" name="csrf" value="${escapeHtml(session.csrf)}">
<input type="hidden" name="request" value="${escapeHtml(interaction.id)}">`;
}

/** The page on which the user enters the code of a device. */
export function userCodePage(
  session: Session,
  typed: string,
  problem: string | undefined,
  nonce: string,
): string {
  return page(
    "Connect a device",
    nonce,
    `<h1>Connect a device</h1>
<p class="quiet">Enter the code that the device or the command line shows. Continue only if you started the connection yourself.</p>
<form data-packsmith="device" method="post" action="device">
<input type="hidden" name="csrf" value="${escapeHtml(session.csrf)}">
${problem === undefined ? "" : `<p class="problem" role="alert" id="problem">${displayText(problem)}</p>`}
<fieldset><legend><label class="plain" for="user_code">Code</label></legend>
<input class="code" id="user_code" name="user_code" value="${escapeHtml(typed.slice(0, 20))}" placeholder="BCDF-GHJK" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="20" required autofocus${problem === undefined ? "" : ' aria-invalid="true" aria-describedby="problem"'}>
</fieldset>
<div class="actions"><button type="submit" name="decision" value="approve">Continue</button></div>
</form>`,
  );
}

/** The page after the decision. The device gets the result with its next request. */
export function devicePage(decision: "approved" | "denied", nonce: string): string {
  return decision === "approved"
    ? page(
        "Device connected",
        nonce,
        "<h1>The device is connected</h1>\n<p>The device continues automatically within a few seconds. You can close this page.</p>",
      )
    : page(
        "Not connected",
        nonce,
        "<h1>The device was not connected</h1>\n<p>No access was granted. You can close this page.</p>",
      );
}

export function page(title: string, nonce: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<main>
${body}
</main>
<footer>Local authorization server on this machine, for development only.</footer>
</body>
</html>
`;
}

const STYLE = `
:root { --ground: #f4f5f7; --card: #fff; --text: #1c2430; --quiet: #5a6675; --line: #d5dae1; --accent: #1f5fbf; --on-accent: #fff }
@media (prefers-color-scheme: dark) {
  :root { --ground: #12161c; --card: #1b2129; --text: #e8ecf1; --quiet: #a3afbd; --line: #38424f; --accent: #8ab8ff; --on-accent: #0c1a2e }
}
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; padding: 1.5rem; display: flex; flex-direction: column; align-items: center; justify-content: center; gap: 1rem;
  background: var(--ground); color: var(--text); font: 1rem/1.5 system-ui, sans-serif }
main { width: 100%; max-width: 27rem; padding: 2rem; background: var(--card); border: 1px solid var(--line); border-radius: .75rem }
h1 { margin: 0 0 .5rem; font-size: 1.375rem; line-height: 1.3 }
p { margin: 0 0 1rem; overflow-wrap: anywhere }
fieldset { margin: 0 0 1.5rem; padding: 0; border: 0; display: grid; gap: .5rem }
legend { padding: 0; margin-bottom: .5rem; font-weight: 600 }
label { display: flex; gap: .75rem; align-items: center; padding: .75rem; border: 1px solid var(--line); border-radius: .5rem; cursor: pointer; overflow-wrap: anywhere }
label:has(:checked) { border-color: var(--accent) }
input { width: 1.125rem; height: 1.125rem; flex: none; margin: 0; accent-color: var(--accent) }
small, footer, .quiet { color: var(--quiet); font-size: .875rem }
small { display: block }
.problem { padding: .75rem; border-left: 3px solid #c03a2b; background: color-mix(in srgb, #c03a2b 10%, transparent) }
.plain { display: inline; padding: 0; border: 0 }
input.code { width: 100%; height: auto; padding: .625rem .75rem; font: 1.25rem/1.5 ui-monospace, monospace; letter-spacing: .1em; text-transform: uppercase; color: inherit; background: transparent; border: 1px solid var(--line); border-radius: .5rem }
.actions { display: flex; gap: .75rem }
button { flex: 1; padding: .625rem 1rem; font: inherit; font-weight: 600; border: 1px solid var(--line); border-radius: .5rem; background: transparent; color: inherit; cursor: pointer }
button[value=approve] { background: var(--accent); border-color: var(--accent); color: var(--on-accent) }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
a { color: var(--accent) }
code { font: .875em ui-monospace, monospace }
`;
