/** Escapes text for element content and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Text from outside as a page may show it: no control or direction characters, no novels (rule 13). */
export function displayText(text: string): string {
  const clean = text.replace(/[\p{Cc}\p{Cf}]/gu, " ");
  return escapeHtml(clean.length > 200 ? `${clean.slice(0, 200)}…` : clean);
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
<footer>Local authorization server. It runs on this machine, for development only.</footer>
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
