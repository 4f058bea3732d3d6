// Measures the processor time of evaluations with large attributes, up to the bound of steps
// (docs/reference/operators.md#cost). Usage: node bench/evaluation/large.mjs
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
execFileSync('npx', ['tsc', '-b', 'packages/evaluation'], { cwd: root, stdio: 'inherit' })
const { createFlagSet } = await import('../../packages/evaluation/dist/index.js')

const ROUNDS = 5
const STEPS_PER_MILLION = 1e6

const texts = (count, of) => Array.from({ length: count }, (_, at) => of(at))
const rule = (operator, values, attribute = 'it') => ({ attribute, operator, values })
const id = (at) => `6d0b26a1-4c3f-4f0e-9d57-${String(at).padStart(12, '0')}`
/** Texts of some 20,000 characters, each of which a pattern has not seen. */
const rare = (count, length) =>
  texts(count, (at) =>
    texts(length, (index) => String.fromCharCode(0x4e00 + ((at * length + index * 7919) % 20_000))).join(''),
  )
const fibonacci = (length) => {
  let [before, text] = ['a', 'ab']
  while (text.length < length) [before, text] = [text, text + before]
  return text.slice(0, length)
}
const patterns = (count) => texts(count, (at) => rule('matches', [`(?:[a-m]?[n-z]?){240}${at}`]))
const classes = `[${texts(28, (at) => `${String.fromCharCode(0x4e00 + at * 2)}a-${String.fromCharCode(97 + (at % 26))}`).join('][')}]`

/** The worst cases that are known of each kind of test: rules, and the attribute `it`. */
const cases = {
  'contains, 1,000 identifiers, 500 elements': [
    [rule('contains', texts(1000, id))],
    texts(500, (at) => id(at + 5000)),
  ],
  'contains, 500 values of 30 lengths, 500 elements': [
    [
      rule(
        'contains',
        texts(500, (at) => `${at}x`.repeat(36).slice(0, 7 + (at % 30))),
      ),
    ],
    texts(500, (at) => id(at)),
  ],
  'contains, 3 short values in a periodic text': [
    [rule('contains', ['aac', 'aad', 'aae'])],
    'ab'.repeat(500_000),
  ],
  'contains, 9 long values in a text of Fibonacci': [
    [
      rule(
        'contains',
        texts(9, (at) => `${fibonacci(20 + at * 20)}c`),
      ),
    ],
    fibonacci(1_000_000),
  ],
  'contains, a value of 3,000 characters': [
    [rule('contains', [`${'a'.repeat(2000)}b${'a'.repeat(1000)}`])],
    'a'.repeat(25_000),
  ],
  'contains, values that are looked up': [
    [
      rule(
        'contains',
        texts(1000, (at) => `aaaa${String.fromCharCode(0x4e00 + at)}`),
      ),
    ],
    rare(1, 250_000)[0],
  ],
  'contains, 100,000 elements of one character': [
    [rule('contains', ['aa', 'bb'])],
    texts(100_000, (at) => 'ab'[at % 2]),
  ],
  'starts_with, 20,000 values, 8,000 elements': [
    [
      rule(
        'starts_with',
        texts(20_000, (at) => `value-${at}`),
      ),
    ],
    texts(8000, (at) => `item-${at}`),
  ],
  'equals, 1,000 rules, 100,000 elements': [
    texts(1000, (at) => rule('equals', [`value-${at}`])),
    texts(100_000, (at) => `item-${at}`),
  ],
  'greater_than, 1,000 rules, 100,000 elements': [
    texts(1000, (at) => rule('greater_than', [String(1e6 + at)])),
    texts(100_000, (at) => at),
  ],
  'semver_equal, 20,000 values, 8,000 elements': [
    [
      rule(
        'semver_equal',
        texts(20_000, (at) => `1.${at}.0`),
      ),
    ],
    texts(8000, (at) => `0.${at}.0`),
  ],
  'semver_greater_than, one version of 200,000 characters': [
    [rule('semver_greater_than', ['1.0.0'])],
    `1.0.0-${'a.'.repeat(100_000)}a`,
  ],
  'before, 17,000 elements': [
    [rule('before', ['2000-01-01T00:00:00Z'])],
    texts(17_000, (at) => `2024-01-${29 + (at % 3)}T00:00:00.${100 + (at % 900)}+01:00`),
  ],
  'matches, one pattern, 100 texts of rare characters': [[rule('matches', ['\\d+x'])], rare(100, 508)],
  'matches, a pattern of classes, 27 texts': [[rule('matches', [classes])], rare(27, 508)],
  'matches, five patterns of 960 states, one text': [patterns(5), rare(1, 508)],
  'matches, five patterns of 960 states, 100 texts': [patterns(5), rare(100, 508)],
}

for (const [name, [rules, it]] of Object.entries(cases)) {
  const set = createFlagSet([{ key: 'flag', is_enabled: true, rollout_percentage: 0, rules }])
  let best = Number.POSITIVE_INFINITY
  let reason = ''
  for (let round = 0; round < ROUNDS; round++) {
    // Texts that no engine has hashed or flattened.
    const attributes = JSON.parse(JSON.stringify({ it }))
    const started = process.cpuUsage()
    reason = set.resolve('flag', 'ann', attributes).reason
    const { system, user } = process.cpuUsage(started)
    best = Math.min(best, (system + user) / 1000)
  }
  const millions = (set.steps / ROUNDS / STEPS_PER_MILLION).toFixed(1)
  console.log(`${name.padEnd(58)} ${best.toFixed(2).padStart(8)} ms ${millions.padStart(7)} M ${reason}`)
}
