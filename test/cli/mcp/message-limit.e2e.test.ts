import { expect, it } from "vitest";
import { startLongCli } from "../../support/long-cli.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";

it("a message without an end is refused before it fills the memory, and the server ends", async () => {
  using folder = makeTemporaryFolder();
  await using cli = startLongCli(["mcp"], { cwd: folder.path });
  const { stdin } = cli.child;
  // The server stops reading, and closes the pipe.
  stdin.on("error", () => undefined);
  const chunk = Buffer.alloc(64 * 1024, "x");
  const write = (): void => {
    if (!stdin.destroyed) stdin.write(chunk, () => setImmediate(write));
  };
  write();
  await cli.seen(/"code":-32600/);
  expect(await cli.stop("SIGCONT")).toBe(0);
  expect(JSON.parse(cli.text())).toEqual({
    jsonrpc: "2.0",
    id: null,
    error: { code: -32600, message: "A message can have at most 4 MB. The server stops." },
  });
});
