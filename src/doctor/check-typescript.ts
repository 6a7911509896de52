import { findTypeScript } from "../shared/find-typescript.ts";
import type { Finding } from "./finding.ts";
import type { Surroundings } from "./surroundings.ts";

/** The TypeScript with which `validate` and `build` check the types. */
export function checkTypeScript({ cwd }: Surroundings): Finding[] {
  const found = findTypeScript(cwd);
  const check = "typescript";
  if (found === undefined) {
    return [
      {
        check,
        status: "note",
        message: "No TypeScript is installed in this project: validate and build check rules, not types.",
        hint: "Run npm install --save-dev typescript.",
      },
    ];
  }
  if (found.compiler !== undefined) return [{ check, status: "fine", message: `TypeScript ${found.version} checks the types.` }];
  return [
    {
      check,
      status: "warning",
      message: `TypeScript ${found.version} is installed, which packsmith does not know: types are not checked.`,
      hint: "Install TypeScript 5, 6 or 7.",
    },
  ];
}
