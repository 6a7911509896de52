import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRedactor, isSecretName } from "../../src/shared/redact.ts";

const secret = 'p+l/a=n t:e"d\\é-1234';

describe("createRedactor", () => {
  // docs/rules.md: rule 25
  it("hides a secret in every form in which it travels", () => {
    const redactor = createRedactor();
    redactor.add(secret);
    const basic = Buffer.from(`client:${secret}`).toString("base64");
    const forms = [
      secret,
      encodeURIComponent(secret),
      new URLSearchParams({ s: secret }).toString(),
      JSON.stringify({ s: secret }),
      JSON.stringify(secret).slice(1, -1).replaceAll("/", "\\/"),
      encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase()),
      Buffer.from(encodeURIComponent(secret)).toString("base64"),
      Buffer.from(secret).toString("base64"),
      Buffer.from(secret).toString("base64url"),
    ];
    for (const form of forms) {
      const shown = redactor.text(`before ${form} after`);
      expect(shown).not.toContain(secret);
      expect(shown).not.toContain(form);
      expect(shown).toMatch(/^before .* after$/);
    }
    expect(redactor.text(basic)).toContain("••••");
  });

  it("searches before it redacts anything else, and only once", () => {
    const redactor = createRedactor();
    let searches = 0;
    redactor.addFound(() => {
      searches += 1;
      return ["first-secret", "second-secret"];
    });
    expect(searches).toBe(0);
    expect(redactor.text("first-secret, second-secret")).not.toContain("secret");
    expect(redactor.data(["second-secret"])).not.toContain("second-secret");
    expect(searches).toBe(1);
  });

  it("searches when there is time, though nothing is redacted", async () => {
    const redactor = createRedactor();
    let searches = 0;
    const find = () => {
      searches += 1;
      return [];
    };
    redactor.addFound(find);
    redactor.addFound(find);
    await new Promise((resolve) => setImmediate(resolve));
    expect(searches).toBe(2);
    redactor.addFound(find);
    await new Promise((resolve) => setImmediate(resolve));
    expect(searches).toBe(3);
  });

  // docs/rules.md: rule 25
  it("hides base64 at every alignment", () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 8, maxLength: 40 }),
        fc.string({ maxLength: 7 }),
        fc.string({ maxLength: 7 }),
        (text, before, after) => {
          const redactor = createRedactor();
          redactor.add(text);
          expect(redactor.text(Buffer.from(before + text + after).toString("base64"))).toContain(
            "••••",
          );
        },
      ),
    );
  });

  // docs/rules.md: rule 25
  it("never leaves a remembered secret in a text", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ minLength: 4, maxLength: 12 }), { minLength: 1 }),
        fc.string(),
        (secrets, glue) => {
          const redactor = createRedactor();
          for (const each of secrets) redactor.add(each);
          const shown = redactor.text(secrets.join(glue));
          for (const each of secrets)
            if (!"••••".includes(each[0] ?? "") && each.length > 6)
              expect(shown).not.toContain(each);
        },
      ),
    );
  });

  it("replaces a secret that contains another as a whole", () => {
    const redactor = createRedactor();
    redactor.add("inner");
    redactor.add("outer-inner-outer");
    expect(redactor.text("x outer-inner-outer y")).toMatch(/^x ••••\w\w y$/);
  });

  // docs/rules.md: rule 25
  it("hides values by the name of their member, whatever they are", () => {
    const redactor = createRedactor();
    const shown = redactor.value({
      headers: { Authorization: "Bearer abc", "Set-Cookie": ["a=b", "c=d"], accept: "json" },
      refresh_token: { nested: "deep-secret" },
      expires_in: 3600,
      when: new Date(0),
      none: null,
    });
    expect(shown).toEqual({
      headers: { Authorization: "••••", "Set-Cookie": "••••", accept: "json" },
      refresh_token: "••••",
      expires_in: 3600,
      when: new Date(0),
      none: null,
    });
  });

  it("copies cycles, maps and deep values without failing", () => {
    const redactor = createRedactor();
    redactor.add("hunter22");
    const cyclic: Record<string, unknown> = { text: "hunter22" };
    cyclic["self"] = cyclic;
    expect(JSON.stringify(redactor.value(cyclic))).not.toContain("hunter22");
    let deep: unknown = "hunter22";
    for (let level = 0; level < 20_000; level++) deep = [deep];
    expect(() => redactor.value(deep)).not.toThrow();
    const collections = {
      map: new Map([["k", "hunter22"]]),
      set: new Set(["hunter22"]),
      bytes: Buffer.from("hunter22"),
    };
    expect(JSON.stringify(redactor.value(collections))).not.toContain("hunter22");
  });

  it("redacts messages, stacks and causes of errors", () => {
    const redactor = createRedactor();
    redactor.add("hunter22");
    const error = new Error("token hunter22 refused", { cause: new Error("hunter22") });
    const shown = JSON.stringify(redactor.value({ error }));
    expect(shown).not.toContain("hunter22");
    expect(shown).toContain("refused");
  });

  it("ignores what is too short to be a secret", () => {
    const redactor = createRedactor();
    redactor.add("abc");
    redactor.add(undefined);
    expect(redactor.text("abc")).toBe("abc");
  });

  it("knows the names of secrets in any case", () => {
    expect(
      ["Authorization", "CLIENT_SECRET", "refreshToken", "code_verifier"].every(isSecretName),
    ).toBe(true);
    expect(isSecretName("scope")).toBe(false);
  });
});
