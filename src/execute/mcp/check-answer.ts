import { canParseUrl } from "../../shared/urls.ts";
import type { ElicitationField, ElicitedValue } from "./elicitation.ts";

const EMAIL = /^[^\s@]+@[^\s@]+$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/i;

const FORMATS: Readonly<
  Record<NonNullable<ElicitationField["format"]>, [fits: (text: string) => boolean, hint: string]>
> = {
  email: [(text) => EMAIL.test(text), "Write an email address."],
  uri: [(text) => canParseUrl(text), "Write a complete URL."],
  date: [(text) => DATE.test(text) && isDate(text), "Write a date such as 2026-01-31."],
  "date-time": [
    (text) => DATE_TIME.test(text) && isDate(text),
    "Write a date and a time such as 2026-01-31T09:00:00Z.",
  ],
};

/**
 * What is wrong with the answer to a question, as the server would see it.
 * @param value undefined for no answer
 */
export function findAnswerProblem(
  field: ElicitationField,
  value: ElicitedValue | undefined,
): string | undefined {
  if (value === undefined || value === "")
    return field.isRequired ? "An answer is required." : undefined;
  switch (field.type) {
    case "text":
      return findTextProblem(field, value);
    case "number":
    case "integer":
      return findNumberProblem(field, value);
    case "boolean":
      return typeof value === "boolean" ? undefined : "Choose yes or no.";
    case "choice":
      return isOption(field, value) ? undefined : "Choose one of the options.";
    case "choices":
      return findChoicesProblem(field, value);
  }
}

function findTextProblem(
  { format, least = 0, most }: ElicitationField,
  value: ElicitedValue,
): string | undefined {
  if (typeof value !== "string") return "Write some text.";
  const { length } = [...value];
  if (length < least) return `Write at least ${least} characters.`;
  if (most !== undefined && length > most) return `Write at most ${most} characters.`;
  if (format === undefined) return undefined;
  const [fits, hint] = FORMATS[format];
  return fits(value) ? undefined : hint;
}

function findNumberProblem(
  { type, least, most }: ElicitationField,
  value: ElicitedValue,
): string | undefined {
  if (type === "integer" && !Number.isInteger(value)) return "Write a whole number.";
  if (typeof value !== "number" || !Number.isFinite(value)) return "Write a number.";
  if (least !== undefined && value < least) return `Write a number of at least ${least}.`;
  return most !== undefined && value > most ? `Write a number of at most ${most}.` : undefined;
}

function findChoicesProblem(field: ElicitationField, value: ElicitedValue): string | undefined {
  const { isRequired, least = isRequired ? 1 : 0, most } = field;
  if (!Array.isArray(value) || !value.every((each) => isOption(field, each)))
    return "Choose one or more of the options.";
  if (value.length < least) return `Choose at least ${least}.`;
  return most !== undefined && value.length > most ? `Choose at most ${most}.` : undefined;
}

function isOption({ options }: ElicitationField, value: ElicitedValue): boolean {
  return options.some((option) => option.value === value);
}

function isDate(text: string): boolean {
  return !Number.isNaN(Date.parse(text));
}
