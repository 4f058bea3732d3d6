/**
 * `npm run full -- <name> [seed]`: runs a test in its full form, which takes minutes. It prints its figures;
 * docs/performance.md and docs/fuzzing.md have earlier ones.
 */
import { spawnSync } from 'node:child_process'
import { bin, ensureBuilt, ensureInstalled, ROOT } from './prepare.mjs'

const INTEGRATION = 'packages/server/test/integration'
const IMPORTERS = 'packages/importers/test/unit'
const RUNS = {
  // 50 kills of the server under writes and under reports, on each kind of database.
  crash: ['e2e*', 'e2e/crash.full.test.ts', 'e2e/ingest-crash.full.test.ts'],
  // 100 kills between the sending of a webhook and the record of it.
  'webhook-crash': ['e2e*', 'e2e/webhook-crash.full.test.ts'],
  // 1,000 scheduled changes over three servers, one of which is killed every 3 s.
  schedule: ['e2e*', 'e2e/scheduled-changes.full.test.ts'],
  // The longest time that one request holds the event loop, for the worst body of each endpoint.
  gaps: ['e2e*', 'e2e/longest-gaps.full.test.ts'],
  // The longest time that one request of generated hostile input holds the event loop.
  hostile: ['e2e*', 'e2e/hostile.full.test.ts'],
  // 5,000 random schemas of values, beside ajv.
  schemas: ['unit', 'packages/server/test/unit/targeting/flags/check-values.test.ts'],
  // 2,000 random sequences of access changes on two servers, with open streams and sessions.
  access: ['integration', `${INTEGRATION}/access-changes.full.test.ts`],
  // 10,000 mutations of each file of another service, read by the importers.
  mutations: ['unit', ...['mutations', 'prototype-names'].map((file) => `${IMPORTERS}/${file}.full.test.ts`)],
  // Random files, samples and mutations of every service, beside their engines.
  imports: ['unit', IMPORTERS],
  // A million explanations beside the evaluation.
  explain: ['unit', 'packages/evaluation/test/unit/explain/explain.full.test.ts'],
  // 10,000 pairs of sets of flags, each with what 100 random users get.
  explore: ['unit', 'packages/analysis/test/unit/explore.full.test.ts'],
  // 100,000 random patterns beside RE2, and a million pairs of operators and values.
  matcher: ['unit', 'packages/evaluation/test/unit/matcher.full.test.ts'],
  complements: ['unit', 'packages/evaluation/test/unit/complements.full.test.ts'],
  // 10,000 random files of each of six services, beside their engines.
  'random-files': ['unit', 'packages/importers/test/unit/random-files.full.test.ts'],
  // 400 random files of GO Feature Flag and flagd, beside their engines in Go.
  'go-engines': ['unit', 'packages/importers/test/unit/go-engines.full.test.ts'],
  // 10,000 users of every imported sample, beside the engine of its service.
  verify: ['unit', 'packages/importers/test/unit/verify.full.test.ts'],
  // 20,000 users, beside the engine of GO Feature Flag in WebAssembly.
  'go-feature-flag': ['unit', 'packages/evaluation/test/unit/go-feature-flag.full.test.ts'],
  // 1,000 pairs of environments, each compared for 10,000 users.
  drift: ['unit', 'packages/analysis/test/unit/drift.full.test.ts'],
  // The stale flags of 5,000, on two instances.
  stale: ['e2e*', 'e2e/stale-report.full.test.ts'],
  // 200 reads of a flag with its ten environments.
  'project-flag': ['integration', `${INTEGRATION}/project-flag.full.test.ts`],
  // Clients that stand still or are cut off, and streams with and without confirmations.
  propagation: ['integration', `${INTEGRATION}/propagation.full.test.ts`],
  // 2,000 random writes, each against a random invariant and beside an environment without it.
  invariants: ['integration', `${INTEGRATION}/invariants.full.test.ts`],
  // 500 harmful and 500 harmless changes over every path of writes, the harmful ones confirmed by an SDK.
  'invariant-paths': ['integration', `${INTEGRATION}/invariant-paths.full.test.ts`],
  // 1,000 random changes, each predicted for 1,000 users and compared with what SDKs get.
  impact: ['integration', `${INTEGRATION}/impact.test.ts`],
  // The time of an impact for 10,000 users and 20 dependants.
  'impact-speed': ['integration', `${INTEGRATION}/impact-speed.full.test.ts`],
  // 10,000 plans and applies of random files by the command, and 1,000 exports.
  'round-trip': ['integration', 'packages/cli/test/integration/round-trip.full.test.ts'],
  // 10,000 evaluations of an SDK at 1,000 random edits, replayed.
  history: ['integration', `${INTEGRATION}/history.full.test.ts`],
  // 10,000 sequences of random edits, of which the last one and an earlier one are undone.
  undo: ['integration', `${INTEGRATION}/revert.test.ts`],
  // 400,000 tamperings with 10,000 entries of the audit log, and the verification of a million.
  audit: ['integration', `${INTEGRATION}/audit-tampering.test.ts`],
  // The rows that pages of the audit log and incidents read of 200,000 entries.
  'audit-plans': ['integration', `${INTEGRATION}/audit-plans.test.ts`],
  // 200,000 requests from the contract against three servers on one database.
  fuzz: ['integration', `${INTEGRATION}/fuzz.full.test.ts`],
}

const [name, seed] = process.argv.slice(2)
const run = RUNS[name]
if (!run) {
  console.error(`Name one of: ${Object.keys(RUNS).join(', ')}.`)
  process.exit(2)
}
ensureInstalled()
await ensureBuilt()
const [project, ...files] = run
const { status } = spawnSync(bin('vitest'), ['run', '--project', project, ...files], {
  cwd: ROOT,
  stdio: 'inherit',
  env: {
    ...process.env,
    // Files of the ordinary suite are longer with the next setting.
    ...(files.every((file) => file.endsWith('.full.test.ts')) && { BURGEE_TEST_SUITE: 'full' }),
    ...(files.every((file) => !file.endsWith('.ts')) && { BURGEE_TEST_SUITE: 'all' }),
    BURGEE_FULL: '1',
    ...(seed !== undefined && { BURGEE_FUZZ_SEED: seed }),
  },
})
process.exitCode = status ?? 1
