import { createClient } from '@burgee/sdk'

/**
 * A program that uses the SDK like an application, and reports to the test what it sees. Its argument is
 * JSON: {url, sdkKey, watch: [flagKey]}; the watched flags contain growing numbers, and are evaluated every
 * millisecond.
 */
const { url, sdkKey, watch = [] } = JSON.parse(process.argv[2])

const USER = 'observer'
const FALLBACK = -1
/**
 * The share of their range from which waits between attempts are drawn; otherwise fifty kills would take
 * hours.
 */
const SHORT_DRAW = 0.1
const random = Math.random
Math.random = () => random() * SHORT_DRAW

const client = createClient({ url, sdkKey, impressions: 'off' })
const seen = Object.fromEntries(watch.map((key) => [key, []]))
let evaluations = 0
let ready = 0
let stale = 0

client.on('ready', () => {
  ready += 1
  if (ready === 1 && watch.length > 0) setInterval(observe, 1)
})
client.on('stale', () => {
  stale += 1
})

function observe() {
  for (const key of watch) {
    const value = client.getVariant(key, USER, {}, FALLBACK)
    evaluations += 1
    const values = seen[key]
    if (values.at(-1) !== value) values.push(value)
  }
}

const ANSWERS = {
  status: () => client.status,
  evaluate: ({ flagKey, userKey, attributes }) => client.evaluate(flagKey, userKey, attributes),
  observed: () => ({ evaluations, ready, stale, seen }),
  latest: () => ({ ready, latest: Object.fromEntries(watch.map((key) => [key, seen[key].at(-1)])) }),
}
process.on('message', ({ id, question, input }) =>
  process.send({ id, answer: ANSWERS[question](input ?? {}) }),
)
process.on('disconnect', () => process.exit())
client.connect().catch(() => {})
