import { type DeclaredParameter, type DeclaredParameters, kindOf } from "./arguments.ts";
import { parseDate } from "./relative-dates.ts";

/**
 * The cells that a button gives to an action as the values that its parameters declare: a cell holds a date as text, and a
 * blank cell is the empty text. What fits no parameter stays as it is, for the check of the arguments to refuse.
 */
export function cellArguments({ parameters = [], varargParameters = [] }: DeclaredParameters, cells: readonly unknown[]): unknown[] {
  return cells.map((cell, index) => {
    const parameter = parameters[index] ?? varargParameters[(index - parameters.length) % varargParameters.length];
    if (parameter === undefined) return cell;
    if (cell === "" && parameter.optional === true) return undefined;
    if (!kindOf(parameter).isArray) return fitted(parameter, cell);
    return (Array.isArray(cell) ? cell : cell === "" ? [] : [cell]).map((item) => fitted(parameter, item));
  });
}

function fitted(parameter: DeclaredParameter, cell: unknown): unknown {
  const { scalar } = kindOf(parameter);
  if (scalar === "string") return typeof cell === "number" || typeof cell === "boolean" ? String(cell) : cell;
  if (typeof cell !== "string") return cell;
  if (scalar === "date") return parseDate(cell, {}) ?? cell;
  if (scalar === "boolean") return /^true$/i.test(cell) ? true : /^false$/i.test(cell) ? false : cell;
  return cell.trim() === "" || Number.isNaN(Number(cell)) ? cell : Number(cell);
}
