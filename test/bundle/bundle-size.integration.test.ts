import { describe, expect, it } from "vitest";
import { bundlePack } from "../../src/bundle/bundle-pack.ts";
import { checkBundleSize, MAX_BUNDLE_BYTES } from "../../src/bundle/bundle-size.ts";
import { createProject } from "./project.ts";

// docs/rules.md: A16
describe("the size of a bundle", () => {
  it("is an issue beyond the limit, with the inputs that make it large", async () => {
    await using project = await createProject({
      "pack.js":
        'import { data } from "./data.js"; export const pack = { networkDomains: [], formulas: [], data };',
      "data.js": `export const data = ${JSON.stringify("x".repeat(6_000_000))};`,
    });
    const [issue, ...others] = checkBundleSize(
      await bundlePack({ entry: "pack.js", cwd: project.directory }),
      "error",
    );
    expect(issue).toMatchObject({ code: "BUNDLE_SIZE", severity: "error" });
    expect(issue?.message).toBe(
      "The bundle has 6.0 MB; the limit is 5.0 MB. The largest parts are your code (6.0 MB).",
    );
    expect(others).toEqual([]);
  });

  it("is fine up to the limit", () => {
    expect(checkBundleSize({ bytes: MAX_BUNDLE_BYTES, inputs: [] }, "error")).toEqual([]);
  });
});
