import { describe, expect, it } from "vitest";
import { type DevSession, startDevSession } from "../../../src/dev/session/dev-session.ts";
import type { DevEvent } from "../../../src/dev/wire/common.ts";
import { createRedactor } from "../../../src/shared/redact.ts";
import { oneFormula } from "../../support/dev-pack.ts";
import { makeProject } from "../../support/project.ts";

/** Resolves with the next event that is meant. */
const next = (session: DevSession, isMeant: (event: DevEvent) => boolean) =>
  new Promise<DevEvent>((resolve) => {
    const end = session.events.listen((event) => {
      if (!isMeant(event)) return;
      end();
      resolve(event);
    });
  });

// The compiler reads the types of the built package.
describe("the session of packsmith dev", () => {
  it("adds what the compiler finds, without stopping the Pack", async () => {
    using project = makeProject({ "pack.ts": oneFormula('return "fine";') }, "typescript");
    await using session = await startDevSession({
      file: "pack.ts",
      cwd: project.path,
      redactor: createRedactor(),
    });
    const checked = next(session, () => session.state().issues.length > 0);
    project.write("pack.ts", oneFormula('const text: string = 5; return "still " + text;'));
    await checked;
    expect(session.state()).toMatchObject({
      status: "ready",
      issues: [{ code: "TYPE_ERROR", file: "pack.ts", line: 8 }],
    });
    expect(session.canRun()).toBe(true);
  });
});
