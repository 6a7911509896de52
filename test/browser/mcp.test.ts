import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AccountsView } from "../../src/dev/wire/accounts.ts";
import { startProvider } from "../../src/provider/provider.ts";
import { startAskingServer } from "../support/asking-server.ts";
import { seriousFindings } from "../support/axe.ts";
import { hasChromium, launchChromium } from "../support/chromium.ts";
import { startDevProject } from "../support/dev.ts";
import { approveLocally, openDevWindow } from "../support/dev-browser.ts";
import { expectGoodOnEveryScreen } from "../support/every-screen.ts";
import { mcpPack, startMcpServer } from "../support/mcp-server.ts";

const CODE = `pack.setUserAuthentication({
  type: "OAuth2", useProofKeyForCodeExchange: true, useDynamicClientRegistration: true, scopes: ["tools.list"],
} as never);`;

describe.runIf(hasChromium)("the view of the Pack's MCP server", () => {
  let browser: Awaited<ReturnType<typeof launchChromium>>;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());

  it("lists the tools and calls one, with a form or with JSON", async () => {
    await using server = await startMcpServer();
    await using dev = await startDevProject(
      { "pack.ts": mcpPack(server.url) },
      { routes: [server.origin] },
    );
    await using window = await openDevWindow(browser, dev, "mcp");
    const { page } = window;
    const form = page.getByRole("form", { name: "search_tasks" });
    const result = page.getByRole("region", { name: "Result" });
    const call = () => page.getByRole("button", { name: "Call", exact: true }).click();
    await form.getByText("Finds tasks by words in their title.").waitFor();

    // What the schema demands is marked, and nothing is sent without it.
    await call();
    await form.getByText("Enter a value for query.").waitFor();
    expect(server.calls).toEqual([]);
    await form.getByLabel(/^query/).fill("welcome");
    await form.getByLabel(/^status/).selectOption("open");
    await form.getByLabel(/^limit/).fill("5");
    await form.getByLabel(/^query/).press("Enter");
    await result.getByText("Found 2 tasks.").waitFor();
    expect(server.calls.at(-1)?.arguments).toEqual({ query: "welcome", status: "open", limit: 5 });
    expect(
      await result.getByRole("link", { name: "Draft the welcome guide" }).getAttribute("href"),
    ).toBe("https://tasks.example/7");
    await expectGoodOnEveryScreen(page);

    // The same arguments as JSON, with one that the schema does not name; back in the form they are
    // all there.
    await form.getByRole("tab", { name: "JSON" }).click();
    const json = form.getByLabel("Arguments as JSON");
    expect(JSON.parse(await json.inputValue())).toEqual({
      query: "welcome",
      status: "open",
      limit: 5,
    });
    await json.fill('{"query": ');
    await call();
    await form.getByRole("tab", { name: "JSON" }).click();
    expect(await json.inputValue()).toBe('{"query": ');
    await form.getByText("Enter a JSON object, such as").waitFor();
    await json.fill('{"query": "tea", "beta": true}');
    await form.getByRole("tab", { name: "Form" }).click();
    expect(await form.getByLabel(/^beta/).inputValue()).toBe("true");
    await call();
    await expect.poll(() => server.calls.at(-1)?.arguments).toEqual({ query: "tea", beta: true });

    // The keyboard reaches another tool, whose failure is told apart from a failed run.
    await page.keyboard.press("/");
    await page.keyboard.type("delete");
    await page.keyboard.press("Enter");
    await page.getByRole("form", { name: "delete_task" }).getByLabel(/^id/).fill("99");
    await call();
    await result.getByText("The tool failed.").waitFor();
    await result.getByText("There is no task 99.").waitFor();
    await result.getByRole("link", { name: "6 requests" }).click();
    await page.getByRole("region", { name: "Requests of Mcp:call:delete_task" }).waitFor();

    // A Pack without a server has no such view.
    const link = page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "MCP" });
    expect(await link.count()).toBe(1);
    dev.project.write(
      "pack.ts",
      'import { newPack } from "packsmith";\nexport const pack = newPack();\n',
    );
    await link.waitFor({ state: "detached" });
    await page.goto(`${dev.server.origin}/#/mcp`);
    await page.getByText("The Pack has no MCP server").waitFor();
    expect(window.errors).toEqual([]);
  });

  it("asks what a tool wants to know, and shows what is sent before it is", async () => {
    await using server = await startAskingServer({
      message: "What should be cleared?",
      requestedSchema: {
        type: "object",
        properties: {
          reason: { type: "string", title: "Reason", minLength: 3 },
          count: { type: "integer", title: "Count", default: 2 },
          status: { type: "string", title: "Status", enum: ["open", "done"] },
          sure: { type: "boolean", title: "Sure" },
          labels: {
            type: "array",
            title: "Labels",
            items: { type: "string", enum: ["home", "work"] },
          },
        },
        required: ["reason"],
      },
    });
    await using dev = await startDevProject(
      { "pack.ts": mcpPack(server.url) },
      { routes: [server.origin] },
    );
    await using window = await openDevWindow(browser, dev, "mcp");
    const { page } = window;
    await page.getByRole("form", { name: "clear" }).waitFor();
    const call = () => page.getByRole("button", { name: "Call", exact: true }).click();
    await call();
    const question = page.getByRole("form", { name: /asks$/ });
    await question.getByText("What should be cleared?").waitFor();
    await page.getByText("Calling… progress 1 of 2: looking").waitFor();
    const sent = async () =>
      JSON.parse((await question.getByRole("region", { name: "Answer" }).textContent()) ?? "");
    expect(await sent()).toEqual({ count: 2 });
    await expectGoodOnEveryScreen(page);

    await question.getByLabel(/^Reason/).fill("no");
    await question.getByRole("button", { name: "Send" }).click();
    await question.getByText("Write at least 3 characters.").waitFor();
    expect(server.answers).toEqual([]);
    await question.getByLabel(/^Reason/).fill("spring");
    await question.getByLabel(/^Count/).fill("");
    await question.getByLabel(/^Status/).selectOption("done");
    await question.getByLabel(/^Sure/).selectOption("yes");
    await question.getByLabel("work").check();
    const content = { reason: "spring", status: "done", sure: true, labels: ["work"] };
    expect(await sent()).toEqual(content);
    await question.getByRole("button", { name: "Send" }).click();
    await question.waitFor({ state: "detached" });
    await page.getByRole("region", { name: "Console" }).getByText("progress 1 of 2").waitFor();
    expect(server.answers).toEqual([{ action: "accept", content }]);

    for (const [button, action] of [
      ["Decline", "decline"],
      ["Cancel", "cancel"],
    ] as const) {
      await call();
      await question.getByRole("button", { name: button }).click();
      await question.waitFor({ state: "detached" });
      await expect.poll(() => server.answers.at(-1)).toEqual({ action });
    }
    expect(window.errors).toEqual([]);
  });

  it("shows a page that a tool wants the user to visit, and opens it on a click only", async () => {
    const url = "https://login.calendar.example/start?task=7";
    const message = "Log in to the calendar.";
    await using server = await startAskingServer({
      mode: "url",
      message,
      url,
      elicitationId: "page-1",
    });
    await using dev = await startDevProject(
      { "pack.ts": mcpPack(server.url) },
      { routes: [server.origin] },
    );
    await using window = await openDevWindow(browser, dev, "mcp");
    const { page } = window;
    await page.getByRole("form", { name: "clear" }).waitFor();
    await page.getByRole("button", { name: "Call", exact: true }).click();
    const question = page.getByRole("region", { name: /asks$/ });
    await question.getByText(message).waitFor();
    await question.getByText("login.calendar.example", { exact: true }).waitFor();
    expect(await question.getByRole("region", { name: "Address" }).textContent()).toBe(url);
    const link = question.getByRole("link", { name: "Open login.calendar.example" });
    expect(await link.getAttribute("href")).toBe(url);
    expect(page.context().pages()).toHaveLength(1);
    expect(await seriousFindings(page)).toEqual([]);
    await question.getByRole("button", { name: "I have finished on this website" }).click();
    await question.waitFor({ state: "detached" });
    expect(server.answers).toEqual([{ action: "accept" }]);
    expect(window.errors).toEqual([]);
  });

  it("connects an account that the server demands, and again with the scopes that a tool needs", async () => {
    await using provider = await startProvider({
      profiles: ["step-up"],
      scopes: ["tools.list", "tools.call"],
    });
    await using dev = await startDevProject(
      { "pack.ts": mcpPack(`${provider.origin}/mcp`, CODE) },
      { routes: [provider.origin] },
    );
    await using window = await openDevWindow(browser, dev, "mcp");
    const { page } = window;
    const here = page.getByRole("region", { name: "Account for this run" });
    await here.getByText("The MCP server needs an account, but no account is connected.").waitFor();
    await here.getByRole("button", { name: "Connect to the real provider" }).click();
    await approveLocally(
      await window.tabAfter(() =>
        here.getByRole("button", { name: "Connect", exact: true }).click(),
      ),
    );
    // The list that was refused is loaded.
    await page.getByRole("form", { name: "whoami" }).waitFor();
    await page.getByRole("button", { name: "Call", exact: true }).click();
    await here
      .getByText("whoami needs the scope tools.call, which the account default does not have.")
      .waitFor();
    expect(await seriousFindings(page)).toEqual([]);

    // A refusal changes nothing, and the next attempt asks for the same scopes.
    await approveLocally(
      await window.tabAfter(() =>
        here.getByRole("button", { name: "Connect again with this scope" }).click(),
      ),
      "Deny",
    );
    await here.getByRole("button", { name: "Try again" }).click();
    expect(await here.getByLabel("Additional scopes").inputValue()).toBe("tools.call");
    await approveLocally(
      await window.tabAfter(() =>
        here.getByRole("button", { name: "Connect", exact: true }).click(),
      ),
    );
    await here.waitFor({ state: "detached" });
    await page.getByRole("region", { name: "Result" }).getByText("Local user").first().waitFor();
    const { slots } = (await (await dev.get("/api/accounts")).json()) as AccountsView;
    expect(slots[0]?.accounts).toMatchObject([
      { name: "default", scopes: ["tools.list", "tools.call"] },
    ]);
    expect(window.errors).toEqual([]);
  });
});
