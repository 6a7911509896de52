import fc from "fast-check";

/**
 * Property tests draw the same inputs in every run of one commit, so that a failure belongs to the
 * change that caused it.
 * `PACKSMITH_TEST_SEED=17 npm test` looks elsewhere.
 */
fc.configureGlobal({ seed: Number(process.env["PACKSMITH_TEST_SEED"] ?? 1) });
