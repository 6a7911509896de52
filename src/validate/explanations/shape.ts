import type { IssueCode } from "../codes.ts";
import { formula, oauth2 } from "./examples.ts";
import type { Explanation } from "./explanation.ts";

export const shapeExplanations = {
  DEFINITION_INVALID: {
    why: "The file exports something under the name pack that is no Pack, so there is nothing to build.",
    bad: "export const pack = 3;",
    good: "export const pack = newPack();",
  },
  DEFINITION_UNREADABLE: {
    why: "The definition leaves the sandbox as plain data: a part that throws when it is read or contains itself would get lost.",
    bad: formula({ cacheTtlSecs: "60n" }),
    good: formula({ cacheTtlSecs: "60" }),
  },
  MEMBER_MISSING: {
    why: "The part cannot be used without this member: a formula without a description, for example, cannot be chosen.",
    bad: formula({ description: "" }),
    good: formula(),
  },
  MEMBER_TYPE: {
    why: "A value of another type is ignored or fails when the Pack runs.",
    bad: formula({ isAction: '"yes"' }),
    good: formula({ isAction: "true" }),
  },
  VALUE_UNKNOWN: {
    why: "The member takes one of a few values, and this is none of them. Use the constants: the compiler then knows them, too.",
    bad: formula({ resultType: '"strin"' }),
    good: formula({ resultType: "ValueType.String" }),
  },
  KEY_UNKNOWN: {
    why: "Nothing reads this key, so what it says has no effect. Most often it is a misspelling of one that is read.",
    bad: formula({ cacheTtlSec: "60" }),
    good: formula({ cacheTtlSecs: "60" }),
  },
  VERSION_INVALID: {
    why: "Versions are ordered by their numbers; a text cannot be. One to three numbers, and -prerelease.1 for a trial.",
    bad: 'pack.setVersion("1.x");',
    good: 'pack.setVersion("1.2.0");',
  },
  AUTH_KEY_UNKNOWN: {
    why: "Nothing reads this key of an authentication. A misspelled one may leave a protection off without a word.",
    bad: oauth2({ scope: '["tasks.read"]' }),
    good: oauth2({ scopes: '["tasks.read"]' }),
  },
} satisfies Partial<Record<IssueCode, Explanation>>;
