import { displayText, escapeHtml, page } from "./html.ts";
import { Path } from "./paths.ts";
import type { Session } from "./sessions.ts";

/** Where a person types the code that a device shows. */
export function userCodePage(session: Session, typed: string, problem: string | undefined, nonce: string): string {
  return page(
    "Connect a device",
    nonce,
    `<h1>Connect a device</h1>
<p class="quiet">Type the code that the device or the command line shows. Go on only if you started this yourself.</p>
<form data-packsmith="device" method="post" action="${Path.Device}">
<input type="hidden" name="csrf" value="${escapeHtml(session.csrf)}">
${problem === undefined ? "" : `<p class="problem" role="alert" id="problem">${displayText(problem)}</p>`}
<fieldset><legend><label class="plain" for="user_code">Code</label></legend>
<input class="code" id="user_code" name="user_code" value="${escapeHtml(typed.slice(0, 20))}" placeholder="BCDF-GHJK" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="20" required autofocus${problem === undefined ? "" : ' aria-invalid="true" aria-describedby="problem"'}>
</fieldset>
<div class="actions"><button type="submit" name="decision" value="approve">Continue</button></div>
</form>`,
  );
}

/** What the browser shows after the decision; the device learns of it when it asks next. */
export function devicePage(decision: "approved" | "denied", nonce: string): string {
  return decision === "approved"
    ? page(
        "Device connected",
        nonce,
        "<h1>The device is connected</h1>\n<p>It goes on by itself within a few seconds. You can close this page.</p>",
      )
    : page("Not connected", nonce, "<h1>The device was not connected</h1>\n<p>Nothing was allowed. You can close this page.</p>");
}
