// Writes docs/providers-quirks.md from real runs: tests a plain definition with every simulated
// provider, and lists what failed and which edit fixed it. With --check, reports whether the page
// is out of date.
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
const MEMBER = /^(token_type|expires_in|refresh_token|scope|id_token)\b/;
const STEPS = {
  connect: "connecting",
  call: "first call",
  refresh: "refreshing",
  "call again": "call after a refresh",
  refusal: "refused refresh",
};

const code = await resultsOf(PLAIN.code);
const withPkce = await resultsOf(`${PLAIN.code}, useProofKeyForCodeExchange: true`);
const credentials = await resultsOf(PLAIN.credentials);
// Client credentials stand in for profiles that the code flow skips. A definition with PKCE is used
// where it fails and the plain one passes.
const results = code.map((result, index) => {
  if (result.outcome === "skipped") return credentials[index];
  return result.outcome === "passed" && withPkce[index].outcome === "failed"
    ? withPkce[index]
    : result;
});
const text = render();
if (!process.argv.includes("--check")) writeFileSync(page, text);
else if (readFileSync(page, "utf8") !== text) {
  console.error("docs/providers-quirks.md is out of date. Run: npm run docs");
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
  const fixed = failed.filter(({ edit }) => edit !== undefined);
  const unfixable = failed.filter(({ edit }) => edit === undefined);
  const fine = results.filter(({ outcome }) => outcome === "passed");
  return `# What providers do differently, and what to write

Find your error in the table, and add the option from the column "What to write". [OAuth in a definition](oauth.md) explains the options.

This page is generated: \`packsmith auth test\` ran a plain definition against each simulated provider. Each test connects an account, calls the API, refreshes the token, calls the API again, and then refreshes with a token that the provider rejects.

To test your own Pack in the same way, run \`packsmith auth test pack.ts --all-profiles\`. To test with one profile, pass \`--profile NAME\`. To use a simulated provider in your browser, run \`packsmith provider --profile NAME\`.

## What you see, and how to fix it

| What you see | What the provider does | What to write | Profile |
| --- | --- | --- | --- |
${fixed.map((result) => row(symptomOf(result), sentenceOf(result), members(result.edit), `\`${result.profile}\``)).join("\n")}

## What cannot be fixed in the definition

| What you see | What the provider does | Profile |
| --- | --- | --- |
${unfixable.map((result) => row(symptomOf(result), sentenceOf(result), `\`${result.profile}\``)).join("\n")}

## Features that work without changes

Strict clients reject responses from many of these providers. packsmith supports them without any option in the definition. To see how your provider differs from the standard, run \`packsmith auth doctor\`.

${fine.map((result) => `- ${sentenceOf(result)} (\`${result.profile}\`)`).join("\n")}
`;
}

/** The summary of a profile, with its subject: a member of the token response or the provider. */
function sentenceOf({ summary }) {
  return MEMBER.test(summary) ? summary.replace(MEMBER, "`$1`") : `The provider ${summary}`;
}

function symptomOf({ failure }) {
  return `${STEPS[failure.step]}: \`${failure.code}\` ${failure.message}`;
}

function members(edit) {
  return edit
    .split(/, (?=(?:add|change|set|remove) )/)
    .map((part) =>
      part
        .replace(/^add (.*)$/s, "`$1`")
        .replace(/^(change|set) (\w+) to (.*)$/s, "$1 `$2` to `$3`"),
    )
    .join(", ");
}

function row(...cells) {
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}
