import { createRandom } from '../../scripts/random.mjs'
import { loadServerModules } from '../harness/load-server-modules.mjs'
import { figure } from '../harness/result-table.mjs'
import { drawSuccesses } from './draws.mjs'

const LOOKS = 20
const RUNS = 10_000
const QUICK_RUNS = 1_000
const SEED = 20_170_813
const SIGNIFICANT = 0.05
/** The goal in per cent. */
const ALARM_GOAL = { atMost: 5 }
const MISMATCH_GOAL = { atMost: 0.2 }

/** Cases of two equal variants; `share` is the second variant's share of the users. */
const AA_CASES = [
  { users: 20_000, rate: 0.5, share: 0.5 },
  { users: 20_000, rate: 0.1, share: 0.5 },
  { users: 20_000, rate: 0.01, share: 0.5 },
  { users: 20_000, rate: 0.001, share: 0.5 },
  { users: 200_000, rate: 0.001, share: 0.5 },
  { users: 1_000, rate: 0.1, share: 0.5 },
  { users: 20_000, rate: 0.1, share: 0.1 },
  { users: 20_000, rate: 0.01, share: 0.05 },
  { users: 200_000, rate: 0.001, share: 0.01 },
  { users: 200_000, rate: 0.999, share: 0.01 },
]

/** Cases where the second variant is better by `lift`, relative to the first. */
const AB_CASES = [
  { users: 20_000, rate: 0.1, share: 0.5, lift: 0.1 },
  { users: 20_000, rate: 0.1, share: 0.5, lift: 0.2 },
  { users: 200_000, rate: 0.01, share: 0.5, lift: 0.2 },
]

const SPLITS = [
  { users: 20_000, weights: [1, 1] },
  { users: 20_000, weights: [6, 3, 1] },
  { users: 20_000, weights: [98, 1, 1] },
  { users: 1_000, weights: [99, 1] },
]

/**
 * The results of an experiment's tests when there is no difference, and what the safe test costs when there
 * is one.
 */
export const aaSimulation = {
  title: 'Statistics: false alarms in simulated A/A tests',
  async run({ progress, quick, root }) {
    const statistics = await loadStatistics(root)
    const runs = quick ? QUICK_RUNS : RUNS
    const random = createRandom(SEED)
    progress(`A/A tests, ${runs} runs each`)
    const alarms = AA_CASES.map((testCase) => ({
      testCase,
      found: countAlarms(statistics, random, { ...testCase, runs }),
    }))
    progress('tests with a difference')
    const findings = AB_CASES.map((testCase) => ({
      testCase,
      found: countAlarms(statistics, random, { ...testCase, runs }),
    }))
    progress('splits')
    const splits = SPLITS.map((testCase) => ({
      testCase,
      found: countMismatches(statistics, random, { ...testCase, runs }),
    }))
    return [alarmTable(alarms, runs), findingTable(findings, runs), splitTable(splits, runs)]
  },
}

async function loadStatistics(root) {
  const files = ['compare-proportions.js', 'sequential-comparison.js', 'sample-ratio-mismatch.js']
  const [{ compareProportions }, { compareSequentially }, { sampleRatioMismatch }] = await loadServerModules(
    root,
    files.map((file) => `insight/experiments/statistics/${file}`),
  )
  return { compareProportions, compareSequentially, sampleRatioMismatch }
}

