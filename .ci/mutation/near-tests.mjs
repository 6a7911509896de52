// Finds the tests that should notice a change: those that import its file, the nearest first. The
// nearest is the test of the file: `test/oauth/dpop.test.ts` tests `src/oauth/dpop.ts`. Others are
// near when they import the file themselves, when they are in its folder or their paths have the same
// words, and when they contain rare words of the changed lines. Unit tests run before the others.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path/posix";
import { parseSync } from "oxc-parser";

/** A change that only a test far away would notice has no test of its own. */
const MAX_TESTS = 12;
/** Being in the folder of a source counts as much as one rare word of the changed lines. */
const FOLDER_RATING = 5;

/** @returns the files below a folder of the project, as paths from its root */
export function listFiles(root, folder, ending) {
  return readdirSync(join(root, folder), { recursive: true })
    .filter((name) => name.endsWith(ending))
    .map((name) => `${folder}/${name}`)
    .sort();
}

/**
 * @param root the folder of the project, with a slash at its end
 * @param tests the test files that run from the sources
 * @returns a function that lists the tests of a source file and some of its lines
 */
export function createTestFinder(root, tests) {
  const importers = new Map();
  const waiting = [...tests];
  const seen = new Set(waiting);
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop())
    for (const imported of listImports(root, file)) {
      const known = importers.get(imported);
      if (known) known.push(file);
      else importers.set(imported, [file]);
      if (seen.has(imported)) continue;
      seen.add(imported);
      waiting.push(imported);
    }

  const vocabularies = new Map(
    tests.map((test) => {
      // The cases of a test may be in files next to it.
      const cases = listImports(root, test).filter((path) => dirname(path) === dirname(test));
      const texts = [test, ...cases].map((path) => readFileSync(root + path, "utf8"));
      return [test, listIdentifiers(texts.join("\n"))];
    }),
  );
  const frequency = new Map();
  for (const vocabulary of vocabularies.values())
    for (const word of vocabulary) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  /** How rare the words are that a test has in common with the changed lines. */
  const rateWords = (test, words) => {
    const shared = words.filter((word) => vocabularies.get(test).has(word));
    return shared.reduce((sum, word) => sum + Math.log(tests.length / frequency.get(word)), 0);
  };

  return (file, lines) => {
    const distances = measureDistances(importers, file);
    const words = [...listIdentifiers(lines)];
    return tests
      .filter((test) => distances.has(test))
      .map((test) => {
        const distance = distances.get(test);
        const isDirect = distance === 1 ? 1 : 0;
        return {
          test,
          isOwn: isTestOf(file, test) ? 1 : 0,
          isDirect,
          isUnit: test.endsWith(".integration.test.ts") ? 0 : 1,
          rating: rateWords(test, words) + countShared(file, test) + rateFolder(file, test),
          distance,
        };
      })
      .sort(
        (one, other) =>
          other.isOwn - one.isOwn ||
          other.isDirect - one.isDirect ||
          other.rating - one.rating ||
          one.distance - other.distance,
      )
      .slice(0, MAX_TESTS)
      .sort((one, other) => other.isOwn - one.isOwn || other.isUnit - one.isUnit)
      .map(({ test }) => test);
  };
}

/**
 * @returns whether a test has the name of a source file and is in its folder, or in one above: the
 * test of `service/local/api/handlers/links.ts` may be `service/local/links.integration.test.ts`
 */
function isTestOf(file, test) {
  const name = basename(file).replace(/\.tsx?$/, "");
  const isNamed = /^(?:\.integration)?\.test\.ts$/.test(basename(test).slice(name.length));
  return basename(test).startsWith(name) && isNamed && rateFolder(file, test) > 0;
}

/** @returns more than 0 when a test is in the folder of a source file, or in one above */
function rateFolder(file, test) {
  const folder = dirname(test).replace(/^test\//, "src/");
  return `${dirname(file)}/`.startsWith(`${folder}/`) ? FOLDER_RATING : 0;
}

/** @returns how many words the paths have in common; those in the name of the file count twice */
function countShared(file, test) {
  const words = new Set(listWords(file));
  const names = new Set(listWords(file.slice(file.lastIndexOf("/"))));
  const shared = [...new Set(listWords(test))].filter((word) => words.has(word));
  return shared.length + shared.filter((word) => names.has(word)).length;
}

/** @returns how many imports are between each file and this one */
function measureDistances(importers, file) {
  const distances = new Map([[file, 0]]);
  // A map lists the entries that are added while it is read.
  for (const [imported, distance] of distances)
    for (const importer of importers.get(imported) ?? [])
      if (!distances.has(importer)) distances.set(importer, distance + 1);
  return distances;
}

function listImports(root, file) {
  const { module } = parseSync(file, readFileSync(root + file, "utf8"));
  const isType = ({ entries }) => entries.length > 0 && entries.every((entry) => entry.isType);
  return [
    ...module.staticImports.filter((item) => !isType(item)).map((item) => item.moduleRequest.value),
    ...module.staticExports
      .flatMap(({ entries }) => entries)
      .filter((entry) => entry.moduleRequest && !entry.isType)
      .map((entry) => entry.moduleRequest.value),
    ...listDynamicImports(root, file, module),
  ]
    .filter((name) => name.startsWith("."))
    .map((name) => join(dirname(file), name))
    .filter((path) => /\.tsx?$/.test(path) && existsSync(root + path));
}

function listDynamicImports(root, file, module) {
  const source = readFileSync(root + file, "utf8");
  return module.dynamicImports
    .map(({ moduleRequest }) => source.slice(moduleRequest.start, moduleRequest.end))
    .filter((text) => /^["'].*["']$/.test(text))
    .map((text) => text.slice(1, -1));
}

function listWords(path) {
  return path
    .replace(/(\.test)?\.ts$/, "")
    .split(/[/.-]/)
    .slice(1)
    .map((word) => word.replace(/s$/, ""));
}

function listIdentifiers(text) {
  return new Set(text.match(/[A-Za-z]\w{3,}/g) ?? []);
}
