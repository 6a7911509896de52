/** One part of two things that are compared. */
export interface Difference {
  /** What kind of part it is, such as "Header". */
  place: string;
  /** Name of a header, parameter or member; empty for a part without a name. */
  name: string;
  /** Undefined when the left one does not have it. */
  left: string | undefined;
  right: string | undefined;
  /**
   * `missing`: the right one does not have it. `extra`: only the right one has it. `hidden`: both
   * have a secret, whose values are not compared.
   */
  state: "same" | "different" | "missing" | "extra" | "hidden";
}

export function isEqual({ state }: Difference): boolean {
  return state === "same" || state === "hidden";
}
