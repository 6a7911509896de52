/** Computes what belongs to a path once: Packs of one repository have most of the folders above them in common. */
export function memoized<Value extends string | boolean>(compute: (path: string) => Value): (path: string) => Value {
  const known = new Map<string, Value>();
  return (path) => {
    const value = known.get(path) ?? compute(path);
    known.set(path, value);
    return value;
  };
}
