// Chooses the changes of a run: a list of mutants by a seed, and the broken security rules.
import { createHash } from "node:crypto";
import { EQUIVALENT } from "./equivalent.mjs";
import { listMutants } from "./mutants.mjs";
import { listFiles } from "./near-tests.mjs";
import { findRulePlace, RULES, TESTS } from "./security-rules.mjs";

const FOLDERS = ["oauth", "bundle", "execute", "service", "validate"];
/** Texts are a third of all places, and the compiler finds many of their changes. */
const RARE = { "empty a text": 4 };

export const digest = (...parts) => createHash("sha256").update(parts.join("\0")).digest("hex");

/**
 * The places with the lowest hashes. A change of one file does not move those in other files, and a
 * file with more places has more of them.
 * @returns {{ file, operator, start, end, text, line, rank }[]}
 */
export function chooseMutants(root, readSource, seed, count) {
  return FOLDERS.flatMap((folder) => listFiles(root, `src/${folder}`, ".ts"))
    .filter((file) => !file.startsWith("src/bundle/runtime/"))
    .flatMap((file) => rankMutants(file, readSource(file), seed))
    .sort((one, other) => one.rank - other.rank)
    .slice(0, count)
    .filter((mutant) => !isEquivalent(mutant));
}

function rankMutants(file, source, seed) {
  const times = new Map();
  return listMutants(file, source).map((mutant) => {
    const line = findLine(source, mutant.start);
    const name = `${file} ${mutant.operator}: ${line.text}`;
    // A line can have the same change in two places.
    const time = (times.get(name) ?? 0) + 1;
    times.set(name, time);
    const hash = Number.parseInt(digest(seed, name, time).slice(0, 12), 16);
    return {
      ...mutant,
      line: line.number,
      code: line.text,
      rank: hash * (RARE[mutant.operator] ?? 1),
    };
  });
}

function isEquivalent({ file, operator, code }) {
  return EQUIVALENT.some(
    (each) => each.file === file && each.operator === operator && each.code === code,
  );
}

/** @returns the broken security rules, with the tests that must notice each */
export function listBrokenRules(readSource, testFiles) {
  return RULES.map(([rule, path, from, to]) => {
    const file = `src/${path}`;
    const source = readSource(file);
    const place = findRulePlace(file, source, from);
    const tests = testFiles.filter((test) =>
      TESTS[path].some((name) => test.startsWith(`test/${name}`)),
    );
    const line = findLine(source, place.start).number;
    return { file, ...place, text: to, operator: `rule ${rule}`, line, tests };
  });
}

/** @returns some of them, others for another seed */
export function takeSample(items, seed, count) {
  return items
    .map((item) => ({ item, rank: digest(seed, item.file, item.operator, item.start, item.text) }))
    .sort((one, other) => (one.rank < other.rank ? -1 : 1))
    .slice(0, count)
    .map(({ item }) => item);
}

function findLine(source, offset) {
  const number = source.slice(0, offset).split("\n").length;
  return { number, text: source.split("\n")[number - 1].trim() };
}
