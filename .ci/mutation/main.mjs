// Changes the sources, one place at a time, and runs the tests near the change. A change that no
// test notices is printed. The files on disk are not touched.
//   node .ci/mutation/main.mjs                     the list, and the code of every security rule
//   node .ci/mutation/main.mjs --sample COMMIT     a small part of both, another for each commit
//   node .ci/mutation/main.mjs --seed TEXT         another list
//   node .ci/mutation/main.mjs --count 9000 PART   every place of the files with PART in their path
//   node .ci/mutation/main.mjs --list              only prints the changes, and their tests
// Fails when less than 90% of the mutants are noticed, or a broken security rule is not. A sample
// fails only when this can hardly be chance. What was noticed is kept in node_modules/.cache until the
// source changes, or the test that noticed it.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { chooseMutants, digest, listBrokenRules, takeSample } from "./choose-mutants.mjs";
import { createTestFinder, listFiles } from "./near-tests.mjs";
import { Runner } from "./runner.mjs";

/** They take one to three minutes on two cores: a mutant that no test notices has all tests run. */
const SAMPLE = { mutants: 6, rules: 4 };
const REQUIRED_PART = 0.9;
/** How often a sample may fail by chance. */
const FALSE_ALARMS = 1 / 1_000;

const root = fileURLToPath(new URL("../..", import.meta.url));
const cachePath = `${root}node_modules/.cache/packsmith-mutation.json`;
const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: "string" },
    seed: { type: "string", default: "packsmith" },
    count: { type: "string", default: "160" },
    only: { type: "string" },
    list: { type: "boolean", default: false },
    workers: { type: "string", default: String(Math.min(4, availableParallelism())) },
    verbose: { type: "boolean", default: false },
  },
});

const readSource = (file) => readFileSync(root + file, "utf8");
const testFiles = listFiles(root, "test", ".test.ts").filter(runsFromSources);
const findTests = createTestFinder(root, testFiles);
const cache = readCache();

/** Whether a test is of the unit or the integration suite: the others test what was built. */
function runsFromSources(test) {
  return !/\.(?:e2e|long)\.test\.ts$|^test\/(browser|compatibility|conformance|docs|e2e|oracle)\//.test(
    test,
  );
}

function readCache() {
  try {
    return JSON.parse(readFileSync(cachePath, "utf8"));
  } catch {
    return {};
  }
}

/** How tests fail without a change, by their file; null for those that pass. */
const failures = new Map();
const failingTests = new Set();

/** Whether a test that fails is to blame, not the change: it would notice everything. */
async function failsWithout(runner, { test }) {
  if (!failures.has(test)) failures.set(test, runner.run(undefined, [test]));
  const failure = await failures.get(test);
  if (!failure) return false;
  failingTests.add(test);
  console.log(`fails without a change  ${test}: ${failure.name}: ${failure.reason}`);
  return true;
}

function listTests({ file, line, tests }) {
  const lines = readSource(file).split("\n");
  return tests ?? findTests(file, lines.slice(line - 3, line + 2).join("\n"));
}

/** @returns the test that notices a change; undefined when none does */
async function findNotice(runner, mutant) {
  const source = readSource(mutant.file);
  const changed = source.slice(0, mutant.start) + mutant.text + source.slice(mutant.end);
  const key = digest(mutant.file, changed);
  const near = listTests(mutant);
  const known = cache[key];
  if (known && near.includes(known.test) && known.digest === digest(readSource(known.test)))
    return known;
  const tests = near.filter((test) => !failingTests.has(test));
  if (tests.length === 0) return undefined;
  const failure = await runner.run(mutant, tests);
  if (!failure) return undefined;
  if (await failsWithout(runner, failure)) return await findNotice(runner, mutant);
  cache[key] = { ...failure, digest: digest(readSource(failure.test)) };
  writeFileSync(cachePath, JSON.stringify(cache));
  return failure;
}

/** @returns the changes that no test notices */
async function runAll(changes) {
  const waiting = [...changes];
  const survivors = [];
  const work = async () => {
    const runner = new Runner();
    try {
      for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
        const notice = await findNotice(runner, mutant);
        if (!notice) survivors.push(mutant);
        if (!notice) console.log(`not noticed  ${describe(mutant)}`);
        else if (flags.verbose) console.log(`noticed  ${describe(mutant)}\n    ${notice.test}`);
      }
    } finally {
      await runner.close();
    }
  };
  await Promise.all(Array.from({ length: Number(flags.workers) }, work));
  return survivors;
}

function describe({ file, line, operator, start, end, text }) {
  const shorten = (code) => code.replace(/\s+/g, " ").slice(0, 90);
  const before = readSource(file).slice(start, end);
  return `${file}:${line}  ${operator}: ${shorten(before)} → ${shorten(text)}`;
}

/** Prints how many changes were noticed. @returns which part of them that is */
function report(what, changes, survivors) {
  const noticed = changes.filter((each) => !survivors.includes(each)).length;
  const part = changes.length === 0 ? 1 : noticed / changes.length;
  console.log(`${noticed} of ${changes.length} ${what} were noticed: ${(part * 100).toFixed(1)} %`);
  return part;
}

/**
 * Where each change is noticed with the required probability, more than this stay unnoticed in less
 * than one of 1,000 samples: for 13 changes it is 5, because P(6 or more) = 0.0009 (binomial).
 * @returns how many changes of a sample may stay unnoticed
 */
function countTolerated(changes) {
  const odds = (1 - REQUIRED_PART) / REQUIRED_PART;
  let unnoticed = 0;
  let probability = REQUIRED_PART ** changes;
  let probabilityOfMore = 1 - probability;
  while (probabilityOfMore >= FALSE_ALARMS) {
    unnoticed += 1;
    probability *= (odds * (changes - unnoticed + 1)) / unnoticed;
    probabilityOfMore -= probability;
  }
  return unnoticed;
}

function isGood(survivors, part, partOfRules) {
  // A test that fails without a change is reported by its suite.
  if (flags.sample !== undefined)
    return survivors.length <= countTolerated(mutants.length + rules.length);
  return part >= REQUIRED_PART && partOfRules === 1 && failingTests.size === 0;
}

function choose(kind, all) {
  if (flags.only !== undefined && flags.only !== kind) return [];
  const wanted = all.filter(({ file }) => positionals.every((part) => file.includes(part)));
  return flags.sample === undefined ? wanted : takeSample(wanted, flags.sample, SAMPLE[kind]);
}

const list = chooseMutants(root, readSource, flags.seed, Number(flags.count));
const mutants = choose("mutants", list);
const rules = choose("rules", listBrokenRules(readSource, testFiles));
if (flags.list) {
  for (const change of [...mutants, ...rules]) console.log(describe(change), listTests(change));
} else {
  mkdirSync(dirname(cachePath), { recursive: true });
  const startMs = performance.now();
  const survivors = await runAll([...mutants, ...rules]);
  const part = report("mutants", mutants, survivors);
  const partOfRules = report("broken security rules", rules, survivors);
  console.log(`${Math.round((performance.now() - startMs) / 1_000)} seconds`);
  process.exitCode = isGood(survivors, part, partOfRules) ? 0 : 1;
}
