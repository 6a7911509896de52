/**
 * Source text of a function that runs inside a sandbox, before everything else there. It goes from
 * a value to all that can be
 * reached from it (members, getters, setters, prototypes), and returns the path to the first object
 * of another realm.
 *
 * An object is of another realm when its chain of prototypes ends at another realm's
 * `Object.prototype`. A chain that ends at any
 * other object does not show where that is from, so what it contains decides.
 */
export const WALKER = `(() => {
  const { getPrototypeOf, getOwnPropertyDescriptor, ownKeys } = Reflect;
  const Root = Object.prototype, Known = WeakSet, has = Reflect.apply.bind(null, WeakSet.prototype.has), add = Reflect.apply.bind(null, WeakSet.prototype.add);
  const text = String;
  const isObject = (value) => (typeof value === "object" && value !== null) || typeof value === "function";
  const isForeign = (value) => {
    let last = value;
    for (let at = value; at !== null; at = getPrototypeOf(at)) last = at;
    return last !== Root && getOwnPropertyDescriptor(last, "hasOwnProperty") !== undefined && getOwnPropertyDescriptor(last, "valueOf") !== undefined;
  };
  return (start, limit = 20000) => {
    const known = new Known();
    let open = [[start, "value"]];
    let count = 0;
    for (let next = 0; next < open.length && count < limit; next++) {
      const value = open[next][0], path = open[next][1];
      if (!isObject(value) || has(known, [value])) continue;
      add(known, [value]);
      count++;
      try {
        if (isForeign(value)) return path;
        const prototype = getPrototypeOf(value);
        if (prototype !== null) open[open.length] = [prototype, path + ".[[Prototype]]"];
        const names = ownKeys(value);
        for (let index = 0; index < names.length; index++) {
          const descriptor = getOwnPropertyDescriptor(value, names[index]);
          if (descriptor === undefined) continue;
          const name = path + "." + text(names[index]);
          if (isForeign(descriptor)) return name + " (its descriptor)";
          for (const part of ["value", "get", "set"]) if (isObject(descriptor[part])) open[open.length] = [descriptor[part], part === "value" ? name : part + " " + name];
        }
      } catch (error) {
        // A trap of the Pack's own proxy.
        if (isObject(error) && isForeign(error)) return path + " (an error)";
      }
    }
    return undefined;
  };
})()`;
