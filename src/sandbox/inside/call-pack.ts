import {
  defineProperty,
  IntrinsicError,
  IntrinsicRegExp,
  isArray,
  keys,
  kindOf,
  read,
  stringify,
  testPattern,
} from "../intrinsics.ts";
import type { IsolateCall } from "../protocol.ts";
import { describe } from "./errors.ts";

type Members = Record<string, unknown>;
type Runnable = Record<
  "execute" | "executeUpdate" | "executeGetPermissions",
  (...given: unknown[]) => unknown
>;

/**
 * Finds the target of a call in the Pack and runs it.
 * @param used receives the members of a property options context that the function read
 */
export function callPack(
  pack: unknown,
  call: IsolateCall,
  context: object,
  used: Record<string, true>,
): unknown {
  switch (call.kind) {
    case "formula": {
      const formula = findNamed(read(pack, "formulas"), call.name);
      if (formula === undefined) throw new IntrinsicError(`The Pack has no formula ${call.name}.`);
      return (formula as Runnable).execute(call.args, context);
    }
    case "sync":
      return (readGetter(pack, call.table) as Runnable).execute(call.args, context);
    case "update":
      return (async () => {
        const answer = await (readGetter(pack, call.table) as Runnable).executeUpdate(
          call.args,
          call.updates,
          context,
        );
        return readOutcomes(read(answer, "result"));
      })();
    case "permissions":
      return (readGetter(pack, call.table) as Runnable).executeGetPermissions(
        call.args,
        call.request,
        context,
      );
    case "metadata": {
      const metadata = valueAt(pack, call.at);
      return metadata === undefined
        ? undefined
        : invokeMetadata(metadata, call.search, call.values, context);
    }
    case "propertyOptions": {
      const { propertyName, schemaAt, search } = call;
      const propertySchema = schemaAt === undefined ? call.propertySchema : valueAt(pack, schemaAt);
      const propertyValues = observeValues(
        call.propertyValues as Members,
        "propertyValues.",
        {},
        used,
      );
      const own = { ...context, propertyName, propertySchema, propertyValues };
      return invokeMetadata(
        valueAt(pack, call.at),
        "",
        {},
        observeValues({ search }, "", own, used),
      );
    }
    case "matchFormats":
      return matchingFormats(pack, call.text);
  }
}

function invokeMetadata(
  metadata: unknown,
  search: string,
  values: object,
  context: object,
): unknown {
  if (typeof metadata === "function") return metadata(context, search, values);
  return (metadata as { execute(args: unknown[], context: object): unknown }).execute(
    [search, stringify(values)],
    context,
  );
}

function findNamed(list: unknown, name: string): Members | undefined {
  if (!isArray(list)) return undefined;
  for (let index = 0; index < list.length; index++)
    if (read(list[index], "name") === name) return list[index];
  return undefined;
}

function valueAt(pack: unknown, path: readonly (string | number)[]): unknown {
  let at: unknown = pack;
  for (let index = 0; index < path.length; index++) at = read(at, path[index] as string);
  return at;
}

function readGetter(pack: unknown, name: string): Members {
  const getter = read(findNamed(read(pack, "syncTables"), name), "getter");
  if (getter === undefined) throw new IntrinsicError(`The Pack has no sync table ${name}.`);
  return getter as Members;
}

/** Notes which members the Pack reads: they determine how long the options may be reused. */
function observeValues(
  values: Members,
  prefix: string,
  into: object,
  used: Record<string, true>,
): object {
  const names = keys(values);
  for (let index = 0; index < names.length; index++) {
    const name = names[index] as string;
    const get = (): unknown => {
      used[prefix + name] = true;
      return values[name];
    };
    defineProperty(into, name, { get, enumerable: true, configurable: true });
  }
  return into;
}

function readOutcomes(results: unknown): unknown {
  if (!isArray(results)) return results;
  const outcomes: unknown[] = [];
  for (let index = 0; index < results.length; index++) {
    const result: unknown = results[index];
    const isFailure = kindOf(result) === "[object Error]" || result instanceof IntrinsicError;
    outcomes[index] = isFailure
      ? { outcome: "error", error: describe(result) }
      : { outcome: "success", finalValue: result };
  }
  return outcomes;
}

/** Runs in the sandbox, because a pattern of the Pack may take forever. */
function matchingFormats(pack: unknown, text: string): unknown {
  const found: unknown[] = [];
  const formats = read(pack, "formats");
  for (let index = 0; isArray(formats) && index < formats.length; index++) {
    const matchers = read(formats[index], "matchers");
    for (let at = 0; isArray(matchers) && at < matchers.length; at++) {
      // A copy, because a pattern with `g` or `y` keeps its last position.
      const pattern = new IntrinsicRegExp(
        read(matchers[at], "source") as string,
        read(matchers[at], "flags") as string,
      );
      if (!testPattern(pattern, text)) continue;
      found[found.length] = { format: index, matcher: at };
      break;
    }
  }
  return found;
}
