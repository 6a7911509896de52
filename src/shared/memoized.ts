/** Computes a value for each path once: Packs of one repository share most of the folders above them. */
export function memoized<Value extends string | boolean>(compute: (path: string) => Value): (path: string) => Value {
  const known = new Map<string, Value>();
  return (path) => {
    const value = known.get(path) ?? compute(path);
    known.set(path, value);
    return value;
  };
}