/** Counts the runs in which a test reported a difference: at its last look, or at any of them. */
function countAlarms(
  { compareProportions, compareSequentially },
  random,
  { lift = 0, rate, runs, share, users },
) {
  const found = { fixedAtEnd: 0, fixedAtAny: 0, sequentialAtAny: 0, outsideAtAny: 0 }
  const difference = rate * lift
  for (let run = 0; run < runs; run += 1) {
    const control = { exposed: 0, converted: 0 }
    const variant = { exposed: 0, converted: 0 }
    const seen = { fixed: false, sequential: false, outside: false }
    for (let look = 1; look <= LOOKS; look += 1) {
      grow(random, control, Math.round((users / LOOKS) * (1 - share)), rate)
      grow(random, variant, Math.round((users / LOOKS) * share), rate + difference)
      const { p_value } = compareProportions(variant, control)
      const isSignificant = p_value !== null && p_value < SIGNIFICANT
      const sequential = compareSequentially(variant, control)
      seen.fixed ||= isSignificant
      seen.sequential ||= sequential !== null && sequential.p_value < SIGNIFICANT
      seen.outside ||= sequential !== null && (sequential.low > difference || sequential.high < difference)
      if (look === LOOKS) found.fixedAtEnd += Number(isSignificant)
    }
    found.fixedAtAny += Number(seen.fixed)
    found.sequentialAtAny += Number(seen.sequential)
    found.outsideAtAny += Number(seen.outside)
  }
  return found
}

function grow(random, proportion, users, rate) {
  proportion.exposed += users
  proportion.converted += drawSuccesses(random, users, rate)
}

/** Counts the runs in which a correct split was reported as wrong. */
function countMismatches({ sampleRatioMismatch }, random, { runs, users, weights }) {
  const found = { atEnd: 0, atAny: 0 }
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const configured = new Map(weights.map((weight, index) => [String(index), weight]))
  for (let run = 0; run < runs; run += 1) {
    const exposed = new Map(weights.map((_, index) => [String(index), 0]))
    let isSeen = false
    for (let look = 1; look <= LOOKS; look += 1) {
      let left = users / LOOKS
      let weightLeft = total
      weights.forEach((weight, index) => {
        const came = weight === weightLeft ? left : drawSuccesses(random, left, weight / weightLeft)
        exposed.set(String(index), exposed.get(String(index)) + came)
        left -= came
        weightLeft -= weight
      })
      const mismatch = sampleRatioMismatch(configured, exposed)?.mismatch === true
      isSeen ||= mismatch
      if (look === LOOKS) found.atEnd += Number(mismatch)
    }
    found.atAny += Number(isSeen)
  }
  return found
}

const percentOf = (count, runs, goal) => figure((100 * count) / runs, '%', goal)

const caseText = ({ rate, share, users }) =>
  `${users.toLocaleString('en-US')} users, ${Number((rate * 100).toPrecision(3))}%, ${Math.round((1 - share) * 100)}/${Math.round(share * 100)}`

const alarmTable = (rows, runs) => ({
  columns: [
    'No difference, called significant',
    'fixed, once',
    `fixed, ${LOOKS} looks`,
    `always valid, ${LOOKS} looks`,
  ],
  rows: rows.map(({ found, testCase }) => [
    caseText(testCase),
    percentOf(found.fixedAtEnd, runs),
    percentOf(found.fixedAtAny, runs),
    percentOf(found.sequentialAtAny, runs, ALARM_GOAL),
  ]),
})

const findingTable = (rows, runs) => ({
  columns: [
    'A difference, found',
    'fixed, once',
    `always valid, ${LOOKS} looks`,
    'its interval missed the difference at any look',
  ],
  rows: rows.map(({ found, testCase }) => [
    `${caseText(testCase)}, better by ${Math.round(testCase.lift * 100)}%`,
    percentOf(found.fixedAtEnd, runs),
    percentOf(found.sequentialAtAny, runs),
    percentOf(found.outsideAtAny, runs, ALARM_GOAL),
  ]),
})

const splitTable = (rows, runs) => ({
  columns: ['A split as it should be, called broken', 'once', `${LOOKS} looks`],
  rows: rows.map(({ found, testCase: { users, weights } }) => [
    `${users.toLocaleString('en-US')} users, weights ${weights.join(', ')}`,
    percentOf(found.atEnd, runs, MISMATCH_GOAL),
    percentOf(found.atAny, runs),
  ]),
})
