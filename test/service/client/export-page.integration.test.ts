import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import {
  exportPage,
  packTransport,
  type ServiceRequest,
  type ServiceResponse,
  type Transport,
} from "../../../src/service.ts";
import { startTestService } from "../support.ts";
import { createClient, createTimer, ok, refusal } from "./scripted.ts";

const target = { docId: "d", pageIdOrName: "p", format: "markdown" } as const;
const LINK = "https://files.example/x";

function exporting(
  statuses: (ServiceResponse | undefined)[],
  files: { status: number; body: Uint8Array }[],
) {
  const sent: string[] = [];
  const transport: Transport = {
    timer: createTimer(),
    async send({ operation, cacheTtlSecs }: ServiceRequest) {
      sent.push(`${operation} ${cacheTtlSecs}`);
      if (operation === "beginPageContentExport")
        return ok({ id: "e", status: "inProgress", href: "https://docs.example" });
      return (
        statuses.shift() ??
        ok({ id: "e", status: "complete", href: "https://docs.example", downloadLink: LINK })
      );
    },
    async download(url) {
      sent.push(url);
      return (
        files.shift() ?? {
          status: 403,
          body: Buffer.from("<?xml version='1.0'?><Code>AccessDenied</Code>"),
        }
      );
    },
  };
  return { client: createClient(transport), sent };
}

describe("exporting a page", () => {
  it("waits for the link, whatever the status is called, and unpacks the file", async () => {
    const { client, sent } = exporting(
      [ok({ status: "complete" }), refusal(404), undefined],
      [{ status: 200, body: gzipSync("# Héllo") }],
    );
    expect(await exportPage(client, target)).toBe("# Héllo");
    expect(sent).toEqual([
      "beginPageContentExport undefined",
      ...Array.from({ length: 3 }, () => "getPageContentExportStatus 0"),
      LINK,
    ]);
  });

  it("takes a file that is not packed as it is", async () => {
    const { client } = exporting([], [{ status: 200, body: Buffer.from("plain") }]);
    expect(await exportPage(client, target)).toBe("plain");
  });

  it("renews an expired link twice, and gives up then", async () => {
    const expired = { status: 403, body: Buffer.from("<?xml version='1.0'?>") };
    const fine = exporting(
      [],
      [expired, { status: 200, body: expired.body }, { status: 200, body: gzipSync("late") }],
    );
    expect(await exportPage(fine.client, target)).toBe("late");
    const broken = exporting(
      [],
      [expired, expired, expired, { status: 200, body: gzipSync("never") }],
    );
    await expect(exportPage(broken.client, target)).rejects.toMatchObject({
      name: "ExportFailedError",
      message: expect.stringContaining("status 403"),
    });
    expect(broken.sent.filter((each) => each === LINK)).toHaveLength(3);
  });

  it("fails with what the service says, and when there is no end in time", async () => {
    const failed = exporting([ok({ status: "failed", error: "The page is empty." })], []);
    await expect(exportPage(failed.client, target)).rejects.toMatchObject({
      name: "ExportFailedError",
      message: "The page is empty.",
      requestId: "e",
    });
    const endless = exporting(
      Array.from({ length: 50 }, () => ok({ status: "inProgress" })),
      [],
    );
    await expect(exportPage(endless.client, target)).rejects.toMatchObject({
      message: "The export did not finish in time.",
    });
  });

  it("refuses a file that unpacks to more than is allowed", async () => {
    const bomb = { status: 200, body: gzipSync(Buffer.alloc(1_000_000)) };
    const { client } = exporting([], [bomb, bomb, bomb]);
    await expect(exportPage(client, { ...target, maxBytes: 1_000 })).rejects.toThrow(
      "larger than 1000 bytes",
    );
  });

  // docs/rules.md: Pack rule 5
  it("fetches the file as binary and without the account's credentials inside a Pack", async () => {
    const requests: object[] = [];
    const transport = packTransport({
      async fetch(request) {
        requests.push(request);
        if (request.isBinaryResponse) return { status: 200, body: gzipSync("content") };
        return {
          status: 200,
          body: { id: "e", href: "h", ...(request.method === "GET" ? { downloadLink: LINK } : {}) },
        };
      },
    });
    expect(await exportPage(createClient(transport), target)).toBe("content");
    expect(requests.at(-1)).toEqual({
      method: "GET",
      url: LINK,
      cacheTtlSecs: 0,
      disableAuthentication: true,
      isBinaryResponse: true,
    });
  });

  it("gives the content of a page of the running service", async () => {
    await using test = await startTestService();
    const pages = test.client.doc(test.service.docId).pages;
    const { id } = await pages.create({
      name: "Notes",
      pageContent: {
        type: "canvas",
        canvasContent: { format: "markdown", content: "# Title\n\nSome *text*." },
      },
    });
    await test.service.settle();
    const text = await exportPage(test.client, {
      docId: test.service.docId,
      pageIdOrName: id,
      format: "markdown",
    });
    expect(text).toContain("# Title");
    const page = test.client.doc(test.service.docId).page(id);
    expect(await page.exportPage({ format: "html" })).toContain("<h1>Title</h1>");
    expect(await page.exportPage({ format: "markdown" })).toBe(text);
    await expect(page.exportPage({ format: "html", maxBytes: 10 })).rejects.toMatchObject({
      name: "ExportFailedError",
      message: expect.stringContaining("larger than 10 bytes"),
    });
  });

  it("of a client inside a Pack names the function that can unpack a file", async () => {
    const fetcher = { fetch: async () => ({ status: 200, body: {} }) };
    const page = createClient(packTransport(fetcher)).doc("d").page("p");
    await expect(page.exportPage({ format: "html" })).rejects.toThrow(
      "Inside a Pack, call exportPage from packsmith/service.",
    );
  });
});
