import * as z from "zod";

const finding = z.strictObject({
  /** What was checked. This word never changes. */
  check: z.enum([
    "node",
    "packages",
    "typescript",
    "native",
    "loopback",
    "ports",
    "proxy",
    "browser",
    "vault",
    "keychain",
    "disk",
    "clock",
    "sandbox",
  ]),
  /**
   * `problem`: packsmith does not work. `warning`: something may fail or surprise you. `note`: good
   * to know.
   */
  status: z.enum(["fine", "note", "warning", "problem"]),
  message: z.string(),
  /** What to do. Absent if there is nothing to do. */
  hint: z.string().optional(),
});

/** The result of a check. Never contains a secret. */
export type Finding = z.output<typeof finding>;
export type CheckName = Finding["check"];

export const examination = z.strictObject({
  /** False if there is a problem. */
  ok: z.boolean(),
  findings: z.array(finding),
  durationMs: z.number().nonnegative().describe("Milliseconds."),
});

/** What the checks of this machine found. */
export type Examination = z.output<typeof examination>;
