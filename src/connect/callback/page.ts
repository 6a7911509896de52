import type { Response } from "express";
import { isPackError, type PackError } from "../../errors.ts";
import { displayText } from "../../shared/text.ts";

export interface Page {
  title: string;
  /** One sentence under the title. */
  lead: string;
  /** Shown as a list of names and values. */
  facts?: readonly (readonly [name: string, value: string])[] | undefined;
  /** What to do next. */
  hint?: string | undefined;
  tone: "good" | "bad" | "neutral";
}

export const NOT_STARTED_HERE: Page = {
  title: "This link was opened in another browser",
  lead: "Another browser started the connection, so packsmith ignored this request.",
  hint: "Run packsmith auth connect, and open the printed link.",
  tone: "neutral",
};
export const LINK_USED: Page = {
  title: "This link was already used",
  lead: "Each link works only once, and only in one browser.",
  hint: "Continue in the browser that opened the link, or run packsmith auth connect again.",
  tone: "neutral",
};
export const OTHER_STATE: Page = {
  title: "packsmith ignored this response",
  lead: "The state in the response does not belong to the current connection. The response is from an earlier attempt, or is forged.",
  hint: "Continue in the tab that packsmith opened, or open the printed link again.",
  tone: "bad",
};
export const SENT_AS_FORM: Page = {
  title: "packsmith cannot read this response",
  lead: "The provider sent the response as a form (form_post). packsmith can read a response only in the URL of the redirect.",
  hint: "Remove response_mode from additionalParams, then connect again.",
  tone: "bad",
};
export const GO_ON: Page = {
  title: "One more step",
  lead: "packsmith needs one more answer from you. Go back to the terminal or the page where you started.",
  hint: "You can close this tab.",
  tone: "good",
};
export const MISDIRECTED: Page = {
  title: "Wrong host",
  lead: "This server accepts requests only at its own loopback address.",
  tone: "neutral",
};
export const NOT_FOUND: Page = {
  title: "Page not found",
  lead: "This server handles only the login of one account.",
  tone: "neutral",
};
export const TOO_MANY: Page = {
  title: "Too many attempts",
  lead: "Stop packsmith and run auth connect again.",
  tone: "bad",
};
export const BROKEN: Page = {
  title: "Something went wrong",
  lead: "See the terminal in which packsmith runs.",
  tone: "bad",
};

/** The page for a failed connection. */
export function failurePage(error: PackError): Page {
  return {
    title:
      error.code === "OAUTH_DENIED" ? "Access was not granted" : "The account was not connected",
    lead: error.message,
    facts: listFacts(error),
    hint: error.hint,
    tone: "bad",
  };
}

function listFacts(error: PackError): (readonly [string, string])[] {
  const { rule, place } = error;
  const said =
    isPackError(error, "OAUTH_DENIED") || isPackError(error, "OAUTH_TOKEN_REJECTED")
      ? error.details
      : undefined;
  const facts = [
    ["Code", error.code],
    ["Provider's error", said?.error],
    ["Description", said?.description],
    ["Standard", rule],
    ["Defined at", place === undefined ? undefined : `${place.file}:${place.line}:${place.column}`],
  ] as const;
  return facts.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
}

/** Longer texts of a provider are cut, in characters. */
const MAX_FOREIGN_TEXT = 400;

/**
 * Sends a page without scripts and without external resources, so that text of a provider can do no
 * harm.
 * @param nonce one-time value for styles, as in the Content-Security-Policy of the response
 */
export function sendPage(response: Response, status: number, page: Page, nonce: string): void {
  const facts = (page.facts ?? [])
    .map(([name, value]) => `<dt>${show(name)}</dt><dd>${show(value)}</dd>`)
    .join("");
  response
    .status(status)
    .type("html")
    .send(
      `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
        `<title>${show(page.title)} · packsmith</title><style nonce="${nonce}">${STYLE}</style>` +
        `<main class="${page.tone}"><h1>${show(page.title)}</h1><p>${show(page.lead)}</p>` +
        (facts === "" ? "" : `<dl>${facts}</dl>`) +
        (page.hint === undefined ? "" : `<p class="hint">${show(page.hint)}</p>`) +
        `</main></html>`,
    );
}

function show(text: string): string {
  return displayText(text, MAX_FOREIGN_TEXT);
}

const STYLE = `
:root{color-scheme:light dark;--ink:#1c2330;--paper:#f6f7f9;--card:#fff;--line:#d9dde5;--good:#137a4b;--bad:#b3261e;--neutral:#4a5568}
@media(prefers-color-scheme:dark){:root{--ink:#e8ebf1;--paper:#12151b;--card:#1b2029;--line:#333b48;--good:#5fd39a;--bad:#ff8a80;--neutral:#a9b4c6}}
body{margin:0;min-height:100vh;display:grid;place-items:center;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{box-sizing:border-box;width:min(34rem,calc(100vw - 2rem));padding:2rem;background:var(--card);border:1px solid var(--line);border-top:4px solid var(--neutral);border-radius:8px}
main.good{border-top-color:var(--good)}main.bad{border-top-color:var(--bad)}
h1{margin:0 0 .5rem;font-size:1.4rem}p{margin:.5rem 0}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1rem;margin:1rem 0}dt{color:var(--neutral)}dd{margin:0;overflow-wrap:anywhere}
.hint{padding:.75rem 1rem;background:var(--paper);border-radius:6px}
`.replaceAll("\n", "");
