// Writes docs/providers-quirks.md from what really happens: a plain definition is taken through every simulated provider, and
// the page says what failed and which edit mended it. With --check, says whether the page is stale.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { testAuthentication } from "../dist/connect/simulation/test-authentication.js";

const page = fileURLToPath(new URL("../docs/providers-quirks.md", import.meta.url));
const PLAIN = {
  code: `type: "OAuth2", authorizationUrl: "https://login.tasks.example/authorize", tokenUrl: "https://login.tasks.example/token", scopes: ["read", "write"]`,
  credentials: `type: "OAuth2ClientCredentials", tokenUrl: "https://login.tasks.example/token", scopes: ["read", "write"]`,
};
const STEPS = { connect: "connecting", call: "the first call", refresh: "refreshing", "call again": "the call after a refresh", refusal: "a refused refresh" };

const code = await resultsOf(PLAIN.code);
const proven = await resultsOf(`${PLAIN.code}, useProofKeyForCodeExchange: true`);
const credentials = await resultsOf(PLAIN.credentials);
// Where the code flow says nothing, the client credentials do; where a proof key is refused, the plain definition has none.
const results = code.map((result, index) => {
  if (result.outcome === "skipped") return credentials[index];
  return result.outcome === "passed" && proven[index].outcome === "failed" ? proven[index] : result;
});
const text = render();
if (!process.argv.includes("--check")) writeFileSync(page, text);
else if (readFileSync(page, "utf8") !== text) {
  console.error("docs/providers-quirks.md is stale. Run: npm run docs");
  process.exitCode = 1;
}

async function resultsOf(authentication) {
  const folder = mkdtempSync(join(tmpdir(), "packsmith-quirks-"));
  try {
    writeFileSync(
      join(folder, "pack.ts"),
      `import { newPack } from "packsmith";\nexport const pack = newPack().addNetworkDomain("tasks.example").setUserAuthentication({ ${authentication} });\n`,
    );
    return (await testAuthentication({ file: "pack.ts", cwd: folder })).results;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function render() {
  const failed = results.filter(({ outcome }) => outcome === "failed");
  const mended = failed.filter(({ edit }) => edit !== undefined);
  const hopeless = failed.filter(({ edit }) => edit === undefined);
  const fine = results.filter(({ outcome }) => outcome === "passed");
  return `# What providers do differently, and what to write

A plain definition was taken through each simulated provider of \`packsmith auth test\`: connect, call the API, refresh, call again, be refused. This page is written from what happened. Find what you see, and add what mended it. The members are explained in [oauth.md](oauth.md).

Try your own Pack in the same way: \`packsmith auth test pack.ts --all-profiles\`, or one of them with \`--profile NAME\`. \`packsmith provider --profile NAME\` runs such a provider for your browser.

## What you see, and what mends it

| What you see | What the provider does | What to write | Profile |
| --- | --- | --- | --- |
${mended.map((result) => row(symptomOf(result), result.summary, members(result.edit), `\`${result.profile}\``)).join("\n")}

## What nothing mends

| What you see | What the provider does | Profile |
| --- | --- | --- |
${hopeless.map((result) => row(symptomOf(result), result.summary, `\`${result.profile}\``)).join("\n")}

## What needs nothing

Strict clients refuse many of these; here they work without a word in the definition. \`packsmith auth doctor\` tells which of them your provider has.

${fine.map(({ profile, summary }) => `- ${summary} (\`${profile}\`)`).join("\n")}
`;
}

function symptomOf({ failure }) {
  return `${STEPS[failure.step]}: \`${failure.code}\` ${failure.message}`;
}

function members(edit) {
  return edit
    .split(/, (?=(?:add|change|set|remove) )/)
    .map((part) => part.replace(/^add (.*)$/s, "`$1`").replace(/^(change|set) (\w+) to (.*)$/s, "$1 `$2` to `$3`"))
    .join(", ");
}

function row(...cells) {
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}
