import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { walkHeadless } from "../../src/connect/headless-browser.ts";
import { startProvider } from "../../src/provider/provider.ts";
import { isLong } from "../support/breadth.ts";

describe("walkHeadless", () => {
  it.each(["approve", "deny"] as const)(
    "walks through login and consent of the local provider and decides to %s",
    async (decision) => {
      await using provider = await startProvider();
      const arrived: URL[] = [];
      await using client = await serve((request, response) => {
        arrived.push(new URL(request.url ?? "", "http://127.0.0.1"));
        response.setHeader("content-type", "text/html").end("<h1>Back</h1>");
      });
      const authorize = new URL(provider.authorizationUrl);
      authorize.search = new URLSearchParams({
        response_type: "code",
        client_id: provider.clientId,
        redirect_uri: `${client.origin}/oauth/callback`,
        scope: "profile",
        state: "a state",
        prompt: "consent",
      }).toString();
      const { visits } = await walkHeadless(authorize.href, { decision });
      expect(arrived[0]?.searchParams.get("state")).toBe("a state");
      expect([arrived[0]?.searchParams.has("code"), arrived[0]?.searchParams.get("error")]).toEqual(
        decision === "approve" ? [true, null] : [false, "access_denied"],
      );
      expect(visits.at(-1)).toEqual({
        method: "GET",
        url: `${client.origin}/oauth/callback`,
        status: 200,
      });
      expect(JSON.stringify(visits)).not.toContain("code=");
    },
  );

  it("does not follow a redirect off this machine", async () => {
    await using server = await serve((_request, response) =>
      response.writeHead(302, { location: "https://login.example/" }).end(),
    );
    await expect(walkHeadless(server.origin)).rejects.toMatchObject({
      code: "OAUTH_HEADLESS_REFUSED",
      details: { reason: "the provider is at login.example, not on this machine" },
    });
  });

  it("stops when the pages lead in circles", async () => {
    await using server = await serve((_request, response) =>
      response.writeHead(302, { location: "/again" }).end(),
    );
    await expect(walkHeadless(server.origin)).rejects.toMatchObject({
      code: "OAUTH_HEADLESS_REFUSED",
      details: { reason: "the pages redirect in circles" },
    });
  });

  it("stops at a page that is too large", async () => {
    await using server = await serve((_request, response) => response.end("x".repeat(300_000)));
    await expect(walkHeadless(server.origin)).rejects.toMatchObject({
      code: "OAUTH_HEADLESS_REFUSED",
    });
  });

  it("says that nothing answers", async () => {
    const server = await serve(() => {});
    await server[Symbol.asyncDispose]();
    await expect(walkHeadless(server.origin)).rejects.toMatchObject({
      code: "OAUTH_HEADLESS_REFUSED",
      message: expect.stringContaining("nothing answers"),
    });
  });
});

async function serve(listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

describe("the last page of a walk", () => {
  const pages = fc.oneof(
    fc.string({ unit: "binary", maxLength: 300 }),
    fc.constantFrom(
      "&#99999999999;&#xfffffffff;&amp;lt;",
      "<".repeat(150_000),
      "<head".repeat(30_000),
      "<p>You are&nbsp;refused</p><script>x</script>",
    ),
  );

  it("is shown as text without tags and control characters, whatever a server sends", async () => {
    await fc.assert(
      fc.asyncProperty(
        pages,
        fc.option(
          fc.string({ maxLength: 20 }).map((text) => text.replace(/[^\x20-\x7e]/g, "")),
          { nil: undefined },
        ),
        async (page, location) => {
          await using server = await serve((_request, response) => {
            response
              .writeHead(
                location === undefined ? 400 : 302,
                location === undefined ? {} : { location },
              )
              .end(page);
          });
          const outcome = await walkHeadless(server.origin).catch((error: unknown) => error);
          if (outcome instanceof Error)
            expect(outcome).toMatchObject({ code: "OAUTH_HEADLESS_REFUSED" });
          else
            expect((outcome as { text?: string }).text ?? "").not.toMatch(
              /[\u0000-\u001f\u007f-\u009f]/,
            );
        },
      ),
      { numRuns: isLong ? 60 : 15 },
    );
  });
});
