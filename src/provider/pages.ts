import type { ConsentRequest } from "./consent-request.ts";
import { displayText, escapeHtml, page } from "./html.ts";
import type { ProviderUser } from "./options.ts";
import { Path } from "./paths.ts";
import type { Interaction, Session } from "./sessions.ts";

export function loginPage(session: Session, interaction: Interaction, users: readonly ProviderUser[], nonce: string): string {
  const { client, loginHint } = interaction.request;
  const preferred =
    users.find(({ id, email }) => loginHint !== undefined && (loginHint === id || loginHint === email)) ?? session.user ?? users[0];
  const choices = users.map(
    (user) => `<label><input type="radio" name="user" value="${escapeHtml(user.id)}"${user.id === preferred?.id ? " checked" : ""} required>
<span>${displayText(user.name)}${user.email === undefined ? "" : `<small>${displayText(user.email)}</small>`}</span></label>`,
  );
  return page(
    "Sign in",
    nonce,
    `<h1>Sign in</h1>
<p class="quiet">to continue to ${displayText(client.name ?? client.clientId)}</p>
${form("login", Path.Login, session, interaction)}
<fieldset><legend>Choose an account</legend>
${choices.join("\n")}
</fieldset>
<div class="actions"><button type="submit" name="decision" value="approve">Sign in</button><button type="submit" name="decision" value="deny">Cancel</button></div>
</form>`,
  );
}

export function consentPage(session: Session & { user: ProviderUser }, interaction: Interaction, nonce: string): string {
  const { client, scopes, resources } = interaction.request;
  const boxes = scopes.map(
    (scope) => `<label><input type="checkbox" name="scope" value="${escapeHtml(scope)}" checked><span>${displayText(scope)}</span></label>`,
  );
  const what =
    boxes.length === 0
      ? "<p>It asks for no particular permission.</p>"
      : `<fieldset><legend>It asks for</legend>\n${boxes.join("\n")}\n</fieldset>`;
  const where = resources.length === 0 ? "" : `<p class="quiet">For use at ${resources.map(displayText).join(", ")}</p>`;
  return page(
    "Allow access",
    nonce,
    `<h1>Allow ${displayText(client.name ?? client.clientId)}?</h1>
<p class="quiet">Signed in as ${displayText(session.user.name)}. <a href="${Path.Login}?request=${escapeHtml(interaction.id)}">Use another account</a></p>
${form("consent", Path.Consent, session, interaction)}
${what}
${where}
${receiver(interaction.request)}
<div class="actions"><button type="submit" name="decision" value="approve">Allow</button><button type="submit" name="decision" value="deny">Deny</button></div>
</form>`,
  );
}

function receiver(request: ConsentRequest): string {
  return request.kind === "device"
    ? `<p class="quiet">For the device that shows <code>${displayText(request.device.userCode)}</code>. If it shows another code, deny.</p>`
    : `<p class="quiet">The answer goes to <code>${displayText(request.redirectUri)}</code></p>`;
}

export function errorPage(error: string, description: string, nonce: string): string {
  return page(
    "Request refused",
    nonce,
    `<h1>This request was refused</h1>
<p>${displayText(description)}</p>
<p class="quiet">Error code: <code>${displayText(error)}</code>. Nothing was sent to the app. Start again from there.</p>`,
  );
}

function form(purpose: "login" | "consent", action: string, session: Session, interaction: Interaction): string {
  return `<form data-packsmith="${purpose}" method="post" action="${action}">
<input type="hidden" name="csrf" value="${escapeHtml(session.csrf)}">
<input type="hidden" name="request" value="${escapeHtml(interaction.id)}">`;
}
